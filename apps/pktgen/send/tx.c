/* SPDX-License-Identifier: BSD-3-Clause */
#include "send/tx.h"

#include <rte_ethdev.h>

#define ADD(counter, n)                                                                            \
	atomic_store_explicit(&(counter),                                                          \
			      atomic_load_explicit(&(counter), memory_order_relaxed) + (n),        \
			      memory_order_relaxed)

static void write_frame(struct rte_mempool *pool, void *flow, void *buffer, unsigned i)
{
	const struct flow *f = flow;
	struct rte_mbuf *m = buffer;

	(void)pool;
	(void)i;
	memcpy((uint8_t *)m->buf_addr + RTE_PKTMBUF_HEADROOM, f->frame, f->bytes);
}

void tx_fill_pool(struct rte_mempool *pool, const struct flow *flow)
{
	rte_mempool_obj_iter(pool, write_frame, (void *)(uintptr_t)flow);
}

/* Resets the fields of a buffer that a driver may have changed. Drivers do not change the frame. */
static inline uint8_t *reset_mbuf(struct rte_mbuf *m, uint32_t bytes)
{
	m->data_off = RTE_PKTMBUF_HEADROOM;
	m->ol_flags = 0;
	m->pkt_len = bytes;
	m->data_len = (uint16_t)bytes;
	return rte_pktmbuf_mtod(m, uint8_t *);
}

/* Returns how many frames of the next burst the count and the rate allow, and pays for them. */
static unsigned count_allowed(struct tx *tx, uint64_t given)
{
	const uint64_t left = tx->count - given;
	const unsigned most = left < PKTGEN_BURST ? (unsigned)left : PKTGEN_BURST;
	uint32_t cursor = tx->cursor;
	unsigned n = 0;

	if (tx->bucket.rate == 0)
		return most;
	for (; n < most; n++) {
		const uint32_t bytes =
			tx->capture ? tx->capture->frames[cursor].n_bytes : tx->flow->bytes;

		if (!bucket_take(&tx->bucket, bytes + PKTGEN_FCS_BYTES))
			break;
		if (tx->capture && ++cursor == tx->capture->n_frames)
			cursor = 0;
	}
	return n;
}

static void make_signed_frames(struct tx *tx, unsigned n, uint64_t given, uint32_t now_ns)
{
	const struct signer *s = &tx->flow->signer;

	for (unsigned i = 0; i < n; i++)
		sign_frame(s, reset_mbuf(tx->pending[i], s->bytes), given + i, now_ns);
}

static void copy_capture_frames(struct tx *tx, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct capture_frame *f = &tx->capture->frames[tx->cursor];

		memcpy(reset_mbuf(tx->pending[i], f->n_bytes), f->bytes, f->n_bytes);
		if (++tx->cursor == tx->capture->n_frames)
			tx->cursor = 0;
	}
}

static void finish_sending(struct tx *tx, uint64_t now)
{
	tx->end = now;
	atomic_store_explicit(&tx->done, true, memory_order_release);
}

static void set_blocked(struct tx *tx, bool is_blocked)
{
	atomic_store_explicit(&tx->blocked, is_blocked, memory_order_relaxed);
}

/* Makes the next burst. Returns the number of its frames; 0: none yet, or sending has ended. */
static unsigned make_burst(struct tx *tx, uint64_t now)
{
	const uint64_t given = atomic_load_explicit(&tx->given, memory_order_relaxed);
	unsigned n;

	if (given == tx->count || now >= tx->until ||
	    atomic_load_explicit(&tx->stop, memory_order_relaxed)) {
		finish_sending(tx, now);
		return 0;
	}
	if (tx->bucket.rate)
		bucket_fill(&tx->bucket, now);
	/* Frames that the rate allowed last time, but that found no buffer, stay allowed. */
	if (!tx->n_allowed)
		tx->n_allowed = count_allowed(tx, given);
	n = tx->n_allowed;
	if (!n)
		return 0;
	if (rte_mempool_get_bulk(tx->pool, (void **)tx->pending, n)) {
		set_blocked(tx, true);
		return 0;
	}
	tx->n_allowed = 0;
	if (tx->capture)
		copy_capture_frames(tx, n);
	else
		make_signed_frames(tx, n, given, (uint32_t)run_clock_to_ns(tx->clock, now));
	/* Before rte_eth_tx_burst(): the receiver treats a number from @given on as foreign. */
	atomic_store_explicit(&tx->given, given + n, memory_order_release);
	tx->n_pending = n;
	tx->first_pending = 0;
	return n;
}

/* Returns the bytes of the next @n frames that the port took, FCS included. */
static uint64_t count_taken_bytes(struct tx *tx, unsigned n)
{
	uint64_t bytes = 0;

	if (!tx->capture)
		return (uint64_t)n * (tx->flow->bytes + PKTGEN_FCS_BYTES);
	for (; n; n--) {
		bytes += tx->capture->frames[tx->taken_cursor].n_bytes + PKTGEN_FCS_BYTES;
		if (++tx->taken_cursor == tx->capture->n_frames)
			tx->taken_cursor = 0;
	}
	return bytes;
}

unsigned tx_poll(struct tx *tx)
{
	const uint64_t start = rte_rdtsc();
	uint64_t made, end;
	unsigned n;

	if (atomic_load_explicit(&tx->done, memory_order_relaxed))
		return 0;
	if (!tx->n_pending && !make_burst(tx, start))
		return 0;
	if (atomic_load_explicit(&tx->stop, memory_order_relaxed)) {
		finish_sending(tx, start);
		return 0;
	}
	made = rte_rdtsc();
	n = rte_eth_tx_burst(tx->port, tx->queue, tx->pending + tx->first_pending,
			     (uint16_t)tx->n_pending);
	end = rte_rdtsc();
	tx->make_cycles += made - start;
	tx->send_cycles += end - made;
	tx->first_pending += n;
	tx->n_pending -= n;
	ADD(tx->sent, n);
	ADD(tx->bytes, count_taken_bytes(tx, n));
	set_blocked(tx, tx->n_pending != 0);
	return n;
}

void tx_close(struct tx *tx)
{
	if (tx->n_pending)
		rte_pktmbuf_free_bulk(tx->pending + tx->first_pending, tx->n_pending);
	tx->n_pending = 0;
}
