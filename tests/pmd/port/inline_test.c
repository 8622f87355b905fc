/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "burst/inline_rig.h"
#include "queue/devx_copy_limit.h"

/* The argument inline: its rule, its report, and devices that cannot do what it says. */

FIXTURE(inlining)
{
	struct inline_rig rig;
};
FIXTURE_SETUP(inlining)
{
	port_rig_probe(&self->rig.rig);
	self->rig.state = 1;
}
FIXTURE_TEARDOWN(inlining)
{
	port_rig_down(&self->rig.rig);
}

/* ---- devices with other limits ------------------------------------------------------------ */

static const struct device {
	const char *name;
	bool no_empw;
	uint16_t max_wqe_bytes, longest; /* longest: bytes of a packet; 0: none */
	const char *says;
} devices[] = {
	{ "no_multi_packet_WQEs", true, 1024, 0,
	  "argument inline: 900 needs multi-packet WQEs, which the device lacks (valid: off, "
	  "auto)\n" },
	{ "WQEs_of_8_segments", false, 128, 92,
	  "argument inline: packets of 900 bytes do not fit a WQE of this device (valid: off, "
	  "auto, 14 to 92)\n" },
	{ "WQEs_of_5_segments", false, 80, 44, "14 to 44" },
	{ "WQEs_of_2_segments", false, 32, 0, "which the device lacks" },
};

TEST_F_EACH(inlining, what_a_device_cannot_do_is_refused, struct device, devices)
{
	struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[self->rig.rig.port]);
	const struct devx_caps caps = eth->dev.caps;

	eth->dev.caps.enhanced_multi_pkt_send_wqe &= !row->no_empw;
	eth->dev.caps.max_wqe_sz_sq = row->max_wqe_bytes;
	EXPECT_EQ(0, devx_eth_copy_limit_check(eth));
	eth->args.inlining = DEVX_ETH_INLINE_BYTES;
	eth->args.inline_max = 900;
	port_rig_read_log();
	EXPECT_EQ(-ENOTSUP, devx_eth_copy_limit_check(eth));
	EXPECT_SUBSTR(row->says, port_rig_read_log());
	if (row->longest) {
		eth->args.inline_max = row->longest;
		EXPECT_EQ(0, devx_eth_copy_limit_check(eth));
		eth->args.inline_max++;
		EXPECT_EQ(-ENOTSUP, devx_eth_copy_limit_check(eth));
		port_rig_read_log();
	}
	eth->dev.caps = caps;
}

static const struct size {
	const char *name;
	uint16_t max_wqe_bytes, longest;
} sizes[] = {
	{ "5_segments", 80, 44 },
	{ "6_segments", 96, 60 },
	{ "8_segments", 128, 92 },
};

/* WQEs of 5 segments hold one copied packet of 44 bytes, or three pointers. */
TEST_F_EACH(inlining, small_WQEs_contain_packets_too, struct size, sizes)
{
	const uint16_t rounds = self->rig.rig.emu ? 40 : 2;
	const struct port_rig_config config = { .n_tx_desc = INLINE_RING };
	struct devx_eth *eth;
	uint16_t bytes[30];

	port_rig_remove_port(&self->rig.rig);
	port_rig_add_port_with(&self->rig.rig, "ibdev=mlx5_0,inline=924");
	eth = devx_eth_port_get(&rte_eth_devices[self->rig.rig.port]);
	eth->dev.caps.max_wqe_sz_sq = row->max_wqe_bytes;
	ASSERT_EQ(0, port_rig_configure(&self->rig.rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.rig.port));
	self->rig.txq = rte_eth_devices[self->rig.rig.port].data->tx_queues[0];
	EXPECT_EQ(row->longest, self->rig.txq->inline_max);
	for (uint16_t i = 0; i < rounds; i++) {
		for (uint16_t k = 0; k < RTE_DIM(bytes); k++)
			bytes[k] = (uint16_t)(INLINE_LEAST + (k + i * 11u) % 110);
		inline_rig_exchange(&self->rig, bytes, RTE_DIM(bytes));
		inline_rig_exchange_equal(&self->rig, 47, 20);
	}
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig.rig, "tx_errors"));
}

