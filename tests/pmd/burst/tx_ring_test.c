/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "burst/tx_ring.h"
#include "emu_frames.h"

/*
 * Every send function on a device that the test steps packet by packet: full rings, late CQEs,
 * pools without mbufs, and errors at every packet. tx_run_test.c has bursts of every size.
 */

enum { RING = 64, LARGE_RING = 256, N_PARTS = 3, N_POSTED = 12 };

FIXTURE(tx_ring)
{
	struct port_rig rig;
	struct tx_ring ring;
};
FIXTURE_SETUP(tx_ring)
{
	port_rig_probe(&self->rig);
	NEEDS_EMU("to step the device");
}
FIXTURE_TEARDOWN(tx_ring)
{
	port_rig_down(&self->rig);
}

/* Lets the paused device send until @n frames have left since @from. False: they did not. */
static bool step_frames(const struct tx_ring *ring, const struct devx_emu_counters *from,
			uint64_t n)
{
	for (unsigned int i = 0; i < 10000; i++) {
		const struct devx_emu_counters now = port_rig_get_counters(ring->rig);

		if (emu_frames_sent(from, &now) == n)
			return true;
		ring->rig->emu->step(0, 1);
	}
	ADD_FAILURE("the device did not send %u frames", (unsigned int)n);
	return false;
}

/* ---- full ring ------------------------------------------------------------------------------ */

/* Returns how many of the next packets have room: a ring has room for n_elts segments. */
static uint32_t count_room(const struct tx_ring *ring)
{
	uint32_t room = ring->txq->n_elts - tx_ring_count_used(ring), n = 0;

	while (room >= tx_ring_count_segs(ring, ring->posted + n))
		room -= tx_ring_count_segs(ring, ring->posted + n++);
	return n;
}

/* Sends bursts until one is not taken whole, and expects the ring to take what fits. */
static void fill_ring(struct tx_ring *ring, uint16_t burst)
{
	const uint32_t first = ring->posted;
	uint32_t room;

	tx_ring_poll(ring);
	room = count_room(ring);
	while (tx_ring_post(ring, burst) == burst)
		burst = burst % 40 + 1;
	EXPECT_EQ(room, ring->posted - first);
	EXPECT_EQ(0, tx_ring_post(ring, 1));
}

TEST_F_EACH(tx_ring, full_ring_takes_what_fits_at_every_offset, struct tx_variant, tx_variants)
{
	struct tx_ring *ring = &self->ring;

	tx_ring_open(ring, &self->rig, row, RING);
	for (uint64_t seen = 0; seen != UINT64_MAX;) {
		const uint16_t at = ring->txq->sq.pi & (RING - 1);

		SCOPED_TRACE("ring filled from block %u on", at);
		if (seen >> at & 1) {
			tx_ring_exchange(ring, 1);
			continue;
		}
		seen |= 1ull << at;
		self->rig.emu->pause();
		fill_ring(ring, 1 + at * 7 % 40);
		self->rig.emu->resume();
		tx_ring_receive(ring, ring->posted);
	}
	tx_ring_close(ring);
	EXPECT_EQ(ring->posted, port_rig_get_xstat(&self->rig, "tx_good_packets"));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_errors"));
}

/* ---- late CQEs ------------------------------------------------------------------------------ */

static uint32_t count_segs(const struct tx_ring *ring, uint32_t from, uint32_t to)
{
	uint32_t n = 0;

	for (; from != to; from++)
		n += tx_ring_count_segs(ring, from);
	return n;
}

/*
 * Expects the ring to have all segments that the device has not sent; if it has sent all, the ring
 * has less than comp_every segments.
 */
static void expect_used(struct tx_ring *ring, uint32_t sent)
{
	const uint32_t unsent = count_segs(ring, sent, ring->posted);
	uint32_t used;

	tx_ring_poll(ring);
	used = tx_ring_count_used(ring);
	EXPECT_LE(unsent, used);
	if (!unsent)
		EXPECT_GT(ring->txq->comp_every, used);
}

