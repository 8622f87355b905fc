/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/tx_ring.h"
#include "hasty_device.h"

/*
 * A CQE completes its WQE and all earlier ones. The test reads from the WQEs which mbufs these are.
 * It expects the burst that takes the CQE to free all of them, and no other one. A packet that its
 * WQE contains has no mbuf any more once it is posted.
 */

enum { RING = 64, N_MARKS = 256, N_ROUNDS = 400 };

/**
 * struct ct_fix_tx_free
 * @posted: mbufs that the driver took so far
 * @freed, @n_freed: mbufs that it had to free so far, and packets
 * @held: the mbufs, by number; NULL: the WQE contains the packet
 * @end: number of the first mbuf behind the WQE at a block
 */
FIXTURE(tx_free)
{
	struct port_rig rig;
	struct tx_ring ring;
	uint32_t posted, freed, n_freed;
	const struct rte_mbuf *held[N_MARKS];
	uint32_t end[N_MARKS];
};
FIXTURE_SETUP(tx_free)
{
	port_rig_probe(&self->rig);
	NEEDS_EMU("to step the device");
}
FIXTURE_TEARDOWN(tx_free)
{
	port_rig_down(&self->rig);
}

/* Posts up to @n packets, and notes their mbufs and where each WQE ends. */
static void post_packets(struct ct_fix_tx_free *self, uint16_t n)
{
	struct tx_ring *ring = &self->ring;
	const struct devx_sq *sq = &ring->txq->sq;
	uint16_t block = sq->pi;
	uint32_t number = ring->posted, end = self->posted;

	n = tx_ring_post(ring, n);
	for (uint16_t i = 0; i < n; i++)
		for (const struct rte_mbuf *m = ring->m[i]; m; m = m->next)
			self->held[self->posted++ % N_MARKS] = m;
	while (block != sq->pi) {
		const uint8_t n_ds = prm_ctrl_ds(&devx_sq_get_wqebb(sq, block)->ctrl);

		for (uint32_t k = 0; k < tx_ring_count_packets(ring, block); k++) {
			if (tx_ring_is_copied(ring, block, k))
				self->held[end % N_MARKS] = NULL;
			end += tx_ring_count_segs(ring, number++);
		}
		self->end[block % N_MARKS] = end;
		block += prm_wqe_count_blocks(n_ds);
	}
	EXPECT_EQ(self->posted, end);
}

/* Returns how many mbufs the CQEs complete. */
static uint32_t read_cqes(const struct ct_fix_tx_free *self)
{
	struct devx_cq cq = self->ring.txq->cq;
	uint32_t end = self->freed;
	const struct prm_cqe *cqe;

	for (; (cqe = devx_cq_peek(&cq)); devx_cq_pop(&cq))
		end = self->end[prm_be16_get(cqe->wqe_counter) % N_MARKS];
	return end;
}

/* Counts up to @n packets before mbuf @end as freed. Returns their number. */
static uint32_t count_freed(struct ct_fix_tx_free *self, uint32_t end, uint32_t n)
{
	const uint32_t first = self->n_freed;

	while (self->freed != end && self->n_freed - first < n)
		self->freed += tx_ring_count_segs(&self->ring, self->n_freed++);
	return self->n_freed - first;
}

/* Returns whether mbuf @m is one that the driver must keep. */
static bool is_held(const struct ct_fix_tx_free *self, const void *m)
{
	for (uint32_t i = self->freed; i != self->posted; i++)
		if (self->held[i % N_MARKS] == m)
			return true;
	return false;
}

static unsigned int count_held(const struct ct_fix_tx_free *self)
{
	unsigned int n = 0;

	for (uint32_t i = self->freed; i != self->posted; i++)
		n += self->held[i % N_MARKS] != NULL;
	return n;
}

