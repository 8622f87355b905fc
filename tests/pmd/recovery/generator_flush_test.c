/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_generator.h"
#include "port_rig.h"
#include "recovery/devx_flush_wait.h"
#include "recovery/devx_recovery_timer.h"
#include "rte_pmd_devx.h"

/* Late flush CQEs of a generator ring; flush_test.c has those of other queues. */

enum { LATE_US = 100, N_PERIODS = 3, BYTES = 100, N_BROKEN = 24 };

FIXTURE(generator_flush)
{
	struct port_rig rig;
	struct rte_mbuf *m; /* all packets of the ring are equal to it */
	struct rte_pmd_devx_ring *ring;
	unsigned int periods; /* devx_eth_flush_periods before the test */
};

FIXTURE_SETUP(generator_flush)
{
	struct rte_pmd_devx_ring_conf conf = { .frame_bytes = BYTES, .n_packets = 60 };

	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
	NEEDS_EMU("to delay CQEs");
	self->periods = devx_eth_flush_periods;
	devx_eth_flush_periods = UINT_MAX; /* the wait of a test has no end of its own */
	self->rig.emu->clock(DEVX_EMU_CLOCK_HELD, 0);
	EXPECT_EQ(0, self->rig.emu->option("late_flush_us", LATE_US));
	self->m = port_rig_make_packet(&self->rig, BYTES, 1);
	conf.frame = rte_pktmbuf_mtod(self->m, const uint8_t *);
	ASSERT_EQ(0, rte_pmd_devx_ring_create(self->rig.port, &conf, &self->ring));
}

FIXTURE_TEARDOWN(generator_flush)
{
	const struct devx_emu_ctl *emu = self->rig.emu;

	if (self->ring) {
		self->rig.n_generated = self->ring->n.packets;
		self->rig.generated_bytes = self->ring->n.bytes;
		rte_pmd_devx_ring_destroy(self->ring);
	}
	rte_pktmbuf_free(self->m);
	if (emu) {
		emu->reset_mistakes(); /* the invalid WQEs */
		self->rig.before.mistakes = port_rig_get_counters(&self->rig).mistakes;
		devx_eth_flush_periods = self->periods;
		port_rig_read_log();
	}
	port_rig_down(&self->rig);
	if (emu) {
		emu->option("late_flush_us", 0);
		emu->clock(DEVX_EMU_CLOCK_REAL, 0);
	}
}

static bool is_waiting(const struct port_rig *rig, void *ring)
{
	struct rte_pmd_devx_ring *r = ring;

	RTE_SET_USED(rig);
	rte_pmd_devx_ring_send(r, NULL, 0);
	return __atomic_load_n(&r->flush.n_polls, __ATOMIC_RELAXED) >= N_PERIODS;
}

static bool is_running(const struct port_rig *rig, void *ring)
{
	struct rte_pmd_devx_ring *r = ring;

	RTE_SET_USED(rig);
	rte_pmd_devx_ring_send(r, NULL, 0);
	return __atomic_load_n(&r->owner, __ATOMIC_ACQUIRE) == DEVX_ETH_RUNNING;
}

/* Moves the clock at each look: the engine may still be about to flush the queue. */
static bool is_running_late(const struct port_rig *rig, void *ring)
{
	rig->emu->clock(DEVX_EMU_CLOCK_HELD, 1000 * LATE_US);
	return is_running(rig, ring);
}

static void exchange_packets(const struct ct_fix_generator_flush *self, uint16_t n)
{
	ASSERT_EQ(n, rte_pmd_devx_ring_send(self->ring, NULL, n));
	while (n--) {
		struct rte_mbuf *m;

		ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
		EXPECT_EQ(BYTES, m->pkt_len);
		EXPECT_MEMEQ(rte_pktmbuf_mtod(self->m, const void *),
			     rte_pktmbuf_mtod(m, const void *), BYTES);
		rte_pktmbuf_free(m);
	}
}

