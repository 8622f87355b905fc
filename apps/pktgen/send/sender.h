/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_SENDER_H
#define PKTGEN_SENDER_H

#include <stddef.h>
#include <stdint.h>

struct options;
struct port;
struct tx;

/**
 * DOC: Senders
 *
 * A sender makes the frames of one stream and passes them to the port. The stream (tx.h) decides
 * how many frames the count and the rate allow, and counts those that the port accepts.
 *
 *     prepare                  the port is started
 *     make, send, send ...     as often as the queue is polled, by one thread
 *     finish                   no thread polls any more; the port is still started
 *     release                  the port is closed
 */

/**
 * struct sender - one way to send
 * @name: the argument of --sender
 * @prepare: acquire the resources that the frames of @tx need. Return: 0; or -ENOMEM, or another
 *   negative errno if this sender cannot send these frames on this port, with the reason in @why
 * @make: make at most @n frames, the first with number @first, at TSC @now. Called only if no frame
 *   is pending. Return: frames made; 0 if there is no room now
 * @send: pass the tx->n_pending pending frames to the port in order. Return: frames accepted
 * @finish: reclaim the frames that the port did not accept
 * @release: undo @prepare, also if @prepare failed
 */
struct sender {
	const char *name;
	int (*prepare)(struct tx *tx, const struct port *port, const struct options *o, char *why,
		       size_t why_bytes);
	unsigned (*make)(struct tx *tx, unsigned n, uint64_t first, uint64_t now);
	unsigned (*send)(struct tx *tx);
	void (*finish)(struct tx *tx);
	void (*release)(struct tx *tx);
};

/** sender_mbuf - sends mbufs with rte_eth_tx_burst(), on every port and for all frames */
extern const struct sender sender_mbuf;

/** sender_ring - sends generated frames with the generator ring of net_devx */
extern const struct sender sender_ring;

#endif
