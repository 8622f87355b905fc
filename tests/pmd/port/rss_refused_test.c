/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "port_rig.h"
#include "rss_rig.h"

/* Settings of RSS that the driver refuses in one line. The port keeps what it has. */

enum { N_QUEUES = 4, RETA = 4 };

#define ALL (RTE_ETH_RSS_IP | RTE_ETH_RSS_TCP | RTE_ETH_RSS_UDP)

static const struct port_rig_config with_rss = {
	.n_rxq = N_QUEUES,
	.eth.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS,
	.eth.rx_adv_conf.rss_conf.rss_hf = ALL,
};

FIXTURE(rss_refused)
{
	struct port_rig rig;
};
FIXTURE_SETUP(rss_refused)
{
	port_rig_up(&self->rig, &with_rss);
}
FIXTURE_TEARDOWN(rss_refused)
{
	port_rig_down(&self->rig);
}

static const uint16_t reta_default[RETA] = { 0, 1, 2, 3 };

static const struct bad_conf {
	const char *name, *says;
	uint64_t hf;
	uint8_t key_bytes;
} bad_confs[] = {
	{ "ethernet", "0x", RTE_ETH_RSS_ETH, 0 },
	{ "sctp", "0x", RTE_ETH_RSS_NONFRAG_IPV4_SCTP, 0 },
	{ "port", "0x", RTE_ETH_RSS_PORT, 0 },
	{ "vxlan", "0x", RTE_ETH_RSS_VXLAN, 0 },
	{ "short_key", "39", ALL, 39 },
	{ "long_key", "52", ALL, 52 },
};

TEST_F_EACH(rss_refused, bad_configuration_is_refused_in_one_line, struct bad_conf, bad_confs)
{
	uint8_t key[52] = { 0 };
	struct rte_eth_rss_conf conf = { row->key_bytes ? key : NULL, row->key_bytes, row->hf };
	struct port_rig_config config = with_rss;
	struct rte_eth_rss_conf now = { 0 };
	const char *log;

	port_rig_read_log();
	EXPECT_EQ(-EINVAL, rte_eth_dev_rss_hash_update(self->rig.port, &conf));
	log = port_rig_read_log();
	EXPECT_SUBSTR(row->says, log);
	EXPECT_EQ(log + strlen(log) - 1, strchr(log, '\n'));
	ASSERT_EQ(0, rte_eth_dev_rss_hash_conf_get(self->rig.port, &now));
	EXPECT_EQ(ALL, now.rss_hf);

	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	config.eth.rx_adv_conf.rss_conf = conf;
	EXPECT_EQ(-EINVAL, port_rig_configure(&self->rig, &config));
	EXPECT_SUBSTR(row->says, port_rig_read_log());
	ASSERT_EQ(0, port_rig_configure(&self->rig, &with_rss));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}

static const struct bad_table {
	const char *name, *says;
	uint16_t n, queue;
} bad_tables[] = {
	{ "three_entries", "3 entries", 3, 0 },
	{ "too_large", "1024 entries", 1024, 0 },
	{ "no_such_queue", "4", RETA, N_QUEUES },
};

TEST_F_EACH(rss_refused, bad_table_is_refused_in_one_line, struct bad_table, bad_tables)
{
	uint16_t reta[1024];
	const char *log;

	for (unsigned int i = 0; i < RTE_DIM(reta); i++)
		reta[i] = row->queue;
	port_rig_read_log();
	EXPECT_EQ(-EINVAL, rss_update_reta(&self->rig, reta, row->n));
	log = port_rig_read_log();
	EXPECT_SUBSTR(row->says, log);
	EXPECT_EQ(log + strlen(log) - 1, strchr(log, '\n'));
	rss_expect_reta(&self->rig, reta_default, RETA);
}

TEST_F(rss_refused, other_modes_of_several_queues_are_refused)
{
	struct port_rig_config config = with_rss;

	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	config.eth.rxmode.mq_mode = RTE_ETH_MQ_RX_DCB;
	EXPECT_EQ(-ENOTSUP, port_rig_configure(&self->rig, &config));
	EXPECT_SUBSTR("RTE_ETH_MQ_RX_RSS", port_rig_read_log());
	ASSERT_EQ(0, port_rig_configure(&self->rig, &with_rss));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
}
