/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_rxq.h"
#include "devx_txq.h"
#include "mbuf_pool.h"
#include "port_rig.h"
#include "stop_command.h"

/*
 * The device owns the mbufs of a queue until the queue is in RST or destroyed. Each test looks into
 * the pool right before that command (stop_command.h): no mbuf may be back.
 */

enum { N_PACKETS = 20, N_POSTED = PORT_RIG_RING };

/**
 * struct watch - a queue that the driver stops
 * @obj: its object
 * @pool: the pool of its mbufs, which nobody else uses
 * @avail: number of mbufs in the pool, before
 * @n_commands: commands that stopped the queue
 * @n_early: mbufs that were in the pool too early, at the worst of these commands
 */
struct watch {
	const struct mlx5dv_devx_obj *obj;
	const struct rte_mempool *pool;
	unsigned int avail, n_commands, n_early;
};

FIXTURE(buffer_owner)
{
	struct port_rig rig;
	struct rte_mempool *small; /* pool of a scattered queue */
	struct watch watch;
};
FIXTURE_SETUP(buffer_owner)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
	NEEDS_EMU("to keep the device from sending");
}
FIXTURE_TEARDOWN(buffer_owner)
{
	stop_command_watch(NULL, NULL);
	port_rig_down(&self->rig);
	mbuf_pool_free(self->small);
}

static struct devx_eth_rxq *get_rxq(const struct port_rig *rig)
{
	return rte_eth_devices[rig->port].data->rx_queues[0];
}

static struct devx_eth_txq *get_txq(const struct port_rig *rig)
{
	return rte_eth_devices[rig->port].data->tx_queues[0];
}

static void look_into_pool(void *arg, const struct mlx5dv_devx_obj *obj)
{
	struct watch *watch = arg;
	const unsigned int avail = rte_mempool_avail_count(watch->pool);

	if (obj != watch->obj)
		return;
	watch->n_commands++;
	watch->n_early = RTE_MAX(watch->n_early, avail - RTE_MIN(avail, watch->avail));
}

static void start_watch(struct ct_fix_buffer_owner *self, const struct mlx5dv_devx_obj *obj,
			const struct rte_mempool *pool)
{
	self->watch =
		(struct watch){ .obj = obj, .pool = pool, .avail = rte_mempool_avail_count(pool) };
	stop_command_watch(look_into_pool, &self->watch);
}

/* Expects the queue to be stopped, and @n mbufs more in the pool now. */
static void end_watch(struct ct_fix_buffer_owner *self, unsigned int n)
{
	stop_command_watch(NULL, NULL);
	EXPECT_LE(1, self->watch.n_commands);
	EXPECT_EQ(0, self->watch.n_early);
	EXPECT_EQ(self->watch.avail + n, rte_mempool_avail_count(self->watch.pool));
}

/* ---- ways to stop a queue ------------------------------------------------------------------- */

static bool has_rx_recovered(const struct port_rig *rig, void *arg)
{
	struct rte_mbuf *m;

	RTE_SET_USED(arg);
	EXPECT_EQ(0, rte_eth_rx_burst(rig->port, 0, &m, 1));
	return port_rig_get_xstat(rig, "rx_recoveries") > 0;
}

static bool has_tx_recovered(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(arg);
	EXPECT_EQ(0, rte_eth_tx_burst(rig->port, 0, NULL, 0));
	return port_rig_get_xstat(rig, "tx_recoveries") > 0;
}

static void stop_rx_queue(const struct port_rig *rig)
{
	EXPECT_EQ(0, rte_eth_dev_rx_queue_stop(rig->port, 0));
}

static void stop_tx_queue(const struct port_rig *rig)
{
	EXPECT_EQ(0, rte_eth_dev_tx_queue_stop(rig->port, 0));
}

static void stop_port(const struct port_rig *rig)
{
	EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
}

static void fail_rq(const struct port_rig *rig)
{
	EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_RQ_ERROR, get_rxq(rig)->rq.rqn));
	EXPECT_TRUE(port_rig_wait_until(has_rx_recovered, rig, NULL));
}