/* ---- inline=auto -------------------------------------------------------------------------- */

static const struct rule {
	const char *name, *args, *mode, *log;
	uint16_t n_queues;
	bool copies;
} rules[] = {
	{ "auto_with_7_queues", "ibdev=mlx5_0", "pointers", "WQEs point to packets (inline=auto", 7,
	  false },
	{ "auto_with_8_queues", "ibdev=mlx5_0", ", inline up to 268 bytes",
	  "WQEs contain packets of up to 268 bytes (inline=auto", 8, true },
	{ "off_with_8_queues", "ibdev=mlx5_0,inline=off", "pointers", "WQEs point to packets\n", 8,
	  false },
	{ "100_bytes_with_1_queue", "ibdev=mlx5_0,inline=100", ", inline up to 100 bytes",
	  "WQEs contain packets of up to 100 bytes\n", 1, true },
};

TEST_F_EACH(inlining, start_reports_what_is_copied, struct rule, rules)
{
	const struct port_rig_config config = { .n_txq = row->n_queues, .n_tx_desc = INLINE_RING };
	struct rte_eth_burst_mode mode;
	struct rte_eth_txq_info info;

	port_rig_remove_port(&self->rig.rig);
	port_rig_add_port_with(&self->rig.rig, row->args);
	ASSERT_EQ(0, port_rig_configure(&self->rig.rig, &config));
	rte_log_set_level_pattern("pmd.net.devx", RTE_LOG_INFO);
	port_rig_read_log();
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.rig.port));
	EXPECT_SUBSTR(row->log, port_rig_read_log());
	rte_log_set_level_pattern("pmd.net.devx", RTE_LOG_NOTICE);
	ASSERT_EQ(0, rte_eth_tx_burst_mode_get(self->rig.rig.port, 0, &mode));
	EXPECT_SUBSTR(row->mode, mode.info);
	EXPECT_EQ(row->copies, strstr(mode.info, "inline") != NULL);
	ASSERT_EQ(0, rte_eth_tx_queue_info_get(self->rig.rig.port, 0, &info));
	EXPECT_EQ(INLINE_RING, info.nb_desc);
	EXPECT_EQ(RTE_ETH_TX_DESC_DONE,
		  rte_eth_tx_descriptor_status(self->rig.rig.port, 0, INLINE_RING - 1));
	EXPECT_EQ(-EINVAL, rte_eth_tx_descriptor_status(self->rig.rig.port, 0, INLINE_RING));
}

/* ethdev keeps the queues that were set up before, when the port had fewer. */
TEST_F(inlining, start_counts_the_queues_that_copy)
{
	const struct rte_eth_conf conf = { 0 };
	const uint16_t port = self->rig.rig.port;

	ASSERT_EQ(0, port_rig_configure(
			     &self->rig.rig,
			     &(struct port_rig_config){ .n_txq = DEVX_ETH_TX_COPY_QUEUES - 1 }));
	ASSERT_EQ(0, rte_eth_dev_configure(port, 1, DEVX_ETH_TX_COPY_QUEUES, &conf));
	ASSERT_EQ(0,
		  rte_eth_tx_queue_setup(port, DEVX_ETH_TX_COPY_QUEUES - 1, INLINE_RING, 0, NULL));
	rte_log_set_level_pattern("pmd.net.devx", RTE_LOG_INFO);
	port_rig_read_log();
	EXPECT_EQ(0, rte_eth_dev_start(port));
	rte_log_set_level_pattern("pmd.net.devx", RTE_LOG_NOTICE);
	EXPECT_SUBSTR("Tx: WQEs of 1 of 8 queues contain packets of up to 268 bytes (inline=auto); "
		      "set the other queues up again\n",
		      port_rig_read_log());
}
