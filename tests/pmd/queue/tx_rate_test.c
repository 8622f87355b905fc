/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx/cmd.h"
#include "devx_txq.h"
#include "port_rig.h"
#include "prm/prm.h"

/* Rate limits of send queues. */

/* 8000 bits at 8 bits per us */
enum { N_TXQ = 2, MBPS = 8, FRAME = 1000, FRAME_NS = 1000000, STEP = 64 };

FIXTURE(tx_rate)
{
	struct port_rig rig;
};
FIXTURE_SETUP(tx_rate)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ .n_txq = N_TXQ });
	NEEDS_EMU("for a device that can limit rates");
}
FIXTURE_TEARDOWN(tx_rate)
{
	port_rig_down(&self->rig);
}

static struct devx_eth_txq *get_txq(const struct port_rig *rig, uint16_t queue)
{
	return rte_eth_devices[rig->port].data->tx_queues[queue];
}

/* Returns the entry of the rate table that the SQ of a queue names; 0: no limit. */
static unsigned int query_index(const struct port_rig *rig, uint16_t queue)
{
	struct devx_eth_txq *txq = get_txq(rig, queue);
	struct prm_query_sq_in in = { 0 };
	struct prm_query_sq_out out = { 0 };
	int rc;

	prm_set(&in, opcode, PRM_OP_query_sq);
	prm_set(&in, sqn, txq->sq.sqn);
	pthread_mutex_lock(&txq->eth->lock);
	rc = devx_cmd_query(&txq->eth->dev, txq->sq.obj, &in, sizeof(in), &out, sizeof(out));
	pthread_mutex_unlock(&txq->eth->lock);
	EXPECT_EQ(0, rc);
	return (unsigned int)prm_get(prm_sub(&out, sq_context), packet_pacing_rate_limit_index);
}

static void send_frames(const struct port_rig *rig, uint16_t queue, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		struct rte_mbuf *m = port_rig_make_packet(rig, FRAME, i);

		EXPECT_EQ(1, rte_eth_tx_burst(rig->port, queue, &m, 1));
	}
}

static void receive_frame(const struct port_rig *rig, unsigned int i)
{
	struct rte_mbuf *m;

	ASSERT_EQ(1, port_rig_receive(rig, &m, 1));
	port_rig_expect_packet(rig, m, FRAME, i);
	rte_pktmbuf_free(m);
}

/* Sends @n frames, and expects that one leaves each FRAME_NS, on a clock that the test holds. */
static void expect_pace(const struct port_rig *rig, uint16_t queue, unsigned int n)
{
	const struct devx_emu_ctl *emu = rig->emu;

	emu->pause();
	EXPECT_NE(0, emu->clock(DEVX_EMU_CLOCK_HELD, FRAME_NS));
	send_frames(rig, queue, n);
	EXPECT_EQ(1, emu->step(0, STEP));
	receive_frame(rig, 0);
	for (unsigned int i = 1; i < n; i++) {
		emu->clock(DEVX_EMU_CLOCK_HELD, FRAME_NS - 1);
		EXPECT_EQ(0, emu->step(0, STEP));
		emu->clock(DEVX_EMU_CLOCK_HELD, 1);
		EXPECT_EQ(1, emu->step(0, STEP));
		receive_frame(rig, i);
	}
	emu->clock(DEVX_EMU_CLOCK_REAL, 0);
	emu->resume();
}

TEST_F(tx_rate, a_queue_sends_at_its_limit_and_not_faster)
{
	enum { N = 40 };

	ASSERT_EQ(0, rte_eth_set_queue_rate_limit(self->rig.port, 0, MBPS));
	EXPECT_NE(0, query_index(&self->rig, 0));
	EXPECT_EQ(0, query_index(&self->rig, 1));
	expect_pace(&self->rig, 0, N);
}

/* The time stands still: with a limit only the first frame would leave. */
TEST_F(tx_rate, a_rate_of_0_ends_the_limit)
{
	enum { N = PORT_RIG_RING - 12 };

	ASSERT_EQ(0, rte_eth_set_queue_rate_limit(self->rig.port, 0, 1));
	ASSERT_EQ(0, rte_eth_set_queue_rate_limit(self->rig.port, 0, 0));
	EXPECT_EQ(0, query_index(&self->rig, 0));
	self->rig.emu->clock(DEVX_EMU_CLOCK_HELD, 0);
	send_frames(&self->rig, 0, N);
	for (unsigned int i = 0; i < N; i++)
		receive_frame(&self->rig, i);
	self->rig.emu->clock(DEVX_EMU_CLOCK_REAL, 0);
}

TEST_F(tx_rate, a_limit_outlives_a_stop_of_the_port)
{
	const uint16_t port = self->rig.port;

	ASSERT_EQ(0, rte_eth_dev_stop(port));
	ASSERT_EQ(0, rte_eth_set_queue_rate_limit(port, 1, MBPS)); /* also on a stopped port */
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, rte_eth_dev_start(port));
		EXPECT_EQ(0, query_index(&self->rig, 0));
		EXPECT_EQ(get_txq(&self->rig, 1)->pp.index, query_index(&self->rig, 1));
		ASSERT_EQ(0, rte_eth_dev_stop(port));
	}
	ASSERT_EQ(0, rte_eth_dev_start(port));
	expect_pace(&self->rig, 1, 10);
}

