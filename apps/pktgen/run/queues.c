/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/queues.h"

#include <stdlib.h>

#include "base/lines.h"
#include "cli/messages.h"

static enum pktgen_exit report_no_memory(void)
{
	return report_error(PKTGEN_ENVIRONMENT,
			    "no memory to account for the packets; free some memory");
}

/* ---- send queues ---------------------------------------------------------------- */

/* Finds or makes the queue of a stream. */
static struct tx_queue *get_queue(struct run *r, const struct tx *tx)
{
	struct tx_queue *q = r->queues;

	for (; q < r->queues + r->n_queues; q++) {
		if (q->port == tx->port && q->queue == tx->queue)
			return q;
	}
	*q = (struct tx_queue){ .port = tx->port, .queue = tx->queue };
	r->n_queues++;
	return q;
}

/* Creates the pool of a queue that sends several streams. Its buffers fit the longest frame. */
static enum pktgen_exit share_pool(struct run *r, struct tx_queue *q)
{
	uint32_t bytes = 0;

	for (unsigned i = 0; i < q->n_tx; i++) {
		const struct tx *tx = q->tx[i];
		const uint32_t longest = tx->capture ? tx->capture->max_bytes : tx->flow->bytes;

		bytes = longest > bytes ? longest : bytes;
	}
	q->pool = ports_create_tx_pool(r->streams[q->tx[0]->id].from, q->tx[0]->id, bytes,
				       r->o->tx_ring);
	if (!q->pool)
		return report_error(PKTGEN_ENVIRONMENT,
				    "port %u, send queue %u: no memory for its buffers; give EAL "
				    "more memory (-- -m 1024)",
				    q->port, q->queue);
	return PKTGEN_MET;
}

static enum pktgen_exit prepare_queue(struct run *r, struct tx_queue *q)
{
	enum pktgen_exit e = q->n_tx > 1 ? share_pool(r, q) : PKTGEN_MET;

	q->n_active = q->n_tx;
	for (unsigned i = 0; i < q->n_tx && !e; i++) {
		struct tx *tx = q->tx[i];

		tx->shared_pool = q->pool;
		tx->n_on_queue = q->n_tx;
		e = tx_prepare(tx, r->streams[tx->id].from, r->o);
	}
	return e;
}

/* Returns whether each send queue of a port sends several streams, all at limited rates. */
static bool shares_rates(const struct run *r, uint16_t port)
{
	for (unsigned i = 0; i < r->n_queues; i++) {
		const struct tx_queue *q = &r->queues[i];

		if (q->port != port)
			continue;
		if (q->n_tx < 2)
			return false;
		for (unsigned n = 0; n < q->n_tx; n++) {
			if (!q->tx[n]->gaps.blocks)
				return false;
		}
	}
	return true;
}

/*
 * Prepares to measure the gaps between the packets of each port. A stream that is alone on its
 * queue does not pay for that: its own gaps are enough.
 */
static enum pktgen_exit measure_gaps(struct run *r)
{
	r->last_bursts = lines_calloc(r->ports.n, sizeof(*r->last_bursts), RTE_CACHE_LINE_SIZE);
	if (!r->last_bursts)
		return report_no_memory();
	for (unsigned i = 0; i < r->n_queues; i++) {
		struct tx_queue *q = &r->queues[i];

		if (!shares_rates(r, q->port))
			continue;
		q->gaps.last = &r->last_bursts[r->streams[q->tx[0]->id].from - r->ports.port];
		if (histogram_init(&q->gaps.times, LATENCY_DIGITS, GAPS_HIGHEST_NS))
			return report_no_memory();
		for (unsigned n = 0; n < q->n_tx; n++)
			q->tx[n]->port_gaps = &q->gaps;
	}
	return PKTGEN_MET;
}

enum pktgen_exit queues_make_tx(struct run *r)
{
	enum pktgen_exit e = PKTGEN_MET;

	r->queues = calloc(r->n_streams, sizeof(*r->queues));
	if (!r->queues)
		return report_no_memory();
	for (unsigned i = 0; i < r->n_streams; i++)
		get_queue(r, &r->streams[i].tx)->n_tx++;
	for (unsigned i = 0; i < r->n_queues; i++) {
		r->queues[i].tx = calloc(r->queues[i].n_tx, sizeof(struct tx *));
		if (!r->queues[i].tx)
			return report_no_memory();
		r->queues[i].n_tx = 0;
	}
	for (unsigned i = 0; i < r->n_streams; i++) {
		struct tx_queue *q = get_queue(r, &r->streams[i].tx);

		q->tx[q->n_tx++] = &r->streams[i].tx;
	}
	for (unsigned i = 0; i < r->n_queues && !e; i++)
		e = prepare_queue(r, &r->queues[i]);
	return e ? e : measure_gaps(r);
}

