/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "burst/tx_ring.h"
#include "devx_generator.h"
#include "devx_rxq.h"
#include "emu_frames.h"
#include "rte_pmd_devx.h"

/*
 * Queues that break while their rings are full, three times in a row. Their CQs must have room for
 * the CQEs of a whole ring and of the error, and each reset must leave nothing behind.
 */

enum { RING = 64, N_BREAKS = 3 };

FIXTURE(full_ring)
{
	struct port_rig rig;
	struct tx_ring ring;
};
FIXTURE_SETUP(full_ring)
{
	port_rig_probe(&self->rig);
	NEEDS_EMU("to step the device");
}
FIXTURE_TEARDOWN(full_ring)
{
	port_rig_down(&self->rig);
}

/** struct counts - counters of the send queues of a port */
struct counts {
	uint64_t packets, lost, wqe_errors, cq_errors, recoveries;
};

static struct counts read_counts(const struct port_rig *rig)
{
	struct rte_eth_stats stats = { 0 };

	EXPECT_EQ(0, rte_eth_stats_get(rig->port, &stats));
	return (struct counts){
		.packets = stats.opackets,
		.lost = port_rig_get_xstat(rig, "tx_lost_packets"),
		.wqe_errors = port_rig_get_xstat(rig, "tx_wqe_errors"),
		.cq_errors = port_rig_get_xstat(rig, "tx_cq_errors"),
		.recoveries = port_rig_get_xstat(rig, "tx_recoveries"),
	};
}

/* Expects one recovery after an error CQE, and a fate for each of @n packets. */
static void expect_one_recovery(const struct counts *a, const struct counts *b, uint64_t n)
{
	EXPECT_EQ(a->recoveries + 1, b->recoveries);
	EXPECT_EQ(a->wqe_errors + 1, b->wqe_errors);
	EXPECT_EQ(a->cq_errors, b->cq_errors);
	EXPECT_EQ(n, b->packets - a->packets);
	EXPECT_GE(n, b->lost - a->lost);
}

/* Expects a CQ without unread CQEs, of which the device knows. */
static void expect_drained(const struct devx_cq *cq)
{
	EXPECT_EQ(NULL, devx_cq_peek(cq));
	EXPECT_EQ(cq->ci & PRM_CQ_CI_MASK, prm_be32_get(cq->dbrec[PRM_DBR_CQ_CI]));
}

/* Lets the paused device send at least @n frames. */
static void step_frames(const struct port_rig *rig, uint64_t n)
{
	const struct devx_emu_counters from = port_rig_get_counters(rig);
	struct devx_emu_counters now = from;

	for (unsigned int i = 0; i < 10000 && emu_frames_sent(&from, &now) < n; i++) {
		rig->emu->step(0, 1);
		now = port_rig_get_counters(rig);
	}
	EXPECT_EQ(n, emu_frames_sent(&from, &now));
}

/* ---- send queues ------------------------------------------------------------------------- */

/* Posts packets until the ring takes none. Returns how many it took. */
static uint32_t fill_ring(struct tx_ring *ring)
{
	const uint32_t first = ring->posted;

	while (tx_ring_post(ring, 20) == 20)
		;
	while (tx_ring_post(ring, 1))
		;
	return ring->posted - first;
}

static bool has_recovered(const struct port_rig *rig, void *recoveries)
{
	const struct devx_eth_txq *txq = rte_eth_devices[rig->port].data->tx_queues[0];

	rte_eth_tx_burst(rig->port, 0, NULL, 0); /* finds the error CQE */
	return port_rig_get_xstat(rig, "tx_recoveries") > *(uint64_t *)recoveries &&
	       __atomic_load_n(&txq->owner, __ATOMIC_ACQUIRE) == DEVX_ETH_RUNNING;
}

static void expect_empty(const struct tx_ring *ring)
{
	const struct devx_eth_txq *txq = ring->txq;

	EXPECT_EQ(0, tx_ring_count_used(ring));
	EXPECT_EQ(0, txq->head | txq->tail | txq->comp | txq->done | txq->comp_block);
	EXPECT_EQ(0, txq->sq.pi);
	expect_drained(&txq->cq);
}