TEST_F_EACH(tx_ring, mbufs_return_after_their_packets_one_by_one, struct tx_variant, tx_variants)
{
	struct tx_ring *ring = &self->ring;
	struct devx_emu_counters from;
	uint32_t lap = 0;

	tx_ring_open(ring, &self->rig, row, RING);
	from = port_rig_get_counters(&self->rig);
	self->rig.emu->pause();
	for (uint32_t sent = 0; lap < 3; sent++) {
		fill_ring(ring, (uint16_t)(1 + sent % 7));
		if (sent % 50 == 49) { /* all at once */
			sent = ring->posted - 1;
			lap++;
		}
		ASSERT_TRUE(step_frames(ring, &from, sent + 1));
		SCOPED_TRACE("%u packets sent", sent + 1);
		expect_used(ring, sent + 1);
	}
	self->rig.emu->resume();
	tx_ring_receive(ring, ring->posted);
	tx_ring_close(ring);
}

/* ---- no mbufs ------------------------------------------------------------------------------- */

/* Posts as many segments as the pool has mbufs, or one less; the ring has room for more. */
static void post_all_mbufs(struct tx_ring *ring)
{
	uint16_t n;

	while ((n = (uint16_t)RTE_MIN(TX_RING_MAX, (TX_RING_POOL - tx_ring_count_used(ring)) / 2)))
		ASSERT_EQ(n, tx_ring_post(ring, n));
	while (tx_ring_count_used(ring) + 2 <= TX_RING_POOL)
		ASSERT_EQ(1, tx_ring_post(ring, 1));
}

TEST_F_EACH(tx_ring, cleanup_returns_mbufs_to_an_empty_pool, struct tx_variant, tx_variants)
{
	struct tx_ring *ring = &self->ring;
	const uint16_t port = self->rig.port;

	tx_ring_open(ring, &self->rig, row, LARGE_RING);
	for (unsigned int round = 0; round < 5; round++) {
		struct devx_emu_counters from;
		uint32_t posted, used;
		int n;

		self->rig.emu->pause();
		from = port_rig_get_counters(&self->rig);
		posted = ring->posted;
		post_all_mbufs(ring);
		used = tx_ring_count_used(ring);
		EXPECT_GE(used, TX_RING_POOL - 1);
		if (!round) /* later some CQEs of the round before are there */
			EXPECT_EQ(0, rte_eth_tx_done_cleanup(port, 0, 0));
		EXPECT_TRUE(step_frames(ring, &from, ring->posted - posted));
		self->rig.emu->resume();
		EXPECT_EQ(used, tx_ring_count_used(ring)); /* no burst has looked for CQEs */
		EXPECT_EQ(1, rte_eth_tx_done_cleanup(port, 0, 1));
		EXPECT_EQ(7, rte_eth_tx_done_cleanup(port, 0, 7));
		n = rte_eth_tx_done_cleanup(port, 0, 0);
		EXPECT_LT(TX_RING_POOL / 2 - ring->txq->comp_every, n);
		EXPECT_GT(ring->txq->comp_every, tx_ring_count_used(ring));
		tx_ring_receive(ring, ring->posted);
	}
	tx_ring_close(ring);
}

/* ---- errors --------------------------------------------------------------------------------- */

/** struct account - packets of a port: posted, and of these lost */
struct account {
	uint64_t opackets, lost, recoveries;
};

static struct account read_account(const struct tx_ring *ring)
{
	struct rte_eth_stats stats = { 0 };

	EXPECT_EQ(0, rte_eth_stats_get(ring->rig->port, &stats));
	return (struct account){ stats.opackets, port_rig_get_xstat(ring->rig, "tx_lost_packets"),
				 port_rig_get_xstat(ring->rig, "tx_recoveries") };
}

/* Returns how many packets the WQEs before the one with packet @at have; @block: the first WQE. */
static uint32_t count_before(const struct tx_ring *ring, uint16_t block, uint32_t at)
{
	uint32_t n = 0;

	for (;;) {
		const struct prm_ctrl_seg *ctrl = &devx_sq_get_wqebb(&ring->txq->sq, block)->ctrl;
		const uint8_t n_ds = prm_ctrl_ds(ctrl);
		const uint32_t k = tx_ring_count_packets(ring, block);

		if (n + k > at)
			return n;
		n += k;
		block += (uint16_t)prm_wqe_count_blocks(n_ds);
	}
}

/*
 * Destroys the memory key in the pointer to the first segment of packet @at, whose first mbuf is
 * @m. @block: the first WQE. Returns false if the WQE contains the packet.
 */
