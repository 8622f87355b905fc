/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "devx_txq.h"
#include "loss_rig.h"
#include "port_rig.h"
#include "rte_pmd_devx.h"

/* Statistics never run backwards: neither at a configure, nor when the device is lost. */

enum { BYTES = 200, N_SENT = 3, N_POSTED = 5, N_RING = 4, RING_BYTES = 60 };

FIXTURE(counters)
{
	struct port_rig rig;
};
FIXTURE_SETUP(counters)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ .n_rxq = 2, .n_txq = 2 });
	loss_rig_listen();
}
FIXTURE_TEARDOWN(counters)
{
	loss_rig_forget();
	port_rig_down(&self->rig);
}

/* Returns the counts of the port, without those of its queues. */
static struct rte_eth_stats read_stats(const struct port_rig *rig)
{
	struct rte_eth_stats stats;

	memset(&stats, 0, sizeof(stats));
	EXPECT_EQ(0, rte_eth_stats_get(rig->port, &stats));
	return stats;
}

static void post_packets(const struct port_rig *rig, uint16_t queue, uint16_t n)
{
	struct rte_mbuf *m;

	for (uint16_t i = 0; i < n; i++) {
		m = port_rig_make_packet(rig, BYTES, i);
		ASSERT_EQ(1, rte_eth_tx_burst(rig->port, queue, &m, 1));
	}
}

static void expect_packets(const struct port_rig *rig, uint64_t n)
{
	const struct rte_eth_stats stats = read_stats(rig);

	EXPECT_EQ(n, stats.ipackets);
	EXPECT_EQ(n * BYTES, stats.ibytes);
	EXPECT_EQ(n, stats.opackets);
	EXPECT_EQ(n * BYTES, stats.obytes);
}

TEST_F(counters, configure_keeps_the_counts_of_the_port)
{
	const struct port_rig *rig = &self->rig;
	const struct port_rig_config more = { .n_rxq = 3, .n_txq = 3 }, fewer = { 0 };

	for (uint32_t i = 0; i < N_SENT; i++)
		port_rig_exchange_one(rig, i);
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, port_rig_configure(&self->rig, &more));
	expect_packets(rig, N_SENT);
	EXPECT_EQ(0, port_rig_get_xstat(rig, "tx_q0_packets")); /* those of a queue begin again */
	ASSERT_EQ(0, port_rig_configure(&self->rig, &fewer));
	expect_packets(rig, N_SENT);
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	port_rig_exchange_one(rig, N_SENT);
	expect_packets(rig, N_SENT + 1);
	ASSERT_EQ(0, rte_eth_stats_reset(rig->port));
	expect_packets(rig, 0);
}

/* The device counts as lost while the port runs; the counts of its packets come at the detach. */
static bool has_unknown(const struct port_rig *rig, void *n)
{
	return port_rig_get_xstat(rig, "tx_unknown_packets") == *(uint64_t *)n;
}

/* Posts packets that the paused device does not send, and removes the device. */
static void post_and_lose(struct port_rig *rig)
{
	static const uint8_t frame[RING_BYTES] = { 0x02, 0xde, 0xc5 };
	const struct rte_pmd_devx_ring_conf conf = { .frame = frame,
						     .frame_bytes = RING_BYTES,
						     .n_packets = 4 * N_RING };
	struct rte_pmd_devx_ring *ring;

	ASSERT_EQ(0, rte_pmd_devx_ring_create(rig->port, &conf, &ring));
	rig->emu->pause();
	post_packets(rig, 1, N_POSTED);
	ASSERT_EQ(N_RING, rte_pmd_devx_ring_send(ring, NULL, N_RING));
	rig->n_generated = N_RING;
	rig->generated_bytes = N_RING * RING_BYTES;
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_REMOVE);
	rig->emu->resume();
}

TEST_F(counters, packets_of_a_lost_device_stay_counted_and_have_an_unknown_fate)
{
	struct port_rig *rig = &self->rig;
	const uint64_t sent = N_SENT + N_POSTED + N_RING;
	uint64_t unknown = sent; /* the first ones have arrived, but no CQE came */
	struct rte_eth_stats stats;

	NEEDS_EMU("to remove the device");
	for (uint32_t i = 0; i < N_SENT; i++)
		port_rig_exchange_one(rig, i);
	post_and_lose(rig);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_recovering, 1));
	ASSERT_TRUE(port_rig_wait_until(has_unknown, rig, &unknown));
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_RETURN);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, 1));
	stats = read_stats(rig);
	EXPECT_EQ(sent, stats.opackets);
	EXPECT_EQ((N_SENT + N_POSTED) * BYTES + N_RING * RING_BYTES, stats.obytes);
	EXPECT_EQ(N_SENT, stats.ipackets);
	EXPECT_EQ(0, stats.oerrors + stats.ierrors);
	EXPECT_EQ(0, port_rig_get_xstat(rig, "tx_lost_packets"));
	port_rig_exchange_one(rig, 9);
	EXPECT_EQ(sent, port_rig_get_xstat(rig, "tx_unknown_packets"));
}

static bool is_broken(const struct port_rig *rig, void *txq)
{
	rte_eth_tx_burst(rig->port, 1, NULL, 0); /* finds the error CQE */
	return __atomic_load_n(&((struct devx_eth_txq *)txq)->owner, __ATOMIC_ACQUIRE) ==
	       DEVX_ETH_BROKEN;
}

/* The device has reported their failure before it is lost and the recovery timer comes. */
TEST_F(counters, packets_with_an_error_cqe_before_the_loss_are_lost)
{
	struct port_rig *rig = &self->rig;
	struct devx_eth_txq *txq = rte_eth_devices[rig->port].data->tx_queues[1];

	NEEDS_EMU("to put a queue into ERR");
	pthread_mutex_lock(&txq->eth->lock); /* keeps the recovery timer away */
	EXPECT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_SQ_ERROR, txq->sq.sqn));
	post_packets(rig, 1, N_POSTED);
	EXPECT_TRUE(port_rig_wait_until(is_broken, rig, txq));
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_REMOVE);
	pthread_mutex_unlock(&txq->eth->lock);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_recovering, 1));
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_RETURN);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, 1));
	EXPECT_EQ(N_POSTED, read_stats(rig).opackets);
	EXPECT_EQ(N_POSTED, read_stats(rig).oerrors);
	EXPECT_EQ(0, port_rig_get_xstat(rig, "tx_unknown_packets"));
	port_rig_exchange_one(rig, 9);
}