/* ---- receive queues ------------------------------------------------------------- */

/* Finds the streams that a port expects. Returns their number. */
static unsigned find_expected(const struct run *r, const struct port *port, const struct tx **tx)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->n_streams; i++) {
		if (r->streams[i].to == port)
			tx[n++] = &r->streams[i].tx;
	}
	return n;
}

static enum pktgen_exit check_captures(const struct port *port, const struct tx *const *tx,
				       unsigned n)
{
	unsigned n_captures = 0;

	for (unsigned i = 0; i < n; i++)
		n_captures += tx[i]->capture != NULL;
	if (n_captures > 1)
		return report_error(PKTGEN_USAGE,
				    "port %s receives %u captures (valid: at most 1); use a port "
				    "for each",
				    port->device, n_captures);
	return PKTGEN_MET;
}

static struct responder *find_responder(const struct run *r, const struct port *port)
{
	for (unsigned i = 0; i < r->n_responders; i++) {
		if (r->responders[i].port == port->id)
			return &r->responders[i];
	}
	return NULL;
}

enum pktgen_exit queues_make_responders(struct run *r)
{
	r->responders = calloc(r->ports.n, sizeof(*r->responders));
	if (!r->responders)
		return report_no_memory();
	for (unsigned i = 0; i < r->ports.n; i++) {
		const struct port *port = &r->ports.port[i];

		if (port->addresses.n &&
		    responder_init(&r->responders[r->n_responders++], &port->addresses, port->id,
				   port->mtu + RTE_ETHER_HDR_LEN + 2 * RTE_VLAN_HLEN, port->socket))
			return report_error(
				PKTGEN_ENVIRONMENT,
				"port %s: no memory for answers; give EAL more memory (-- "
				"-m 1024)",
				port->device);
	}
	return PKTGEN_MET;
}

static enum pktgen_exit make_port_rx(struct run *r, const struct port *port, const struct tx **tx,
				     unsigned n)
{
	const enum pktgen_exit e = check_captures(port, tx, n);

	if (e)
		return e;
	for (unsigned queue = 0; queue < port->n_rx; queue++) {
		struct rx *rx = &r->rx[r->n_rx++];

		*rx = (struct rx){ .port = port->id,
				   .queue = (uint16_t)queue,
				   .clock = &r->clock,
				   .stamps = &port->stamps,
				   .all = r->tx,
				   .n_all = r->n_streams,
				   .run = r->number,
				   .responder = find_responder(r, port) };
		if (rx_init(rx, tx, n))
			return report_no_memory();
	}
	return PKTGEN_MET;
}

/* Makes the receive queues of the ports that expect streams (@expecting), or of the others. */
static enum pktgen_exit make_ports_rx(struct run *r, bool expecting, const struct tx **tx)
{
	enum pktgen_exit e = PKTGEN_MET;

	for (unsigned i = 0; i < r->ports.n && !e; i++) {
		const unsigned n = find_expected(r, &r->ports.port[i], tx);

		if (expecting == (n > 0))
			e = make_port_rx(r, &r->ports.port[i], tx, n);
	}
	return e;
}

enum pktgen_exit queues_make_rx(struct run *r)
{
	const struct tx **tx = calloc(r->n_streams, sizeof(struct tx *));
	enum pktgen_exit e;
	unsigned n = 0;

	for (unsigned i = 0; i < r->ports.n; i++)
		n += r->ports.port[i].n_rx;
	r->rx = lines_calloc(n, sizeof(*r->rx), RTE_CACHE_LINE_SIZE);
	if (!tx || !r->rx) {
		free(tx);
		return report_no_memory();
	}
	e = make_ports_rx(r, true, tx);
	r->n_expecting = r->n_rx;
	if (!e)
		e = make_ports_rx(r, false, tx);
	free(tx);
	return e;
}

void queues_free(struct run *r)
{
	for (unsigned i = 0; i < r->n_queues; i++) {
		rte_mempool_free(r->queues[i].pool);
		free(r->queues[i].tx);
		histogram_free(&r->queues[i].gaps.times);
	}
	for (unsigned i = 0; i < r->n_rx; i++)
		rx_free(&r->rx[i]);
	for (unsigned i = 0; i < r->n_responders; i++)
		responder_free(&r->responders[i]);
	free(r->responders);
	free(r->queues);
	free(r->last_bursts);
	free(r->rx);
}