/* Sends N_BROKEN packets. The first WQE names another queue, so the device executes none. */
static void break_ring(struct ct_fix_generator_flush *self)
{
	struct rte_pmd_devx_ring *ring = self->ring;
	const uint16_t unit = ring->unit == ring->n_units ? 0 : ring->unit;
	struct prm_ctrl_seg *ctrl = &devx_eth_generator_get_unit(ring, unit)->ctrl;

	self->rig.emu->pause();
	ASSERT_EQ(N_BROKEN, rte_pmd_devx_ring_send(ring, NULL, N_BROKEN));
	ctrl->qpn_ds = prm_ctrl_dw1(ring->sq.sqn ^ 1, prm_ctrl_ds(ctrl));
	self->rig.emu->resume();
}

/* Expects @n recoveries, each after one error CQE, although more error CQEs came. */
static void expect_recoveries(const struct ct_fix_generator_flush *self, uint16_t n)
{
	EXPECT_EQ(n, self->ring->n.recoveries);
	EXPECT_EQ(n, self->ring->n.error_cqes);
	EXPECT_EQ(n * N_BROKEN, self->ring->n.lost);
	EXPECT_EQ(0, self->ring->n.cq_errors);
}

/* Breaks at different places of the ring, so that the NOP of the recovery is in many units. */
TEST_F(generator_flush, ring_waits_for_late_CQEs)
{
	enum { N_BREAKS = 20 };

	for (uint16_t i = 1; i <= N_BREAKS; i++) {
		SCOPED_TRACE("break %u", i);
		exchange_packets(self, i);
		break_ring(self);
		ASSERT_TRUE(port_rig_wait_until(is_waiting, &self->rig, self->ring));
		EXPECT_EQ(i - 1, self->ring->n.recoveries);
		ASSERT_TRUE(port_rig_wait_until(is_running_late, &self->rig, self->ring));
		expect_recoveries(self, i);
	}
}

TEST_F(generator_flush, ring_gets_a_new_CQ_when_CQEs_come_after_the_wait)
{
	enum { N_BURSTS = 20 };

	devx_eth_flush_periods = N_PERIODS;
	break_ring(self);
	ASSERT_TRUE(port_rig_wait_until(is_waiting, &self->rig, self->ring));
	ASSERT_TRUE(port_rig_wait_until(is_running, &self->rig, self->ring));
	EXPECT_SUBSTR("generator ring: the device has not written", port_rig_read_log());
	self->rig.emu->clock(DEVX_EMU_CLOCK_HELD, 1000 * LATE_US);
	for (int i = 0; i < N_BURSTS; i++)
		exchange_packets(self, N_BROKEN);
	expect_recoveries(self, 1);
}

static bool has_late_CQE(const struct port_rig *rig, void *ring)
{
	rig->emu->clock(DEVX_EMU_CLOCK_HELD, 1000 * LATE_US);
	return devx_cq_peek(&((struct rte_pmd_devx_ring *)ring)->cq);
}

static bool has_failed_CQ(const struct port_rig *rig, void *ring)
{
	RTE_SET_USED(rig);
	return __atomic_load_n(&((struct rte_pmd_devx_ring *)ring)->cq_failed, __ATOMIC_ACQUIRE);
}

/* The flush CQEs are in the CQ when it fails: they count no packet a second time. */
TEST_F(generator_flush, ring_whose_CQ_fails_in_the_wait_counts_packets_once)
{
	struct devx_eth *eth = self->ring->eth;

	break_ring(self);
	ASSERT_TRUE(port_rig_wait_until(is_waiting, &self->rig, self->ring));
	devx_eth_recovery_timer_stop(eth);
	ASSERT_TRUE(port_rig_wait_until(has_late_CQE, &self->rig, self->ring));
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, self->ring->cq.cqn));
	ASSERT_TRUE(port_rig_wait_until(has_failed_CQ, &self->rig, self->ring));
	EXPECT_EQ(0, devx_eth_recovery_timer_start(eth));
	ASSERT_TRUE(port_rig_wait_until(is_running, &self->rig, self->ring));
	EXPECT_EQ(1, self->ring->n.error_cqes);
	EXPECT_EQ(1, self->ring->n.cq_errors);
	EXPECT_EQ(N_BROKEN, self->ring->n.lost);
	exchange_packets(self, N_BROKEN);
}
