/* SPDX-License-Identifier: BSD-3-Clause */
#include "send/sender.h"

#include <errno.h>
#include <stdio.h>

#include <rte_ethdev.h>

#include "port/ports.h"
#include "send/tx.h"

static void write_frame(struct rte_mempool *pool, void *flow, void *buffer, unsigned i)
{
	const struct flow *f = flow;
	struct rte_mbuf *m = buffer;

	(void)pool;
	(void)i;
	flow_write_template(f, (uint8_t *)m->buf_addr + RTE_PKTMBUF_HEADROOM);
}

static inline bool has_offload(const struct tx *tx)
{
	return !tx->capture && tx->flow->offload.port;
}

/*
 * Requests the checksums that the port writes; some drivers also change frames here. Returns how
 * many of the @n frames the port accepts.
 */
static unsigned request_checksums(struct tx *tx, unsigned n)
{
	const struct offload *o = &tx->flow->offload;

	for (unsigned i = 0; i < n; i++) {
		struct rte_mbuf *m = tx->mbufs.made[i];

		m->ol_flags = o->mbuf;
		m->tx_offload = rte_mbuf_tx_offload(o->l2_bytes, o->l3_bytes, 0, 0, 0, 0, 0);
	}
	return rte_eth_tx_prepare(tx->port, tx->queue, tx->mbufs.made, (uint16_t)n);
}

/* Checks one frame of the flow: the port accepts all or none, as all have the same headers. */
static int check_checksums(struct tx *tx, char *why, size_t why_bytes)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(tx->mbufs.pool);
	int rc = 0;

	if (!m)
		return -ENOMEM;
	m->data_len = (uint16_t)tx->flow->bytes;
	m->pkt_len = tx->flow->bytes;
	flow_write_template(tx->flow, rte_pktmbuf_mtod(m, uint8_t *));
	tx->mbufs.made[0] = m;
	if (!request_checksums(tx, 1)) {
		rc = -rte_errno;
		snprintf(why, why_bytes,
			 "the port refuses to write its checksums: %s; give --checksums "
			 "software",
			 rte_strerror(rte_errno));
	}
	rte_pktmbuf_free(m);
	return rc;
}

/*
 * Creates the pool. If the frames differ only in their signature, fills all buffers with the frame,
 * and make_mbufs() only signs them. It writes other frames in full, and also those in a pool that
 * several streams share.
 */
static int prepare_mbufs(struct tx *tx, const struct port *port, const struct options *o, char *why,
			 size_t why_bytes)
{
	tx->mbufs.pool = tx->shared_pool;
	if (tx->mbufs.pool)
		return has_offload(tx) ? check_checksums(tx, why, why_bytes) : 0;
	tx->mbufs.pool = ports_create_tx_pool(
		port, tx->id, tx->capture ? tx->capture->max_bytes : tx->flow->bytes, o->tx_ring);
	if (!tx->mbufs.pool) {
		snprintf(why, why_bytes,
			 "no memory for its buffers; give EAL more memory (-- -m 1024)");
		return -ENOMEM;
	}
	if (!tx->capture && !tx->flow->sent_varies)
		rte_mempool_obj_iter(tx->mbufs.pool, write_frame, (void *)(uintptr_t)tx->flow);
	return has_offload(tx) ? check_checksums(tx, why, why_bytes) : 0;
}

/* Resets the fields of a buffer that a driver may have changed. No driver changes the frame. */
static inline uint8_t *reset_mbuf(struct rte_mbuf *m, uint32_t bytes)
{
	m->data_off = RTE_PKTMBUF_HEADROOM;
	m->ol_flags = 0;
	m->pkt_len = bytes;
	m->data_len = (uint16_t)bytes;
	return rte_pktmbuf_mtod(m, uint8_t *);
}

static void make_signed_frames(struct tx *tx, unsigned n, uint64_t first, uint32_t now_ns)
{
	const struct signer *s = &tx->flow->signer;

	for (unsigned i = 0; i < n; i++)
		sign_frame(s, reset_mbuf(tx->mbufs.made[i], s->bytes), first + i, now_ns);
}

/* Writes each frame in full, because its buffer may contain the signature of a shorter frame. */
static void write_varying_frames(struct tx *tx, unsigned n, uint64_t first, uint32_t now_ns)
{
	for (unsigned i = 0; i < n; i++) {
		const uint32_t bytes = flow_compute_bytes(tx->flow, first + i);

		flow_write_frame(tx->flow, first + i, bytes, now_ns,
				 reset_mbuf(tx->mbufs.made[i], bytes));
	}
}

static void copy_capture_frames(struct tx *tx, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct capture_frame *f = &tx->capture->frames[tx->cursor];

		memcpy(reset_mbuf(tx->mbufs.made[i], f->n_bytes), f->bytes, f->n_bytes);
		if (++tx->cursor == tx->capture->n_frames)
			tx->cursor = 0;
	}
}

static unsigned make_mbufs(struct tx *tx, unsigned n, uint64_t first, uint64_t now)
{
	const uint32_t now_ns = (uint32_t)run_clock_to_ns(tx->clock, now);

	if (rte_mempool_get_bulk(tx->mbufs.pool, (void **)tx->mbufs.made, n))
		return 0;
	if (tx->capture)
		copy_capture_frames(tx, n);
	else if (tx->flow->sent_varies || tx->shared_pool)
		write_varying_frames(tx, n, first, now_ns);
	else
		make_signed_frames(tx, n, first, now_ns);
	if (has_offload(tx)) {
		const unsigned n_accepted = request_checksums(tx, n);

		rte_pktmbuf_free_bulk(tx->mbufs.made + n_accepted, n - n_accepted);
		n = n_accepted;
	}
	tx->mbufs.next = 0;
	return n;
}

static unsigned send_mbufs(struct tx *tx)
{
	const unsigned n = rte_eth_tx_burst(tx->port, tx->queue, tx->mbufs.made + tx->mbufs.next,
					    (uint16_t)tx->n_pending);

	tx->mbufs.next += n;
	return n;
}

static void finish_mbufs(struct tx *tx)
{
	if (tx->n_pending)
		rte_pktmbuf_free_bulk(tx->mbufs.made + tx->mbufs.next, tx->n_pending);
}

static void release_mbufs(struct tx *tx)
{
	if (!tx->shared_pool)
		rte_mempool_free(tx->mbufs.pool);
	tx->mbufs.pool = NULL;
}

const struct sender sender_mbuf = {
	.name = "mbuf",
	.prepare = prepare_mbufs,
	.make = make_mbufs,
	.send = send_mbufs,
	.finish = finish_mbufs,
	.release = release_mbufs,
};
