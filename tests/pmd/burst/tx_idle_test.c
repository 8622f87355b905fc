/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "burst/devx_desc_status.h"
#include "burst/tx_ring.h"

/*
 * Only one of several WQEs requests a CQE. A burst of 0 packets and rte_eth_tx_done_cleanup() post
 * a NOP that requests one for the packets behind it, so an application gets back every mbuf.
 */

FIXTURE(tx_idle)
{
	struct port_rig rig;
	struct tx_ring ring;
	uint16_t n_desc;
};
FIXTURE_SETUP(tx_idle)
{
	port_rig_probe(&self->rig);
	NEEDS_EMU("to step the device");
}
FIXTURE_TEARDOWN(tx_idle)
{
	port_rig_down(&self->rig);
}

/* Opens the ring of @variant with the paused device. */
static void open_ring(struct ct_fix_tx_idle *self, const struct tx_variant *variant,
		      uint16_t n_desc)
{
	tx_ring_open(&self->ring, &self->rig, variant, n_desc);
	self->n_desc = n_desc;
	self->rig.emu->pause();
}

static void close_ring(struct ct_fix_tx_idle *self)
{
	self->rig.emu->resume();
	tx_ring_receive(&self->ring, self->ring.posted);
	tx_ring_close(&self->ring);
}

/* Lets the paused device execute all that is posted. Frees the packets that it delivered. */
static void step_device(struct tx_ring *ring)
{
	struct rte_mbuf *m[PORT_RIG_BURST];
	uint16_t n;

	while (ring->rig->emu->step(0, 1) > 0)
		while ((n = rte_eth_rx_burst(ring->rig->port, 0, m, PORT_RIG_BURST))) {
			rte_pktmbuf_free_bulk(m, n);
			ring->received += n;
		}
}

static uint32_t count_segs(const struct tx_ring *ring, uint32_t from, uint32_t end)
{
	uint32_t n = 0;

	while (from != end)
		n += tx_ring_count_segs(ring, from++);
	return n;
}

static bool is_nop(const struct tx_ring *ring, uint16_t block)
{
	return prm_ctrl_opcode(&devx_sq_get_wqebb(&ring->txq->sq, block)->ctrl) == PRM_WQE_NOP;
}

/* The calls that post a NOP. */
static void poll_by_burst(struct tx_ring *ring)
{
	tx_ring_poll(ring);
}
static void poll_by_cleanup(struct tx_ring *ring)
{
	EXPECT_LE(0, rte_eth_tx_done_cleanup(ring->rig->port, 0, 0));
}
static void (*const polls[])(struct tx_ring *) = { poll_by_burst, poll_by_cleanup };

/* Expects the call to post @n NOPs. */
static void expect_nops(struct tx_ring *ring, void (*poll)(struct tx_ring *), unsigned int n)
{
	const uint16_t pi = ring->txq->sq.pi;

	poll(ring);
	EXPECT_EQ(n, (uint16_t)(ring->txq->sq.pi - pi));
	if (n)
		EXPECT_TRUE(is_nop(ring, pi));
}

TEST_F_EACH(tx_idle, one_NOP_at_a_time_completes_the_last_packets, struct tx_variant, tx_variants)
{
	struct tx_ring *ring = &self->ring;

	open_ring(self, row, PORT_RIG_RING);
	for (unsigned int i = 0; i < 200; i++) {
		void (*const poll)(struct tx_ring *) = polls[i % RTE_DIM(polls)];

		SCOPED_TRACE("round %u", i);
		expect_nops(ring, poll, 0); /* nothing to complete */
		tx_ring_post(ring, (uint16_t)(1 + i % 20));
		expect_nops(ring, poll, 1);
		expect_nops(ring, poll, 0); /* the first one is pending */
		tx_ring_post(ring, 1);
		expect_nops(ring, poll, 0);
		step_device(ring);
		expect_nops(ring, poll, 1); /* for the packet behind the first NOP */
		EXPECT_EQ(count_segs(ring, ring->posted - 1, ring->posted),
			  tx_ring_count_used(ring));
		step_device(ring);
		expect_nops(ring, poll, 0);
		EXPECT_EQ(0, tx_ring_count_used(ring));
	}
	close_ring(self);
}

