/* SPDX-License-Identifier: BSD-3-Clause */
#include "respond/responder.h"

#include <errno.h>
#include <stdio.h>

#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <rte_ring.h>

#include "respond/arp.h"
#include "respond/nd.h"
#include "respond/ping.h"

enum {
	N_ANSWERS = 64,   /* largest number of pending answers, a power of 2 */
	N_BUFFERS = 2047, /* a driver keeps sent buffers until its ring wraps around */
	MIN_BYTES = 128,  /* at least ARP_MAX_BYTES and ND_MAX_BYTES */
	BUFFER_ALIGN = 64,
};

int responder_init(struct responder *d, const struct addresses *a, uint16_t port,
		   uint32_t max_bytes, int socket)
{
	const uint32_t bytes =
		RTE_ALIGN_CEIL(RTE_MAX(max_bytes, (uint32_t)MIN_BYTES), (uint32_t)BUFFER_ALIGN);
	char name[RTE_RING_NAMESIZE];

	d->a = a;
	d->port = port;
	snprintf(name, sizeof(name), "answers%u", port);
	d->pool = rte_pktmbuf_pool_create(name, N_BUFFERS, 0, 0,
					  (uint16_t)(RTE_PKTMBUF_HEADROOM + bytes), socket);
	d->ring = rte_ring_create(name, N_ANSWERS, socket, RING_F_SC_DEQ);
	return d->pool && d->ring ? 0 : -ENOMEM;
}

void responder_begin_counts(struct responder *d)
{
	d->arp = d->nd = d->pings = d->sent = d->dropped = 0;
}

void responder_free(struct responder *d)
{
	struct rte_mbuf *m;

	while (d->ring && !rte_ring_dequeue(d->ring, (void **)&m))
		rte_pktmbuf_free(m);
	rte_ring_free(d->ring);
	rte_mempool_free(d->pool);
	*d = (struct responder){ 0 };
}

/* Makes the answer in @m. Returns its length and points @kind to its counter; 0: no answer. */
static unsigned make_answer(struct responder *d, const uint8_t *frame, unsigned n_bytes,
			    struct rte_mbuf *m, _Atomic uint64_t **kind)
{
	uint8_t *answer = rte_pktmbuf_mtod(m, uint8_t *);
	struct ethernet l;
	unsigned n;

	if (!ethernet_read(&l, frame, n_bytes))
		return 0;
	*kind = &d->arp;
	n = arp_make_reply(d->a, &l, answer);
	if (n)
		return n;
	*kind = &d->nd;
	n = nd_make_advertisement(d->a, &l, answer);
	if (n)
		return n;
	*kind = &d->pings;
	return ping_make_reply(d->a, &l, answer, rte_pktmbuf_tailroom(m));
}

bool responder_take_frame(struct responder *d, const uint8_t *frame, unsigned n_bytes)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(d->pool);
	_Atomic uint64_t *kind = NULL;
	unsigned n;

	if (!m) {
		atomic_fetch_add_explicit(&d->dropped, 1, memory_order_relaxed);
		return false;
	}
	n = make_answer(d, frame, n_bytes, m, &kind);
	m->data_len = (uint16_t)n;
	m->pkt_len = n;
	if (!n || rte_ring_enqueue(d->ring, m)) {
		rte_pktmbuf_free(m);
		if (n)
			kind = &d->dropped;
	}
	if (n)
		atomic_fetch_add_explicit(kind, 1, memory_order_relaxed);
	return n > 0;
}

unsigned responder_send(struct responder *d)
{
	struct rte_mbuf *m;
	unsigned n = 0;

	while (n < N_ANSWERS && !rte_ring_dequeue(d->ring, (void **)&m)) {
		const bool is_sent = rte_eth_tx_burst(d->port, 0, &m, 1) == 1;

		if (!is_sent)
			rte_pktmbuf_free(m);
		atomic_fetch_add_explicit(is_sent ? &d->sent : &d->dropped, 1,
					  memory_order_relaxed);
		n++;
	}
	return n;
}

/* ---- gateways -------------------------------------------------------------------- */

static void send_request(struct responder *d, const struct gateway *g)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(d->pool);
	uint8_t *request;
	unsigned n;

	if (!m)
		return;
	request = rte_pktmbuf_mtod(m, uint8_t *);
	n = g->ip.n_bytes == IP4_BYTES ? arp_make_request(d->a, &g->ip, request)
				       : nd_make_solicitation(d->a, &g->ip, request);
	m->data_len = (uint16_t)n;
	m->pkt_len = n;
	if (!rte_eth_tx_burst(d->port, 0, &m, 1))
		rte_pktmbuf_free(m);
}

void responder_ask(struct responder *d)
{
	for (unsigned i = 0; i < d->a->n_gateways; i++) {
		if (!d->a->gateways[i].is_resolved)
			send_request(d, &d->a->gateways[i]);
	}
}

bool responder_take_reply(struct addresses *a, const uint8_t *frame, unsigned n_bytes)
{
	struct ethernet l;

	if (!ethernet_read(&l, frame, n_bytes))
		return false;
	for (unsigned i = 0; i < a->n_gateways; i++) {
		struct gateway *g = &a->gateways[i];

		if (g->is_resolved)
			continue;
		g->is_resolved = g->ip.n_bytes == IP4_BYTES
					 ? arp_read_reply(a, &l, &g->ip, g->mac)
					 : nd_read_advertisement(a, &l, &g->ip, g->mac);
		if (g->is_resolved)
			return true;
	}
	return false;
}
