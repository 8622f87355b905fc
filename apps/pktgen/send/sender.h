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
 * A sender makes the frames of one queue and gives them to the port. The queue (tx.h) decides how
 * many frames the count and the rate allow, and counts those that the port took.
 *
 *     prepare                  the port is started
 *     make, send, send ...     as often as the queue is polled, by one thread
 *     finish                   no thread polls any more; the port is still started
 *     release                  the port is closed
 */

/**
 * struct sender - one way to send
 * @name: the argument of --sender
 * @prepare: take the resources that the frames of @tx need. Return: 0; or -ENOMEM, or another
 *   negative errno if this sender cannot send these frames on this port; then @why has the reason
 * @make: make at most @n frames, the first with number @first, at TSC @now. Called only if no frame
 *   waits for the port. Return: frames made; 0: no room now
 * @send: give the frames that wait, tx->n_pending, to the port in order. Return: frames taken
 * @finish: take back the frames that the port did not take
 * @release: undo @prepare; also if @prepare failed
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

/** sender_mbuf - sends mbufs with rte_eth_tx_burst(); for every port and all frames */
extern const struct sender sender_mbuf;

/** sender_ring - sends with the generator ring of net_devx; for generated frames */
extern const struct sender sender_ring;

#endif
