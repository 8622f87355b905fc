/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_RESPONDER_H
#define PKTGEN_RESPONDER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "model/addresses.h"

struct rte_mempool;
struct rte_ring;

/**
 * DOC: Answers during a run
 *
 * The threads that poll the receive queues of a port make answers, and put them into a lock-free
 * ring. The thread of send queue 0 sends them, because only one thread may use a queue.
 */

/**
 * struct responder - answers for the addresses of a port
 * @a: the addresses
 * @port: number of the port in EAL
 * @pool, @ring: buffers of answers, and the pending answers
 * @arp, @nd, @pings: answers made, of each kind
 * @sent: answers that the port accepted
 * @dropped: frames without a buffer for an answer, and answers without room in @ring or in the port
 */
struct responder {
	const struct addresses *a;
	uint16_t port;
	struct rte_mempool *pool;
	struct rte_ring *ring;
	_Atomic uint64_t arp, nd, pings, sent, dropped;
};

/**
 * responder_init - make buffers and ring
 * @d: all zero
 * @a: addresses of the port, which must outlive @d
 * @port: number of the port in EAL
 * @max_bytes: longest frame without FCS
 * @socket: NUMA node of the port
 *
 * Return: 0; or -ENOMEM. Call responder_free() in both cases
 */
int responder_init(struct responder *d, const struct addresses *a, uint16_t port,
		   uint32_t max_bytes, int socket);

/** responder_begin_counts - set all counters to 0 while no thread uses @d */
void responder_begin_counts(struct responder *d);

/** responder_free - free buffers and ring, once no thread uses them */
void responder_free(struct responder *d);

/**
 * responder_take_frame - answer a received frame, if it asks for an address of the port
 * @frame: the frame, without FCS
 * @n_bytes: length of @frame
 *
 * Any thread may call this.
 *
 * Return: whether the frame was such a request
 */
bool responder_take_frame(struct responder *d, const uint8_t *frame, unsigned n_bytes);

/**
 * responder_ask - send requests for the MAC addresses of the gateways that are not resolved
 *
 * Only the thread of send queue 0 may call this.
 */
void responder_ask(struct responder *d);

/**
 * responder_take_reply - read the MAC address of a gateway of @a from a received frame
 *
 * Return: whether the frame was a reply to responder_ask(); if so, the gateway is now resolved
 */
bool responder_take_reply(struct addresses *a, const uint8_t *frame, unsigned n_bytes);

/** responder_send - send the pending answers. Only the thread of send queue 0 may call this */
unsigned responder_send(struct responder *d);

#endif
