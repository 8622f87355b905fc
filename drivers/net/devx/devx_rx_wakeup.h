/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_WAKEUP_H
#define DEVX_ETH_RX_WAKEUP_H

#include <stdbool.h>
#include <stdint.h>

#include "devx/event.h"

/**
 * DOC: Rx interrupts
 *
 *     rte_eth_dev_rx_intr_enable() -> CQ armed -> CQE -> completion event --+--> eventfd --> epoll
 *     a CQE was there already, or the queue needs its thread -- raise ------'
 *
 * The eventfd of a queue counts completion events in its low half and raises of the driver in its
 * high half. The number of completion events is the serial number of the next arm: the device
 * ignores an arm whose number it has answered.
 */

struct devx_cq;

/**
 * struct devx_eth_rx_wakeup - wakes the thread that sleeps until a receive queue has packets
 * @fd: the eventfd, non-blocking; valid if @channel exists or @kept
 * @kept: the device of the channel is lost; the next channel gets the same eventfd
 * @sn: number of completion events of the CQ read so far, mod 256
 * @channel: owns the subscription to the CQ; the events go to @fd
 */
struct devx_eth_rx_wakeup {
	int fd;
	bool kept;
	uint8_t sn;
	struct devx_event_channel channel;
};

static inline bool devx_eth_rx_wakeup_is_on(const struct devx_eth_rx_wakeup *w)
{
	return w->channel.channel;
}

/**
 * devx_eth_rx_wakeup_create - create the channel of @w, and its eventfd unless @w kept one
 *
 * Return: 0 or -errno, not logged
 */
int devx_eth_rx_wakeup_create(struct devx_eth_rx_wakeup *w, struct devx_dev *dev);
/** devx_eth_rx_wakeup_destroy - undo devx_eth_rx_wakeup_create(); all zero afterwards */
void devx_eth_rx_wakeup_destroy(struct devx_eth_rx_wakeup *w);
/**
 * devx_eth_rx_wakeup_detach - destroy the channel of @w and keep the eventfd
 *
 * The eventfd must survive because the application has added it to its epoll descriptors. Does
 * nothing if @w does not exist.
 */
void devx_eth_rx_wakeup_detach(struct devx_eth_rx_wakeup *w);
/**
 * devx_eth_rx_wakeup_attach - subscribe @w to completion events of a new CQ
 *
 * The subscription to the previous CQ ended when that CQ was destroyed. Does nothing if @w does
 * not exist.
 *
 * Return: 0 or -errno, not logged
 */
int devx_eth_rx_wakeup_attach(struct devx_eth_rx_wakeup *w, const struct devx_cq *cq);
/** devx_eth_rx_wakeup_arm - request a wakeup at the next CQE; at once if @cq has one already */
void devx_eth_rx_wakeup_arm(struct devx_eth_rx_wakeup *w, struct devx_cq *cq);
/** devx_eth_rx_wakeup_drain - make @w->fd unreadable until the next wakeup */
void devx_eth_rx_wakeup_drain(struct devx_eth_rx_wakeup *w);
/**
 * devx_eth_rx_wakeup_raise - wake the thread without a CQE, so that it calls its burst function
 *
 * Does nothing if @w does not exist. Any thread.
 */
void devx_eth_rx_wakeup_raise(const struct devx_eth_rx_wakeup *w);

#endif