TEST_F_EACH(tx_idle, no_NOP_joins_a_requested_CQE, struct tx_variant, tx_variants)
{
	struct tx_ring *ring = &self->ring;

	open_ring(self, row, PORT_RIG_RING);
	for (unsigned int i = 0; i < RTE_DIM(polls); i++) {
		const uint16_t comp = ring->txq->comp;

		for (unsigned int k = 0; ring->txq->comp == comp && k < PORT_RIG_RING; k++)
			tx_ring_post(ring, 1);
		ASSERT_NE(comp, ring->txq->comp);
		tx_ring_post(ring, 3);
		expect_nops(ring, polls[i], 0);
		step_device(ring);
		expect_nops(ring, polls[i], 1);
		EXPECT_EQ(count_segs(ring, ring->posted - 3, ring->posted),
			  tx_ring_count_used(ring));
		step_device(ring);
		expect_nops(ring, polls[i], 0);
		EXPECT_EQ(0, tx_ring_count_used(ring));
	}
	close_ring(self);
}

/* A cleanup that frees as many packets as requested leaves the CQE of the others in the CQ. */
TEST_F(tx_idle, cleanup_with_a_limit_frees_all_packets_in_steps)
{
	struct tx_ring *ring = &self->ring;

	open_ring(self, &tx_variants[0], PORT_RIG_RING);
	ASSERT_EQ(5, tx_ring_post(ring, 5));
	EXPECT_EQ(0, rte_eth_tx_done_cleanup(self->rig.port, 0, 2));
	step_device(ring);
	EXPECT_EQ(2, rte_eth_tx_done_cleanup(self->rig.port, 0, 2));
	EXPECT_EQ(2, rte_eth_tx_done_cleanup(self->rig.port, 0, 2));
	EXPECT_EQ(1, rte_eth_tx_done_cleanup(self->rig.port, 0, 2));
	ASSERT_EQ(1, tx_ring_post(ring, 1));
	EXPECT_EQ(0, rte_eth_tx_done_cleanup(self->rig.port, 0, 1));
	step_device(ring);
	EXPECT_EQ(1, rte_eth_tx_done_cleanup(self->rig.port, 0, 1));
	EXPECT_EQ(0, tx_ring_count_used(ring));
	close_ring(self);
}

/* Posts single packets until the ring takes none. Returns the segments that it holds. */
static uint32_t fill_ring(struct tx_ring *ring)
{
	while (tx_ring_post(ring, 1))
		;
	return tx_ring_count_used(ring);
}

/* The NOP takes a block and no mbuf. A packet of one block must not replace a pending WQE. */
TEST_F_EACH(tx_idle, pending_NOP_takes_the_place_of_one_segment, struct tx_variant, tx_variants)
{
	enum { RING = 64 };
	struct tx_ring *ring = &self->ring;

	open_ring(self, row, RING);
	for (unsigned int lap = 0; lap < 5; lap++) {
		uint32_t full;

		SCOPED_TRACE("lap %u", lap);
		tx_ring_post(ring, (uint16_t)(1 + lap));
		expect_nops(ring, polls[lap % RTE_DIM(polls)], 1);
		full = fill_ring(ring);
		EXPECT_LE(full, RING - 1);
		EXPECT_LE(RING - 2, full); /* the next packet may have two segments */
		EXPECT_LE((uint16_t)(ring->txq->sq.pi - ring->txq->done), ring->txq->elts_mask + 1);
		tx_ring_poll(ring); /* the ring is full, and CQEs are pending */
		self->rig.emu->resume();
		tx_ring_receive(ring, ring->posted);
		self->rig.emu->pause();
		for (unsigned int i = 0; i < RING && tx_ring_count_used(ring); i++) {
			tx_ring_poll(ring);
			step_device(ring);
		}
		EXPECT_EQ(0, tx_ring_count_used(ring));
		tx_ring_poll(ring);
		EXPECT_EQ(RING, ring->txq->n_elts);
	}
	close_ring(self);
}