static bool spoil_key(const struct tx_ring *ring, uint16_t block, uint32_t at,
		      const struct rte_mbuf *m)
{
	const struct prm_ctrl_seg *ctrl;
	struct prm_data_seg *seg;
	uint32_t k;

	for (;;) {
		ctrl = &devx_sq_get_wqebb(&ring->txq->sq, block)->ctrl;
		k = tx_ring_count_packets(ring, block);
		if (at < k)
			break;
		at -= k;
		block += (uint16_t)prm_wqe_count_blocks(prm_ctrl_ds(ctrl));
	}
	if (tx_ring_is_copied(ring, block, at))
		return false;
	seg = tx_ring_get_entry(ring, block, at);
	if (prm_be64_get(seg->addr) != rte_pktmbuf_mtod(m, uint64_t))
		return false; /* the headers are in the WQE */
	seg->lkey = prm_be32_of(0);
	return true;
}

static bool has_recovered(const struct port_rig *rig, void *arg)
{
	const struct account *before = arg;

	rte_eth_tx_burst(rig->port, 0, NULL, 0); /* finds the error CQE */
	return port_rig_get_xstat(rig, "tx_recoveries") > before->recoveries;
}

/* Posts N_POSTED packets in N_PARTS bursts. Returns the first mbufs of all packets. */
static void post_parts(struct tx_ring *ring, const struct rte_mbuf *m[N_POSTED])
{
	static const uint16_t parts[N_PARTS] = { 4, 1, 7 };
	unsigned int k = 0;

	for (unsigned int i = 0; i < N_PARTS; i++) {
		ASSERT_EQ(parts[i], tx_ring_post(ring, parts[i]));
		memcpy(&m[k], ring->m, parts[i] * sizeof(m[0]));
		k += parts[i];
	}
}

/* Lets packet @at of N_POSTED fail: by its memory key, or because the queue fails before it. */
static void fail_packet(struct tx_ring *ring, uint32_t at, bool by_key)
{
	const struct account before = read_account(ring);
	const uint32_t first = ring->posted;
	const uint16_t block = ring->txq->sq.pi;
	const struct rte_mbuf *m[N_POSTED];
	struct devx_emu_counters from;
	struct account after;
	uint32_t sent;

	ring->rig->emu->pause();
	from = port_rig_get_counters(ring->rig);
	post_parts(ring, m);
	sent = count_before(ring, block, at);
	if (by_key && !spoil_key(ring, block, at, m[at])) {
		/* it is copied into its WQE, or the driver inserts tags there */
		EXPECT_TRUE(ring->txq->inline_max || !ring->txq->insert_type);
		by_key = false;
	}
	if (!by_key && step_frames(ring, &from, at))
		ring->rig->emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, ring->txq->sq.sqn);
	ring->rig->emu->resume();
	EXPECT_TRUE(port_rig_wait_until(has_recovered, ring->rig, (void *)&before));
	ring->rig->emu->reset_mistakes(); /* the wrong key */
	tx_ring_receive(ring, first + at);
	ring->received = ring->posted; /* the others are lost */
	after = read_account(ring);
	EXPECT_EQ(N_POSTED, after.opackets - before.opackets);
	EXPECT_EQ(N_POSTED - sent, after.lost - before.lost);
	EXPECT_EQ(0, tx_ring_count_used(ring));
	tx_ring_exchange(ring, 1); /* no other frame came before it */
}

TEST_F_EACH(tx_ring, error_at_any_packet_loses_its_WQE_and_all_later_ones, struct tx_variant,
	    tx_variants)
{
	struct tx_ring *ring = &self->ring;

	tx_ring_open(ring, &self->rig, row, RING);
	for (uint32_t i = 0; i < 2 * N_POSTED; i++) {
		SCOPED_TRACE("packet %u fails by its %s", i / 2, i & 1 ? "key" : "queue");
		fail_packet(ring, i / 2, i & 1);
	}
	for (unsigned int i = 0; i < 4; i++) { /* laps of the ring */
		self->rig.emu->pause();
		fill_ring(ring, 20);
		self->rig.emu->resume();
		tx_ring_receive(ring, ring->posted);
	}
	EXPECT_EQ(2 * N_POSTED, port_rig_get_xstat(&self->rig, "tx_recoveries"));
	tx_ring_close(ring);
}