TEST_F(tx_rate, a_stopped_queue_gets_its_limit_at_its_start)
{
	const uint16_t port = self->rig.port;

	ASSERT_EQ(0, rte_eth_set_queue_rate_limit(port, 0, 2 * MBPS));
	ASSERT_EQ(0, rte_eth_dev_tx_queue_stop(port, 0));
	ASSERT_EQ(0, rte_eth_set_queue_rate_limit(port, 0, MBPS));
	ASSERT_EQ(0, rte_eth_dev_tx_queue_start(port, 0));
	EXPECT_EQ(get_txq(&self->rig, 0)->pp.index, query_index(&self->rig, 0));
	expect_pace(&self->rig, 0, 10);
	ASSERT_EQ(0, rte_eth_dev_tx_queue_stop(port, 0));
	ASSERT_EQ(0, rte_eth_set_queue_rate_limit(port, 0, 0));
	ASSERT_EQ(0, rte_eth_dev_tx_queue_start(port, 0));
	EXPECT_EQ(0, query_index(&self->rig, 0));
}

/* Calls the burst, because the timer takes a queue only from its burst. */
static bool has_recovered(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(arg);
	rte_eth_tx_burst(rig->port, 0, NULL, 0);
	return port_rig_get_xstat(rig, "tx_recoveries") > 0;
}

static const struct fault {
	const char *name;
	bool of_cq;
} faults[] = { { "SQ", false }, { "CQ", true } };

TEST_F_EACH(tx_rate, a_limit_outlives_an_error_of_the, struct fault, faults)
{
	const struct devx_eth_txq *txq = get_txq(&self->rig, 0);
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, FRAME, 0);

	ASSERT_EQ(0, rte_eth_set_queue_rate_limit(self->rig.port, 0, MBPS));
	ASSERT_EQ(0, row->of_cq ? self->rig.emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, txq->cq.cqn)
				: self->rig.emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, txq->sq.sqn));
	if (row->of_cq || !rte_eth_tx_burst(self->rig.port, 0, &m, 1))
		rte_pktmbuf_free(m);
	ASSERT_TRUE(port_rig_wait_until(has_recovered, &self->rig, NULL));
	EXPECT_EQ(txq->pp.index, query_index(&self->rig, 0));
	expect_pace(&self->rig, 0, 10);
}

TEST_F(tx_rate, a_queue_in_error_state_keeps_its_limit)
{
	const struct devx_eth_txq *txq = get_txq(&self->rig, 0);
	unsigned int index;

	ASSERT_EQ(0, rte_eth_set_queue_rate_limit(self->rig.port, 0, MBPS));
	index = query_index(&self->rig, 0);
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, txq->sq.sqn));
	port_rig_read_log();
	EXPECT_EQ(-EAGAIN, rte_eth_set_queue_rate_limit(self->rig.port, 0, 2 * MBPS));
	EXPECT_SUBSTR("Tx queue 0: cannot set the rate limit in error state; try again",
		      port_rig_read_log());
	EXPECT_EQ(index, txq->pp.index);
	EXPECT_EQ(MBPS, txq->rate_mbps);
}

TEST_F(tx_rate, a_refused_change_keeps_the_limit)
{
	ASSERT_EQ(0, rte_eth_set_queue_rate_limit(self->rig.port, 0, MBPS));
	self->rig.emu->fail(DEVX_EMU_FAIL_COMMAND, 1, 0); /* the second: MODIFY_SQ */
	port_rig_read_log();
	EXPECT_EQ(-EIO, rte_eth_set_queue_rate_limit(self->rig.port, 0, 2 * MBPS));
	EXPECT_SUBSTR("Tx queue 0: cannot set the rate limit: firmware refused MODIFY_SQ",
		      port_rig_read_log());
	EXPECT_EQ(get_txq(&self->rig, 0)->pp.index, query_index(&self->rig, 0));
	expect_pace(&self->rig, 0, 10);
}

/* The device has 127 entries: a limit that is not given back would fill the table. */
TEST_F(tx_rate, a_new_limit_frees_the_entry_of_the_old_one)
{
	for (unsigned int i = 1; i < 400; i++)
		ASSERT_EQ(0, rte_eth_set_queue_rate_limit(self->rig.port, i % N_TXQ, i));
	for (unsigned int i = 1; i < 400; i++) {
		ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
		ASSERT_EQ(0, rte_eth_tx_queue_setup(self->rig.port, 0, PORT_RIG_RING, SOCKET_ID_ANY,
						    NULL));
		EXPECT_EQ(0, get_txq(&self->rig, 0)->rate_mbps);
		ASSERT_EQ(0, rte_eth_set_queue_rate_limit(self->rig.port, 0, i));
	}
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}

TEST_F(tx_rate, requests_beyond_the_device_are_refused_in_one_line)
{
	struct devx_caps *caps = &get_txq(&self->rig, 0)->eth->dev.caps;
	const struct devx_caps before = *caps;
	const uint16_t port = self->rig.port;

	port_rig_read_log();
	EXPECT_EQ(-EINVAL, rte_eth_set_queue_rate_limit(port, N_TXQ, MBPS));
	EXPECT_SUBSTR("Tx queue 2: cannot set the rate limit, because the queue is not set up",
		      port_rig_read_log());
	caps->packet_pacing_max_rate = 7000;
	EXPECT_EQ(-EINVAL, rte_eth_set_queue_rate_limit(port, 0, MBPS));
	EXPECT_SUBSTR("rate limit: 8000 kbit/s is invalid (valid: 1 to 7000 kbit/s)",
		      port_rig_read_log());
	caps->packet_pacing = false;
	EXPECT_EQ(-ENOTSUP, rte_eth_set_queue_rate_limit(port, 0, MBPS));
	EXPECT_SUBSTR("rate limit: unsupported (capability packet_pacing is 0)",
		      port_rig_read_log());
	*caps = before;
	EXPECT_EQ(0, query_index(&self->rig, 0));
}