static void fail_rx_cq(const struct port_rig *rig)
{
	EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, get_rxq(rig)->cq.cqn));
	EXPECT_TRUE(port_rig_wait_until(has_rx_recovered, rig, NULL));
}

static void fail_sq(const struct port_rig *rig)
{
	EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, get_txq(rig)->sq.sqn));
	EXPECT_TRUE(port_rig_wait_until(has_tx_recovered, rig, NULL));
}

static void fail_tx_cq(const struct port_rig *rig)
{
	EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, get_txq(rig)->cq.cqn));
	EXPECT_TRUE(port_rig_wait_until(has_tx_recovered, rig, NULL));
}

/** struct way - a way to stop a queue; @n_back: mbufs that are in the pool afterwards */
struct way {
	const char *name;
	void (*stop)(const struct port_rig *rig);
	unsigned int n_back;
};

static const struct way rx_ways[] = {
	{ "stop_of_the_queue", stop_rx_queue, N_POSTED },
	{ "stop_of_the_port", stop_port, N_POSTED },
	{ "an_error_of_the_RQ", fail_rq, 0 },
	{ "an_error_of_the_CQ", fail_rx_cq, 0 },
};

static const struct way tx_ways[] = {
	{ "stop_of_the_queue", stop_tx_queue, N_PACKETS },
	{ "stop_of_the_port", stop_port, N_PACKETS + N_POSTED },
	{ "an_error_of_the_SQ", fail_sq, N_PACKETS },
	{ "an_error_of_the_CQ", fail_tx_cq, N_PACKETS },
};

/* ---- tests ---------------------------------------------------------------------------------- */

TEST_F_EACH(buffer_owner, RQ_keeps_its_mbufs_until_it_is_stopped_by, struct way, rx_ways)
{
	start_watch(self, get_rxq(&self->rig)->rq.obj, self->rig.pool);
	row->stop(&self->rig);
	end_watch(self, row->n_back);
}

/* Four buffers of 512 bytes per packet. */
TEST_F_EACH(buffer_owner, scattered_RQ_keeps_its_mbufs_until_it_is_stopped_by, struct way, rx_ways)
{
	const struct port_rig *rig = &self->rig;
	const struct rte_eth_conf conf = { .rxmode.offloads = RTE_ETH_RX_OFFLOAD_SCATTER };

	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	self->small =
		rte_pktmbuf_pool_create("small", 2 * N_POSTED, 0, 0, RTE_PKTMBUF_HEADROOM + 512, 0);
	ASSERT_NE(NULL, self->small);
	ASSERT_EQ(0, rte_eth_dev_configure(rig->port, 1, 1, &conf));
	ASSERT_EQ(0, rte_eth_rx_queue_setup(rig->port, 0, N_POSTED, 0, NULL, self->small));
	ASSERT_EQ(0, rte_eth_tx_queue_setup(rig->port, 0, N_POSTED, 0, NULL));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	ASSERT_EQ(2, get_rxq(rig)->log2_segs);
	start_watch(self, get_rxq(rig)->rq.obj, self->small);
	row->stop(rig);
	end_watch(self, row->n_back);
}

/* The engine is paused, so the device sends none of the packets. */
TEST_F_EACH(buffer_owner, SQ_keeps_its_mbufs_until_it_is_stopped_by, struct way, tx_ways)
{
	struct rte_mbuf *m[N_PACKETS];

	self->rig.emu->pause();
	for (uint16_t i = 0; i < N_PACKETS; i++)
		m[i] = port_rig_make_packet(&self->rig, 100, i);
	EXPECT_EQ(N_PACKETS, rte_eth_tx_burst(self->rig.port, 0, m, N_PACKETS));
	start_watch(self, get_txq(&self->rig)->sq.obj, self->rig.pool);
	row->stop(&self->rig);
	end_watch(self, row->n_back);
	self->rig.emu->resume();
}
