/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "devx_port.h"
#include "port_rig.h"

/* Many queues on one port, and more than the device has. */

enum { MANY = 64, SMALL_RING = 64 };

FIXTURE(queue_number)
{
	struct port_rig rig;
};
FIXTURE_SETUP(queue_number)
{
	port_rig_probe(&self->rig);
}
FIXTURE_TEARDOWN(queue_number)
{
	port_rig_down(&self->rig);
}

static const struct port_rig_config many = {
	.n_rxq = MANY,
	.n_txq = MANY,
	.n_rx_desc = SMALL_RING,
	.n_tx_desc = SMALL_RING,
};

/* The ring of each receive queue takes 64 mbufs, more than the pool has. */
static struct rte_mempool *create_large_pool(void)
{
	return rte_pktmbuf_pool_create("large", 2 * MANY * SMALL_RING - 1, 0, 0,
				       RTE_PKTMBUF_HEADROOM + 1536, 0);
}

TEST_F(queue_number, a_port_has_64_receive_and_64_send_queues)
{
	struct rte_mempool *rig_pool = self->rig.pool, *large = create_large_pool();
	struct rte_mbuf *m;
	int rc;

	ASSERT_NE(NULL, large);
	self->rig.pool = large;
	rc = port_rig_configure(&self->rig, &many);
	self->rig.pool = rig_pool;
	ASSERT_EQ(0, rc);
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	for (uint16_t i = 0; i < MANY; i++) {
		m = port_rig_make_packet(&self->rig, 200, i);
		ASSERT_EQ(1, rte_eth_tx_burst(self->rig.port, i, &m, 1));
		ASSERT_EQ(1, port_rig_receive(&self->rig, &m, 1));
		port_rig_expect_packet(&self->rig, m, 200, i);
		rte_pktmbuf_free(m);
	}
	for (uint16_t i = 1; i < MANY; i++)
		EXPECT_EQ(0, rte_eth_rx_burst(self->rig.port, i, &m, 1));
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	mbuf_pool_free(large);
}

/* ethdev compares each number with the limits of the driver. */
TEST_F(queue_number, the_limits_are_those_of_the_device)
{
	const struct devx_caps *caps =
		&devx_eth_port_get(&rte_eth_devices[self->rig.port])->dev.caps;
	const struct rte_eth_conf conf = { 0 };
	struct rte_eth_dev_info info;
	const uint16_t rx =
		(uint16_t)RTE_MIN(1u << RTE_MIN(caps->log_max_rq, caps->log_max_rqt_size),
				  (uint32_t)RTE_MAX_QUEUES_PER_PORT);

	ASSERT_EQ(0, rte_eth_dev_info_get(self->rig.port, &info));
	EXPECT_EQ(rx, info.max_rx_queues);
	EXPECT_EQ(RTE_MIN(1 << caps->log_max_sq, RTE_MAX_QUEUES_PER_PORT), info.max_tx_queues);
	EXPECT_EQ(-EINVAL, rte_eth_dev_configure(self->rig.port, (uint16_t)(info.max_rx_queues + 1),
						 1, &conf));
	EXPECT_SUBSTR(rx == 512 ? "512" : "1024", port_rig_read_log()); /* the limit */
	EXPECT_EQ(-EINVAL, rte_eth_dev_configure(self->rig.port, 1,
						 (uint16_t)(info.max_tx_queues + 1), &conf));
	EXPECT_SUBSTR("1024", port_rig_read_log()); /* the limit */
}

/* Starts and stops the port with @n and @n queues. Returns the commands of the start. */
static uint64_t count_start_commands(struct port_rig *rig, uint16_t n)
{
	const struct port_rig_config config = {
		.n_rxq = n, .n_txq = n, .n_rx_desc = SMALL_RING, .n_tx_desc = SMALL_RING
	};
	struct devx_emu_counters before;
	uint64_t commands;

	EXPECT_EQ(0, port_rig_configure(rig, &config));
	before = port_rig_get_counters(rig);
	EXPECT_EQ(0, rte_eth_dev_start(rig->port));
	commands = port_rig_get_counters(rig).commands - before.commands;
	EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
	return commands;
}

/*
 * Rx and Tx: CQ, queue and RDY; the rings of all of them are one umem. The first start also
 * allocates UAR pages, which rdma-core keeps: two queues share a page.
 */
TEST_F(queue_number, a_start_sends_6_commands_per_receive_and_send_queue)
{
	uint64_t first, one, all;

	NEEDS_EMU("to count commands");
	first = count_start_commands(&self->rig, 16);
	one = count_start_commands(&self->rig, 1);
	all = count_start_commands(&self->rig, 16);
	printf("commands of a start: %" PRIu64 " with 1 + 1 queues, %" PRIu64
	       " with 16 + 16, the first one %" PRIu64 "\n",
	       one, all, first);
	EXPECT_EQ(15 * 6, all - one);
	EXPECT_LE(first, all + 16 / 2 + 1);
}

/* ---- devx-emu --profile small: 4 RQs, 4 SQs, 8 CQs ------------------------------------- */

FIXTURE(small_profile)
{
	struct port_rig rig;
};
FIXTURE_SETUP(small_profile)
{
	port_rig_probe(&self->rig);
}
FIXTURE_TEARDOWN(small_profile)
{
	port_rig_down(&self->rig);
}

TEST_F(small_profile, configure_names_the_limit_and_start_uses_it)
{
	const struct rte_eth_conf conf = { 0 };
	struct rte_eth_dev_info info;

	if (!self->rig.emu)
		SKIP("needs emu with --profile small");
	ASSERT_EQ(0, rte_eth_dev_info_get(self->rig.port, &info));
	EXPECT_EQ(4, info.max_rx_queues);
	EXPECT_EQ(4, info.max_tx_queues);
	EXPECT_EQ(128, info.rx_desc_lim.nb_max);
	EXPECT_EQ(-EINVAL, rte_eth_dev_configure(self->rig.port, 5, 1, &conf));
	EXPECT_SUBSTR("nb_rx_queues=5 > 4", port_rig_read_log());
	EXPECT_EQ(-EINVAL, rte_eth_dev_configure(self->rig.port, 1, 5, &conf));
	EXPECT_SUBSTR("nb_tx_queues=5 > 4", port_rig_read_log());
	EXPECT_LE(10, count_start_commands(&self->rig, 4));
}