/* Fills the ring, and makes the queue fail after @n packets. */
static void break_full_ring(struct tx_ring *ring, uint32_t n)
{
	const struct port_rig *rig = ring->rig;
	const uint32_t first = ring->posted;
	struct counts before = read_counts(rig), after;
	uint32_t posted;

	rig->emu->pause();
	posted = fill_ring(ring);
	ASSERT_LT(n, posted);
	step_frames(rig, n);
	EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, ring->txq->sq.sqn));
	rig->emu->resume();
	ASSERT_TRUE(port_rig_wait_until(has_recovered, rig, &before.recoveries));
	after = read_counts(rig);
	expect_one_recovery(&before, &after, posted);
	EXPECT_LE(posted - n, after.lost - before.lost);
	expect_empty(ring);
	tx_ring_receive(ring, first + n);
	ring->received = ring->posted; /* the others are lost */
}

TEST_F_EACH(full_ring, send_queue_breaks_three_times_in_a_row, struct tx_variant, tx_variants)
{
	static const uint32_t sent[N_BREAKS] = { 0, 30, 7 };
	struct tx_ring *ring = &self->ring;

	tx_ring_open(ring, &self->rig, row, RING);
	tx_ring_exchange(ring, RING / 2 + 1);
	for (uint32_t round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < N_BREAKS; i++) {
			SCOPED_TRACE("round %u, break %u", round, i);
			break_full_ring(ring, sent[i]);
		}
		for (uint32_t lap = 0; lap < 3; lap++) {
			self->rig.emu->pause();
			fill_ring(ring);
			self->rig.emu->resume();
			tx_ring_receive(ring, ring->posted);
			tx_ring_poll(ring);
			EXPECT_GT(ring->txq->comp_every, tx_ring_count_used(ring));
		}
	}
	EXPECT_EQ(2 * N_BREAKS, port_rig_get_xstat(&self->rig, "tx_recoveries"));
	tx_ring_close(ring);
}

/* ---- generator ring ---------------------------------------------------------------------- */

static bool has_ring_recovered(const struct port_rig *rig, void *ring)
{
	const struct rte_pmd_devx_ring *r = ring;

	rte_pmd_devx_ring_send(ring, NULL, 0);
	return __atomic_load_n(&r->owner, __ATOMIC_ACQUIRE) == DEVX_ETH_RUNNING &&
	       r->n.recoveries > port_rig_get_xstat(rig, "tx_wqe_errors") - 1;
}

/* Sends packets until the ring takes none. Returns how many it took. */
static uint32_t fill_generator(struct rte_pmd_devx_ring *r)
{
	uint32_t n = 0;
	uint16_t took;

	while ((took = rte_pmd_devx_ring_send(r, NULL, 5)))
		n += took;
	return n;
}

static void drop_frames(const struct port_rig *rig, uint32_t left)
{
	struct rte_mbuf *m[PORT_RIG_BURST];

	while (left) {
		const uint16_t n = port_rig_receive(rig, m, RTE_MIN(left, PORT_RIG_BURST));

		ASSERT_LT(0, n);
		rte_pktmbuf_free_bulk(m, n);
		left -= n;
	}
}

static void break_full_generator(struct port_rig *rig, struct rte_pmd_devx_ring *r, uint32_t n)
{
	const struct counts before = read_counts(rig);
	struct counts after;
	uint32_t posted;

	rig->emu->pause();
	posted = fill_generator(r);
	ASSERT_LT(n, posted);
	step_frames(rig, n);
	EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, r->sq.sqn));
	rig->emu->resume();
	ASSERT_TRUE(port_rig_wait_until(has_ring_recovered, rig, r));
	after = read_counts(rig);
	expect_one_recovery(&before, &after, posted);
	EXPECT_LE(posted - n, after.lost - before.lost);
	EXPECT_EQ(0, devx_eth_generator_count_used(r));
	expect_drained(&r->cq);
	drop_frames(rig, n);
}

