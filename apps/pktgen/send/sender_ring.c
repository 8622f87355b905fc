/* SPDX-License-Identifier: BSD-3-Clause */
#include "send/sender.h"

#include <errno.h>
#include <stdio.h>

#include <rte_errno.h>

#include "eal/eal_log.h"
#include "port/ports.h"
#include "send/tx.h"

enum { MAX_RINGS = 16 }; /* for one queue */

/*
 * The ring contains copies of the frame of the flow. Each send replaces the variable bytes of the
 * signature: sequence, time and CRC.
 */
static int prepare_ring(struct tx *tx, const struct port *port, const struct options *o, char *why,
			size_t why_bytes)
{
	struct tx_ring *ring = &tx->ring;
	const struct rte_pmd_devx_ring_conf conf = {
		.frame = tx->flow->frame,
		.frame_bytes = tx->flow->bytes,
		.n_packets = o->tx_ring,
		.patch = { { (uint16_t)(tx->flow->bytes - SIGN_VARIABLE_BYTES),
			     SIGN_VARIABLE_BYTES } },
	};
	const struct ring_port on = { port->id, port->device, port->driver };
	int rc = ring_driver_find(&ring->driver, &on, why, why_bytes);

	if (rc)
		return rc;
	if (tx->capture) {
		snprintf(why, why_bytes, "the generator ring sends only generated frames");
		return -ENOTSUP;
	}
	if (tx->flow->varies) {
		snprintf(why, why_bytes, "the generator ring sends only frames %s",
			 tx->flow->size->min != tx->flow->size->max ? "of one size"
			 : tx->flow->sums ? "without a checksum of the payload"
					  : "with one header");
		return -ENOTSUP;
	}
	if (tx->flow->offload.port) {
		snprintf(why, why_bytes,
			 "the generator ring asks for no checksums (--checksums port)");
		return -ENOTSUP;
	}
	if (tx->n_on_queue > MAX_RINGS) {
		snprintf(why, why_bytes, "the queue sends %u flows (valid: at most %d)",
			 tx->n_on_queue, MAX_RINGS);
		return -ENOTSUP;
	}
	eal_log_clear();
	rc = ring->driver.create(port->id, &conf, &ring->ring);
	if (rc)
		snprintf(why, why_bytes, "%s", eal_log_read_error(rte_strerror(-rc)));
	return rc;
}

static unsigned make_patches(struct tx *tx, unsigned n, uint64_t first, uint64_t now)
{
	const struct signer *s = &tx->flow->signer;
	const uint32_t now_ns = (uint32_t)run_clock_to_ns(tx->clock, now);

	for (unsigned i = 0; i < n; i++)
		sign_write_variable(s, tx->ring.patches[i], first + i, now_ns);
	tx->ring.next = 0;
	return n;
}

static unsigned send_patches(struct tx *tx)
{
	const unsigned n = tx->ring.driver.send(tx->ring.ring, tx->ring.patches[tx->ring.next],
						(uint16_t)tx->n_pending);

	tx->ring.next += n;
	return n;
}

/* Waits until the device has sent all frames. After that, the statistics of the port are exact. */
static void finish_ring(struct tx *tx)
{
	tx->ring.driver.destroy(tx->ring.ring);
	tx->ring.ring = NULL;
}

/* If the run ended before finish_ring(), the closing of the port has destroyed the ring. */
static void release_ring(struct tx *tx)
{
	tx->ring.ring = NULL;
}

const struct sender sender_ring = {
	.name = "ring",
	.prepare = prepare_ring,
	.make = make_patches,
	.send = send_patches,
	.finish = finish_ring,
	.release = release_ring,
};
