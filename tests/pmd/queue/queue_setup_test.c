/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "port_rig.h"

/* Valid and invalid ring sizes and pools. */

FIXTURE(queue_setup)
{
	struct port_rig rig;
};
FIXTURE_SETUP(queue_setup)
{
	port_rig_probe(&self->rig);
}
FIXTURE_TEARDOWN(queue_setup)
{
	port_rig_down(&self->rig);
}

static const struct ring_size {
	const char *name;
	uint16_t n;
	bool good;
	uint16_t becomes;
} ring_sizes[] = {
	{ "3", 3, false, 0 },
	{ "63", 63, false, 0 },
	{ "64", 64, true, 64 },
	{ "1000", 1000, true, 1024 },
	{ "65535", UINT16_MAX, false, 0 },
};

TEST_F_EACH(queue_setup, receive_ring_is_rounded_or_refused, struct ring_size, ring_sizes)
{
	const struct port_rig_config config = { .n_rx_desc = row->n };
	struct rte_eth_rxq_info info;

	ASSERT_EQ(row->good ? 0 : -EINVAL, port_rig_configure(&self->rig, &config));
	if (!row->good) {
		EXPECT_SUBSTR("nb_rx_desc", port_rig_read_log());
		return;
	}
	ASSERT_EQ(0, rte_eth_rx_queue_info_get(self->rig.port, 0, &info));
	EXPECT_EQ(row->becomes, info.nb_desc);
	EXPECT_EQ(0, rte_eth_dev_start(self->rig.port));
}

TEST_F_EACH(queue_setup, send_ring_is_rounded_or_refused, struct ring_size, ring_sizes)
{
	const struct port_rig_config config = { .n_tx_desc = row->n };
	struct rte_eth_txq_info info;

	ASSERT_EQ(row->good ? 0 : -EINVAL, port_rig_configure(&self->rig, &config));
	if (!row->good) {
		EXPECT_SUBSTR("nb_tx_desc", port_rig_read_log());
		return;
	}
	ASSERT_EQ(0, rte_eth_tx_queue_info_get(self->rig.port, 0, &info));
	EXPECT_EQ(row->becomes, info.nb_desc);
	EXPECT_EQ(0, rte_eth_dev_start(self->rig.port));
}

/** struct thresholds - thresholds of a ring of 100 descriptors, which has 128 */
static const struct thresholds {
	const char *name;
	uint16_t tx_free, tx_rs, rx_free;
	const char *says; /* NULL: accepted */
} thresholds[] = {
	{ "none", 0, 0, 0, NULL },
	{ "ring", 128, 128, 128, NULL },
	{ "tx_free", 129, 0, 0, "Tx queue 0: tx_free_thresh of 129 is beyond the ring" },
	{ "tx_rs", 0, 65535, 0, "Tx queue 0: tx_rs_thresh of 65535 is beyond the ring" },
	{ "rx_free", 0, 0, 129, "Rx queue 0: rx_free_thresh of 129 is beyond the ring" },
};

TEST_F_EACH(queue_setup, threshold_beyond_the_ring_is_refused, struct thresholds, thresholds)
{
	const struct rte_eth_txconf tx = { .tx_free_thresh = row->tx_free,
					   .tx_rs_thresh = row->tx_rs };
	const struct rte_eth_rxconf rx = { .rx_free_thresh = row->rx_free };
	const struct rte_eth_conf conf = { 0 };
	const uint16_t port = self->rig.port;

	ASSERT_EQ(0, rte_eth_dev_configure(port, 1, 1, &conf));
	port_rig_read_log();
	EXPECT_EQ(row->rx_free > 128 ? -EINVAL : 0,
		  rte_eth_rx_queue_setup(port, 0, 100, 0, &rx, self->rig.pool));
	EXPECT_EQ(row->tx_free > 128 || row->tx_rs > 128 ? -EINVAL : 0,
		  rte_eth_tx_queue_setup(port, 0, 100, 0, &tx));
	if (row->says)
		EXPECT_SUBSTR(row->says, port_rig_read_log());
	else
		EXPECT_EQ(0, rte_eth_dev_start(port));
}

/** struct mode - mode of a configuration that the port would otherwise ignore */
static const struct mode {
	const char *name;
	enum rte_eth_tx_mq_mode tx;
	uint32_t lpbk;
	const char *says;
} modes[] = {
	{ "DCB", RTE_ETH_MQ_TX_DCB, 0, "multi-queue Tx mode 0x1 is unsupported" },
	{ "VMDQ_DCB", RTE_ETH_MQ_TX_VMDQ_DCB, 0, "multi-queue Tx mode 0x2 is unsupported" },
	{ "VMDQ", RTE_ETH_MQ_TX_VMDQ_ONLY, 0, "multi-queue Tx mode 0x3 is unsupported" },
	{ "loopback_2", RTE_ETH_MQ_TX_NONE, 2, "lpbk_mode: 2 is unsupported" },
	{ "loopback_max", RTE_ETH_MQ_TX_NONE, UINT32_MAX, "lpbk_mode: 4294967295 is unsupported" },
};

TEST_F_EACH(queue_setup, mode_without_effect_is_refused, struct mode, modes)
{
	const struct port_rig_config config = { .eth.txmode.mq_mode = row->tx,
						.eth.lpbk_mode = row->lpbk };

	port_rig_read_log();
	EXPECT_EQ(-ENOTSUP, port_rig_configure(&self->rig, &config));
	EXPECT_SUBSTR(row->says, port_rig_read_log());
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	EXPECT_EQ(0, rte_eth_dev_start(self->rig.port));
}

TEST_F(queue_setup, refuses_a_pool_with_buffers_smaller_than_a_frame)
{
	struct rte_mempool *small =
		rte_pktmbuf_pool_create("small", 1023, 0, 0, RTE_PKTMBUF_HEADROOM + 1517, 0);
	const struct rte_eth_conf conf = { 0 };

	ASSERT_NE(NULL, small);
	EXPECT_EQ(0, rte_eth_dev_configure(self->rig.port, 1, 1, &conf));
	EXPECT_EQ(-EINVAL, rte_eth_rx_queue_setup(self->rig.port, 0, 256, 0, NULL, small));
	EXPECT_SUBSTR("data room of at least 1646 bytes", port_rig_read_log());
	mbuf_pool_free(small);
}

TEST_F(queue_setup, refuses_a_pool_with_too_few_buffers)
{
	struct rte_mempool *few =
		rte_pktmbuf_pool_create("few", 100, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, 0);
	const struct rte_eth_conf conf = { 0 };
	struct devx_emu_counters then;

	ASSERT_NE(NULL, few);
	ASSERT_EQ(0, port_rig_configure(&self->rig, &(struct port_rig_config){ 0 }));
	then = port_rig_start_and_stop(&self->rig);
	ASSERT_EQ(0, rte_eth_dev_configure(self->rig.port, 1, 1, &conf));
	ASSERT_EQ(0, rte_eth_rx_queue_setup(self->rig.port, 0, 256, 0, NULL, few));
	ASSERT_EQ(0, rte_eth_tx_queue_setup(self->rig.port, 0, 256, 0, NULL));
	EXPECT_EQ(-ENOMEM, rte_eth_dev_start(self->rig.port));
	EXPECT_SUBSTR("pool few has 100 free buffers", port_rig_read_log());
	port_rig_expect_objects(&self->rig, &then);
	mbuf_pool_free(few);
}