TEST_F(full_ring, generator_ring_breaks_three_times_in_a_row)
{
	static const uint32_t sent[N_BREAKS] = { 0, 10, 17 };
	struct port_rig *rig = &self->rig;
	const struct port_rig_config config = { 0 };
	struct rte_mbuf *m;
	struct rte_pmd_devx_ring *r;
	struct rte_eth_stats stats;

	ASSERT_EQ(0, port_rig_configure(rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	m = port_rig_make_packet(rig, 60, 0);
	ASSERT_EQ(0, rte_pmd_devx_ring_create(
			     rig->port,
			     &(struct rte_pmd_devx_ring_conf){ .frame = rte_pktmbuf_mtod(m, void *),
							       .frame_bytes = 60,
							       .n_packets = 28 },
			     &r));
	rte_pktmbuf_free(m);
	for (uint32_t i = 0; i < N_BREAKS; i++) {
		SCOPED_TRACE("break %u", i);
		break_full_generator(rig, r, sent[i]);
	}
	for (uint32_t lap = 0; lap < 3; lap++) {
		uint32_t n;

		rig->emu->pause();
		n = fill_generator(r);
		EXPECT_LE(28, n);
		rig->emu->resume();
		drop_frames(rig, n);
	}
	EXPECT_EQ(N_BREAKS, port_rig_get_xstat(rig, "tx_recoveries"));
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, rte_eth_stats_get(rig->port, &stats));
	rig->n_generated = stats.opackets;
	rig->generated_bytes = stats.obytes;
	rte_pmd_devx_ring_destroy(r);
}

/* ---- receive queue ----------------------------------------------------------------------- */

static bool has_arrived(const struct port_rig *rig, void *until)
{
	return port_rig_get_counters(rig).rx_uc_packets == *(uint64_t *)until;
}

static bool has_rx_recovered(const struct port_rig *rig, void *recoveries)
{
	const struct devx_eth_rxq *rxq = rte_eth_devices[rig->port].data->rx_queues[0];
	struct rte_mbuf *m;

	if (rte_eth_rx_burst(rig->port, 0, &m, 1)) {
		ADD_FAILURE("a packet came after the error");
		rte_pktmbuf_free(m);
	}
	return port_rig_get_xstat(rig, "rx_recoveries") > *(uint64_t *)recoveries &&
	       __atomic_load_n(&rxq->owner, __ATOMIC_ACQUIRE) == DEVX_ETH_RUNNING;
}

/* Lets the receive queue fail when @n of its slots hold packets, and all others have buffers. */
static void break_receive_queue(struct port_rig *rig, uint32_t n)
{
	const struct devx_eth_rxq *rxq = rte_eth_devices[rig->port].data->rx_queues[0];
	uint64_t until = port_rig_get_counters(rig).rx_uc_packets + n;
	uint64_t recoveries = port_rig_get_xstat(rig, "rx_recoveries");
	struct rte_mbuf *m;

	for (uint32_t i = 0; i < n; i++) {
		m = port_rig_make_packet(rig, 60, i);
		ASSERT_TRUE(port_rig_send(rig, &m, 1));
	}
	ASSERT_TRUE(port_rig_wait_until(has_arrived, rig, &until));
	EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_RQ_ERROR, rxq->rq.rqn));
	for (uint32_t i = 0; i < n; i++) {
		ASSERT_EQ(1, rte_eth_rx_burst(rig->port, 0, &m, 1));
		port_rig_expect_packet(rig, m, 60, i);
		rte_pktmbuf_free(m);
	}
	ASSERT_TRUE(port_rig_wait_until(has_rx_recovered, rig, &recoveries));
	EXPECT_EQ(recoveries + 1, port_rig_get_xstat(rig, "rx_recoveries"));
	EXPECT_EQ(recoveries + 1, port_rig_get_xstat(rig, "rx_wqe_errors"));
	expect_drained(&rxq->cq);
	EXPECT_EQ(PORT_RIG_RING, rxq->rq.pi);
	EXPECT_EQ(0, rxq->ci);
}

TEST_F(full_ring, receive_queue_breaks_three_times_in_a_row)
{
	static const uint32_t waiting[] = { 0, 0, PORT_RIG_RING / 2, PORT_RIG_RING - 1, 1, 0 };
	const struct port_rig_config config = { 0 };

	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	for (unsigned int i = 0; i < RTE_DIM(waiting); i++) {
		SCOPED_TRACE("break %u, %u packets wait", i, waiting[i]);
		break_receive_queue(&self->rig, waiting[i]);
	}
	for (uint32_t i = 0; i < 2 * PORT_RIG_RING; i++)
		port_rig_exchange_one(&self->rig, i);
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "rx_cq_errors"));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "rx_lost_packets"));
	EXPECT_EQ(RTE_DIM(waiting), port_rig_get_xstat(&self->rig, "rx_recoveries"));
}