TEST_F(tx_idle, descriptors_of_the_queue_stay_beside_a_NOP)
{
	struct rte_eth_txq_info info;
	struct tx_ring *ring = &self->ring;

	open_ring(self, &tx_variants[0], 64);
	ASSERT_EQ(1, tx_ring_post(ring, 1));
	tx_ring_poll(ring);
	ASSERT_EQ(0, rte_eth_tx_queue_info_get(self->rig.port, 0, &info));
	EXPECT_EQ(64, info.nb_desc);
	EXPECT_EQ(RTE_ETH_TX_DESC_FULL, rte_eth_tx_descriptor_status(self->rig.port, 0, 63));
	EXPECT_EQ(-EINVAL, rte_eth_tx_descriptor_status(self->rig.port, 0, 64));
	EXPECT_EQ(1, devx_eth_tx_queue_count(ring->txq));
	step_device(ring);
	tx_ring_poll(ring);
	EXPECT_EQ(RTE_ETH_TX_DESC_DONE, rte_eth_tx_descriptor_status(self->rig.port, 0, 63));
	close_ring(self);
}

/* ---- small pools -------------------------------------------------------------------------- */

/** struct small_pool - number of mbufs that an application has for sending */
static const struct small_pool {
	const char *name;
	unsigned int n;
} small_pools[] = { { "1", 1 }, { "31", 31 }, { "40", 40 }, { "63", 63 } };

/* Returns whether the pool has an mbuf again after the call. */
static bool call_has_freed(const struct port_rig *rig, void *arg)
{
	if (arg)
		rte_eth_tx_done_cleanup(rig->port, 0, 0);
	else
		rte_eth_tx_burst(rig->port, 0, NULL, 0);
	return rte_mempool_avail_count(rig->pool);
}

static bool has_freed_all(const struct port_rig *rig, void *ring)
{
	tx_ring_poll(ring);
	return rte_mempool_full(rig->pool);
}

/* Sends @n packets one at a time from the pool of @sender; calls cleanup only when it is empty. */
static void send_from_pool(const struct port_rig *sender, struct tx_ring *ring, uint32_t n,
			   bool cleanup)
{
	const struct port_rig *rig = ring->rig;

	for (uint32_t i = 0; i < n; i++) {
		struct rte_mbuf *m = port_rig_make_packet(sender, 64, i);

		if (!m) {
			ASSERT_TRUE(
				port_rig_wait_until(call_has_freed, sender, cleanup ? ring : NULL));
			m = port_rig_make_packet(sender, 64, i);
		}
		ASSERT_EQ(1, rte_eth_tx_burst(rig->port, 0, &m, 1));
		ASSERT_EQ(1, port_rig_receive(rig, &m, 1));
		port_rig_expect_packet(rig, m, 64, i);
		rte_pktmbuf_free(m);
	}
}

TEST_F_EACH(tx_idle, sender_with_few_mbufs_never_sticks, struct tx_variant, tx_variants)
{
	struct tx_ring *ring = &self->ring;

	tx_ring_open(ring, &self->rig, row, PORT_RIG_RING);
	for (unsigned int i = 0; i < 2 * RTE_DIM(small_pools); i++) {
		const struct small_pool *small = &small_pools[i / 2];
		struct port_rig sender = self->rig;

		SCOPED_TRACE("%s mbufs", small->name);
		sender.pool = rte_pktmbuf_pool_create("small", small->n, 0, 0,
						      RTE_MBUF_DEFAULT_BUF_SIZE, 0);
		ASSERT_NE(NULL, sender.pool);
		send_from_pool(&sender, ring, 3 * small->n + 70, i % 2);
		EXPECT_TRUE(port_rig_wait_until(has_freed_all, &sender, ring));
		mbuf_pool_free(sender.pool);
	}
	tx_ring_close(ring);
}
