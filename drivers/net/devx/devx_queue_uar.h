/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_QUEUE_UAR_H
#define DEVX_ETH_QUEUE_UAR_H

#include "devx_port.h"

/**
 * DOC: Doorbell registers of send queues and generator rings
 *
 *     a register of @eth->uar_type is free    the queue gets it, also BlueFlame
 *     the function has no UAR page left       the queue shares the register of @eth->uar
 *
 * The shared register is non-cached, so threads of several queues may ring it without a lock
 * (doc/devx.md, "Doorbell registers"). libmlx5 allocates its page when it opens the device, so
 * it costs no page later.
 *
 * PRM-MISSING: a function has UAR pages for 256 doorbell registers (no source states the number;
 * UCX issue 6049 reports a function that ran out of pages).
 */

/** devx_eth_uar_may_share - check whether a port can share a register after failure @rc of a UAR */
bool devx_eth_uar_may_share(const struct devx_eth *eth, int rc);
/**
 * devx_eth_queue_uar_create - create the UAR of a queue
 * @eth: the port; a notice that queues share a register sets @eth->uar_noticed
 * @uar: all zero; all zero again on failure; devx_uar_destroy() undoes it
 *
 * Under eth->lock.
 *
 * Return: 0, or -errno if the device is broken or has no shared register, not logged
 */
int devx_eth_queue_uar_create(struct devx_eth *eth, struct devx_uar *uar);
/** devx_eth_uar_get_name - get the name of a type of UAR, as in the argument uar= */
const char *devx_eth_uar_get_name(enum devx_uar_type type);
/** devx_eth_uar_get_type - get the type of the UAR that a queue got */
enum devx_uar_type devx_eth_uar_get_type(const struct devx_uar *uar);

#endif