/* Expects the pool to have every mbuf once, except those that the driver must keep. */
static void expect_pool(struct ct_fix_tx_free *self)
{
	struct rte_mempool *pool = self->ring.pool;
	unsigned int n = 0, n_early = 0;
	void *m[TX_RING_POOL];

	mbuf_pool_expect(pool, TX_RING_POOL - count_held(self));
	while (n < TX_RING_POOL && !rte_mempool_get(pool, &m[n]))
		n_early += is_held(self, m[n++]);
	rte_mempool_put_bulk(pool, m, n);
	EXPECT_EQ(0, n_early);
}

/* Notes that the CQE of a NOP, if one was posted from @block on, completes all mbufs. */
static void note_nop(struct ct_fix_tx_free *self, uint16_t block)
{
	if (block != self->ring.txq->sq.pi)
		self->end[block % N_MARKS] = self->posted;
}

/* Sends a burst of no packet, which takes all CQEs; the device overwrites each released CQE. */
static void poll_cq(struct ct_fix_tx_free *self)
{
	struct tx_ring *ring = &self->ring;
	const uint16_t block = ring->txq->sq.pi;
	struct hasty_device device;

	if (write_trap_is_possible())
		hasty_device_begin_tx(&device, &ring->txq->cq, &ring->txq->sq);
	tx_ring_poll(ring);
	if (write_trap_is_possible())
		hasty_device_end(&device);
	note_nop(self, block);
}

/* Lets the paused device move @n packets, and frees those that it delivered. */
static void step_device(struct tx_ring *ring, unsigned int n)
{
	struct rte_mbuf *m[PORT_RIG_BURST];
	uint16_t got;

	ring->rig->emu->step(0, n);
	while ((got = rte_eth_rx_burst(ring->rig->port, 0, m, PORT_RIG_BURST))) {
		rte_pktmbuf_free_bulk(m, got);
		ring->received += got;
	}
}

TEST_F_EACH(tx_free, burst_frees_the_mbufs_of_completed_WQEs_and_no_other, struct tx_variant,
	    tx_variants)
{
	struct tx_ring *ring = &self->ring;

	tx_ring_open(ring, &self->rig, row, RING);
	self->rig.emu->pause();
	for (uint32_t round = 0; round < N_ROUNDS; round++) {
		SCOPED_TRACE("round %u", round);
		post_packets(self, (uint16_t)(1 + round * 7 % 20));
		step_device(ring, 1 + round * 5 % 30);
		count_freed(self, read_cqes(self), UINT32_MAX);
		poll_cq(self);
		expect_pool(self);
	}
	EXPECT_LT(4 * RING, self->freed);
	self->rig.emu->resume();
	tx_ring_receive(ring, ring->posted);
	tx_ring_close(ring);
}

/* A CQE stays in the CQ until all its packets are free; the next burst frees the others. */
TEST_F_EACH(tx_free, cleanup_frees_the_mbufs_of_as_many_packets_as_asked, struct tx_variant,
	    tx_variants)
{
	struct tx_ring *ring = &self->ring;

	tx_ring_open(ring, &self->rig, row, RING);
	self->rig.emu->pause();
	for (uint32_t round = 0; round < N_ROUNDS; round++) {
		const uint32_t completed = read_cqes(self), max = round % 6;
		const uint16_t block = ring->txq->sq.pi;

		SCOPED_TRACE("round %u", round);
		EXPECT_EQ(count_freed(self, completed, max ? max : UINT32_MAX),
			  rte_eth_tx_done_cleanup(self->rig.port, 0, max));
		note_nop(self, block);
		expect_pool(self);
		count_freed(self, completed, UINT32_MAX);
		post_packets(self, (uint16_t)(1 + round * 7 % 20));
		expect_pool(self);
		step_device(ring, 1 + round * 5 % 30);
	}
	EXPECT_LT(4 * RING, self->freed);
	self->rig.emu->resume();
	tx_ring_receive(ring, ring->posted);
	tx_ring_close(ring);
}
