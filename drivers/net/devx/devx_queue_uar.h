/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_QUEUE_UAR_H
#define DEVX_ETH_QUEUE_UAR_H

#include "devx_port.h"

/**
 * DOC: Doorbell registers of send queues and generator rings
 *
 *     a register of @eth->uar_type is free    the queue gets it, also BlueFlame
 *     the UAR pages of the function ended     the queue shares the register of @eth->uar
 *
 * The shared register is non-cached, so threads of several queues may ring it without a lock
 * (doc/devx.md, "Doorbell registers"). libmlx5 allocates its page when it opens the device, so
 * it costs no page later.
 *
 * PRM-MISSING: a function has UAR pages for 256 doorbell registers (no source tells the number of a
 * function; UCX issue 6049 reports a function whose pages ended).
 */

/** devx_eth_uar_may_share - whether a port whose UAR failed with @rc goes on without it */
bool devx_eth_uar_may_share(const struct devx_eth *eth, int rc);

/**
 * devx_eth_queue_uar_create - create the UAR of a queue
 * @eth: the port; @eth->uar_noticed is set by the notice that queues share a register
 * @uar: all zero; all zero again on failure; devx_uar_destroy() undoes it
 *
 * Under eth->lock.
 *
 * Return: 0, or -errno if the device is broken or has no shared register, not logged
 */
int devx_eth_queue_uar_create(struct devx_eth *eth, struct devx_uar *uar);

/** devx_eth_uar_get_name - name of the type of a UAR, as in argument uar= */
const char *devx_eth_uar_get_name(enum devx_uar_type type);
/** devx_eth_uar_get_type - type of the UAR that a queue got */
enum devx_uar_type devx_eth_uar_get_type(const struct devx_uar *uar);

#endif
