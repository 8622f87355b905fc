/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_EVENTS_H
#define DEVX_ETH_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "devx/cq.h"
#include "devx/event.h"
#include "devx/umem.h"

/**
 * DOC: Events of a port and its device
 *
 *     error of a CQ, change of the link --> event channel ---+--> loss/devx_event_handler.c
 *     loss of the device, change of the link --> verbs fd ---'    on EAL's interrupt thread
 *
 * The cookie of a CQ's error event contains the number of the queue and a serial number of the CQ.
 * The handler therefore ignores a late event of a CQ that the queue no longer has.
 *
 * A device may withhold events from user space. Then the verbs fd reports the link, and the
 * recovery timer reads the states of the CQs (recovery/devx_cq_poll.h).
 */

struct devx_eth;

enum { DEVX_ETH_CQ_POLL_MS = 10 }; /* the timer reads the state of one CQ of a port this often */

/**
 * struct devx_eth_cq_poll - progress of the recovery timer, which reads the states of the CQs
 * @n_periods: periods of the timer since it last read a state
 * @next: number of the queue at which the next search begins
 * @failing: since the start of the port, a failure to read a state was logged
 */
struct devx_eth_cq_poll {
	uint32_t n_periods, next;
	bool failing;
};

/**
 * struct devx_eth_events - events of a port
 * @channel: errors of the CQs and changes of the link
 * @channel_source: @channel as an interrupt source of EAL; NULL: not registered
 * @verbs_source: the verbs context as an interrupt source of EAL; NULL: not registered
 * @recover: begins the recovery after a loss of the device, under devx_eth.lock; set at probe.
 *           Returns false if it cannot begin one
 * @withheld: bit n: the device withholds event n from user space (enum prm_event)
 * @reported: @withheld was logged
 * @poll: progress of the timer with the CQs that have no events
 * @n_cqs: number of CQs created since probe, which is the serial number of the newest CQ
 * @lost: the device failed or was removed; written once, under devx_eth.lock, and read by any
 *        thread
 */
struct devx_eth_events {
	struct devx_event_channel channel;
	struct rte_intr_handle *channel_source, *verbs_source;
	bool (*recover)(struct devx_eth *eth);
	uint32_t withheld;
	bool reported;
	struct devx_eth_cq_poll poll;
	uint32_t n_cqs;
	bool lost;
};

/** enum devx_eth_cq_side - kind of queue that a CQ serves: bits 17:16 of its cookie */
enum devx_eth_cq_side {
	DEVX_ETH_CQ_RX = 0,
	DEVX_ETH_CQ_TX = 1,
	DEVX_ETH_CQ_GENERATOR = 2, /* a generator ring; it has no number */
};

/** devx_eth_is_lost - check whether the device of a port failed or was removed; any thread */
bool devx_eth_is_lost(const struct devx_eth *eth);

/**
 * devx_eth_event_subscribe - subscribe to an event, unless the device withholds it
 * @eth: the port; the caller holds eth->lock, or nobody else uses the port
 * @obj: the object; NULL: the device
 * @type: enum prm_event, at most 31
 * @cookie: cookie of the event; set to 0 if the device withholds it
 *
 * Return: 0, including for a withheld event; otherwise the error of devx_event_subscribe(), which
 * is not logged.
 */
int devx_eth_event_subscribe(struct devx_eth *eth, struct mlx5dv_devx_obj *obj, uint16_t type,
			     uint64_t *cookie);
bool devx_eth_event_is_withheld(const struct devx_eth *eth, enum prm_event type);
/** devx_eth_events_report - log withheld events, once per port; under eth->lock */
void devx_eth_events_report(struct devx_eth *eth);

/**
 * devx_eth_cq_create - create a CQ, and subscribe the event channel to its error
 * @cq: all zero; all zero again on failure
 * @eth: the port; the caller holds eth->lock
 * @attr: as for devx_cq_create_in_umem()
 * @ring: memory of its ring
 * @side, @queue: kind and number of the queue
 * @cookie: receives the cookie of the CQ (see DEVX_ETH_COOKIE_QUEUE and _SIDE); 0: the device
 *          withholds the event
 *
 * Return: 0 or -errno, not logged.
 */
int devx_eth_cq_create(struct devx_cq *cq, struct devx_eth *eth, const struct devx_cq_attr *attr,
		       const struct devx_umem_ring *ring, enum devx_eth_cq_side side,
		       uint16_t queue, uint64_t *cookie);

/**
 * devx_eth_cq_watch - subscribe the event channel to the error of a CQ
 * @eth, @side, @queue, @cookie: as for devx_eth_cq_create()
 *
 * Return: 0, or as devx_event_subscribe(), not logged.
 */
int devx_eth_cq_watch(const struct devx_cq *cq, struct devx_eth *eth, enum devx_eth_cq_side side,
		      uint16_t queue, uint64_t *cookie);

/* parts of a cookie: 63:32 number of the CQ, 17:16 side, 15:0 queue */
#define DEVX_ETH_COOKIE_QUEUE(cookie) ((uint16_t)(cookie))
#define DEVX_ETH_COOKIE_SIDE(cookie) ((enum devx_eth_cq_side)((cookie) >> 16 & 3))

#endif
