/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include <rte_ip.h>
#include <rte_tcp.h>
#include <rte_version.h>

#include "devx_port.h"
#include "driver_calls.h"
#include "port_rig.h"
#include "prm/prm.h"
#include "rss_rig.h"

/*
 * RSS: the queue of each packet is the one that DPDK's rte_softrss() chooses. It computes the hash
 * of the same bytes in software.
 */

enum { N_QUEUES = 4, RETA = 4, N_FLOWS = 24 };

#define ALL (RTE_ETH_RSS_IP | RTE_ETH_RSS_TCP | RTE_ETH_RSS_UDP)

static uint8_t other_key[RSS_KEY_BYTES] = {
	0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3,
	0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3,
	0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
};

static const struct port_rig_config with_rss = {
	.n_rxq = N_QUEUES,
	.n_rx_desc = 64,
	.eth.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS,
	.eth.rx_adv_conf.rss_conf.rss_hf = ALL,
};

FIXTURE(rss)
{
	struct port_rig rig;
};
FIXTURE_SETUP(rss)
{
	port_rig_up(&self->rig, &with_rss);
}
FIXTURE_TEARDOWN(rss)
{
	port_rig_down(&self->rig);
}

struct arrival {
	struct rte_mbuf *m;
	uint16_t queue;
};

static bool try_all_queues(const struct port_rig *rig, void *arg)
{
	struct arrival *a = arg;

	for (a->queue = 0; a->queue < N_QUEUES; a->queue++)
		if (rte_eth_rx_burst(rig->port, a->queue, &a->m, 1))
			return true;
	return false;
}

/* Sends frames of every kind; each must come out of the queue that software computes. */
static void expect_queues(const struct port_rig *rig, uint64_t hf, const uint8_t *key,
			  const uint16_t *reta, uint32_t n_reta)
{
	unsigned int used = 0;

	FOR_EACH_ROW (kind, rss_kinds) {
		for (uint32_t flow = 0; flow < N_FLOWS; flow++) {
			const uint32_t hash = rss_compute_hash(kind, flow, hf, key);
			struct rte_mbuf *m = rss_make_frame(rig, kind, flow);
			struct arrival a;

			SCOPED_TRACE("flow %u, hash %08x", flow, hash);
			ASSERT_TRUE(port_rig_send(rig, &m, 1));
			ASSERT_TRUE(port_rig_wait_until(try_all_queues, rig, &a));
			EXPECT_EQ(reta[hash & (n_reta - 1)], a.queue);
			EXPECT_EQ(hash ? RTE_MBUF_F_RX_RSS_HASH : 0, a.m->ol_flags);
			if (hash)
				EXPECT_EQ(hash, a.m->hash.rss);
			used |= 1u << a.queue;
			rte_pktmbuf_free(a.m);
		}
	}
	if (hf & ALL)
		EXPECT_LT(1, __builtin_popcount(used)); /* the test would pass with one queue */
}

static const uint16_t reta_default[RETA] = { 0, 1, 2, 3 };

static void get_key(const struct port_rig *rig, uint8_t *key)
{
	struct rte_eth_rss_conf conf = { .rss_key = key, .rss_key_len = RSS_KEY_BYTES };

	ASSERT_EQ(0, rte_eth_dev_rss_hash_conf_get(rig->port, &conf));
	EXPECT_EQ(RSS_KEY_BYTES, conf.rss_key_len);
}

static const struct selection {
	const char *name;
	uint64_t hf;
} selections[] = {
	{ "none", 0 },
	{ "ip", RTE_ETH_RSS_IP },
	{ "ipv6", RTE_ETH_RSS_IPV6 },
	{ "udp", RTE_ETH_RSS_UDP },
	{ "tcp", RTE_ETH_RSS_TCP },
	{ "all", ALL },
	{ "l3_src_only", ALL | RTE_ETH_RSS_L3_SRC_ONLY },
	{ "l3_dst_only", ALL | RTE_ETH_RSS_L3_DST_ONLY },
	{ "l4_src_only", ALL | RTE_ETH_RSS_L4_SRC_ONLY },
	{ "l4_dst_only", ALL | RTE_ETH_RSS_L4_DST_ONLY },
	{ "l3_src_l4_dst_only", ALL | RTE_ETH_RSS_L3_SRC_ONLY | RTE_ETH_RSS_L4_DST_ONLY },
	{ "l3_both_only", ALL | RTE_ETH_RSS_L3_SRC_ONLY | RTE_ETH_RSS_L3_DST_ONLY },
};

/* Each selection starts from the one before, with and without a restart. */
TEST_F(rss, packets_go_to_the_queue_that_software_computes)
{
	uint8_t key[RSS_KEY_BYTES];

	get_key(&self->rig, key);
	expect_queues(&self->rig, ALL, key, reta_default, RETA);
	FOR_EACH_ROW (s, selections) {
		struct rte_eth_rss_conf conf = { .rss_hf = s->hf };

		ASSERT_EQ(0, rte_eth_dev_rss_hash_update(self->rig.port, &conf));
		expect_queues(&self->rig, s->hf, key, reta_default, RETA);
		ASSERT_EQ(0, rte_eth_dev_rss_hash_conf_get(self->rig.port, &conf));
		EXPECT_EQ(rte_eth_rss_hf_refine(s->hf), conf.rss_hf);
	}
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	expect_queues(&self->rig, selections[RTE_DIM(selections) - 1].hf, key, reta_default, RETA);
}

TEST_F(rss, a_new_key_changes_the_queues)
{
	struct rte_eth_rss_conf conf = { other_key, RSS_KEY_BYTES, ALL };
	uint8_t key[RSS_KEY_BYTES];

	ASSERT_EQ(0, rte_eth_dev_rss_hash_update(self->rig.port, &conf));
	get_key(&self->rig, key);
	EXPECT_MEMEQ(other_key, key, RSS_KEY_BYTES);
	expect_queues(&self->rig, ALL, other_key, reta_default, RETA);
}

TEST_F(rss, a_key_that_repeats_two_bytes_is_symmetric)
{
	uint8_t key[RSS_KEY_BYTES];
	struct rte_eth_rss_conf conf = { key, RSS_KEY_BYTES, ALL };

	for (int i = 0; i < RSS_KEY_BYTES; i++)
		key[i] = i & 1 ? 0x5a : 0x6d;
	ASSERT_EQ(0, rte_eth_dev_rss_hash_update(self->rig.port, &conf));
	for (uint32_t flow = 0; flow < N_FLOWS; flow++) {
		struct rte_mbuf *m[2] = {
			rss_make_frame(&self->rig, &rss_kinds[RSS_IPV4_TCP], flow),
			rss_make_frame(&self->rig, &rss_kinds[RSS_IPV4_TCP], flow)
		};
		struct rte_ipv4_hdr *ip = rte_pktmbuf_mtod_offset(m[1], struct rte_ipv4_hdr *, 14);
		struct rte_tcp_hdr *tcp = (struct rte_tcp_hdr *)(ip + 1);
		struct arrival there, back;

		RTE_SWAP(ip->src_addr, ip->dst_addr);
		RTE_SWAP(tcp->src_port, tcp->dst_port);
		ASSERT_TRUE(port_rig_send(&self->rig, &m[0], 1));
		ASSERT_TRUE(port_rig_wait_until(try_all_queues, &self->rig, &there));
		ASSERT_TRUE(port_rig_send(&self->rig, &m[1], 1));
		ASSERT_TRUE(port_rig_wait_until(try_all_queues, &self->rig, &back));
		EXPECT_EQ(there.queue, back.queue);
		rte_pktmbuf_free(there.m);
		rte_pktmbuf_free(back.m);
	}
}

TEST_F(rss, a_new_table_changes_the_queues)
{
	static const uint16_t reversed[RETA] = { 3, 2, 1, 0 };
	struct rte_eth_rss_reta_entry64 first = { 1, { 3 } };
	uint16_t large[128];
	uint8_t key[RSS_KEY_BYTES];

	for (uint16_t i = 0; i < RTE_DIM(large); i++)
		large[i] = i * 7 % N_QUEUES;
	rss_expect_reta(&self->rig, reta_default, RETA);
	get_key(&self->rig, key);
	ASSERT_EQ(0, rss_update_reta(&self->rig, reversed, RETA));
	rss_expect_reta(&self->rig, reversed, RETA);
	expect_queues(&self->rig, ALL, key, reversed, RETA);
	ASSERT_EQ(0, rss_update_reta(&self->rig, large, RTE_DIM(large)));
	rss_expect_reta(&self->rig, large, RTE_DIM(large));
	expect_queues(&self->rig, ALL, key, large, RTE_DIM(large));
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	expect_queues(&self->rig, ALL, key, large, RTE_DIM(large));
	/* entries that a larger table adds are 0, as with net_mlx5 */
	ASSERT_EQ(0, rss_update_reta(&self->rig, reversed, RETA));
	ASSERT_EQ(0, rte_eth_dev_rss_reta_update(self->rig.port, &first, 2 * RETA));
	rss_expect_reta(&self->rig, (const uint16_t[2 * RETA]){ 3, 2, 1, 0 }, 2 * RETA);
}

/* Packets are in flight while the table, the key and the functions change. */
TEST_F(rss, updates_lose_and_double_no_packet)
{
	static const uint16_t reversed[RETA] = { 3, 2, 1, 0 };
	struct rte_mbuf *m[PORT_RIG_BURST];
	unsigned int sent = 0, received = 0;

	for (int round = 0; round < 60; round++) {
		struct rte_eth_rss_conf conf = { round & 1 ? other_key : NULL,
						 round & 1 ? RSS_KEY_BYTES : 0,
						 selections[round % RTE_DIM(selections)].hf };
		struct arrival a;

		for (int i = 0; i < PORT_RIG_BURST; i++)
			m[i] = rss_make_frame(&self->rig, &rss_kinds[i % RTE_DIM(rss_kinds)],
					      (uint32_t)i);
		ASSERT_TRUE(port_rig_send(&self->rig, m, PORT_RIG_BURST));
		sent += PORT_RIG_BURST;
		ASSERT_EQ(0,
			  rss_update_reta(&self->rig, round & 1 ? reversed : reta_default, RETA));
		ASSERT_EQ(0, rte_eth_dev_rss_hash_update(self->rig.port, &conf));
		while (received < sent) {
			ASSERT_TRUE(port_rig_wait_until(try_all_queues, &self->rig, &a));
			rte_pktmbuf_free(a.m);
			received++;
		}
		EXPECT_FALSE(try_all_queues(&self->rig, &a));
	}
}

/* As with net_mlx5, a request with a pointer to a key of 0 bytes changes the functions alone. */
TEST_F(rss, update_with_a_key_of_0_bytes_keeps_the_key)
{
	uint8_t key[40], now[40], other[1] = { 0xaa };
	struct rte_eth_rss_conf conf = { key, sizeof(key), ALL };
	struct port_rig_config config = with_rss;

	for (size_t i = 0; i < sizeof(key); i++)
		key[i] = (uint8_t)(i + 1);
	ASSERT_EQ(0, rte_eth_dev_rss_hash_update(self->rig.port, &conf));
	conf = (struct rte_eth_rss_conf){ other, 0, RTE_ETH_RSS_IP };
#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
	/* ethdev refuses the length itself; without a key it asks the driver */
	EXPECT_EQ(-EINVAL, rte_eth_dev_rss_hash_update(self->rig.port, &conf));
	conf.rss_key = NULL;
#endif
	EXPECT_EQ(0, rte_eth_dev_rss_hash_update(self->rig.port, &conf));
	conf = (struct rte_eth_rss_conf){ now, sizeof(now), 0 };
	ASSERT_EQ(0, rte_eth_dev_rss_hash_conf_get(self->rig.port, &conf));
	EXPECT_MEMEQ(key, now, sizeof(key));
	EXPECT_EQ(0, conf.rss_hf & RTE_ETH_RSS_NONFRAG_IPV4_UDP);
	EXPECT_NE(0, conf.rss_hf & RTE_ETH_RSS_IPV4);

	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	config.eth.rx_adv_conf.rss_conf = (struct rte_eth_rss_conf){ other, 0, ALL };
	EXPECT_EQ(-EINVAL, port_rig_configure(&self->rig, &config));
}

/* Receives a packet from the queue whose number is in @arg, and frees it. */
static bool receive_and_free(const struct port_rig *rig, void *arg)
{
	const uint16_t *queue = arg;
	struct rte_mbuf *m;

	if (!rte_eth_rx_burst(rig->port, *queue, &m, 1))
		return false;
	rte_pktmbuf_free(m);
	return true;
}

/* Three queues: a table of the largest size, as net_mlx5 has it. */
TEST_F(rss, the_number_of_queues_determines_the_table)
{
	struct port_rig_config config = with_rss;
	uint16_t reta[512];
	uint8_t key[RSS_KEY_BYTES];

	for (unsigned int i = 0; i < RTE_DIM(reta); i++)
		reta[i] = i % 3;
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	config.n_rxq = 3;
	ASSERT_EQ(0, port_rig_configure(&self->rig, &config));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	rss_expect_reta(&self->rig, reta, RTE_DIM(reta));
	get_key(&self->rig, key);
	for (uint32_t flow = 0; flow < N_FLOWS; flow++) {
		struct rte_mbuf *m = rss_make_frame(&self->rig, &rss_kinds[RSS_IPV4_UDP], flow);
		const uint32_t hash = rss_compute_hash(&rss_kinds[RSS_IPV4_UDP], flow, ALL, key);

		ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
		ASSERT_TRUE(port_rig_wait_until(receive_and_free, &self->rig, &reta[hash % 512]));
	}
}

/* A device may refuse a TIR that hashes nothing on a table of several queues. */
TEST_F(rss, packets_without_hash_have_a_table_of_one_entry)
{
	struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[self->rig.port]);
	const struct devx_tir *tir = &eth->hash.classes[DEVX_ETH_REST].tir;
	const struct devx_rqt *rqt = &eth->hash.first_rqt;
	struct prm_query_tir_in tir_in = { 0 };
	struct prm_query_tir_out tir_out = { 0 };
	struct prm_query_rqt_in rqt_in = { 0 };
	struct prm_query_rqt_out rqt_out = { 0 };

	prm_set(&tir_in, opcode, PRM_OP_query_tir);
	prm_set(&tir_in, tirn, tir->tirn);
	ASSERT_EQ(0, driver_calls_query(&eth->dev, tir->obj, &tir_in, sizeof(tir_in), &tir_out,
					sizeof(tir_out)));
	EXPECT_EQ(rqt->rqtn, prm_get(prm_sub(&tir_out, tir_context), indirect_table));
	prm_set(&rqt_in, opcode, PRM_OP_query_rqt);
	prm_set(&rqt_in, rqtn, rqt->rqtn);
	ASSERT_EQ(0, driver_calls_query(&eth->dev, rqt->obj, &rqt_in, sizeof(rqt_in), &rqt_out,
					sizeof(rqt_out)));
	EXPECT_EQ(1, prm_get(prm_sub(&rqt_out, rqt_context), rqt_actual_size));
}

static const struct failing_update {
	const char *name;
	bool table;
} failing_updates[] = { { "hash", false }, { "table", true } };

/* The k-th command of an update fails, for every k; the old state must remain. */
TEST_F_EACH(rss, failed_update_keeps_the_old_state, struct failing_update, failing_updates)
{
	static const uint16_t reversed[RETA] = { 3, 2, 1, 0 };
	const struct port_rig *rig = &self->rig;
	struct rte_eth_rss_conf start = { .rss_hf = RTE_ETH_RSS_UDP | RTE_ETH_RSS_IPV6 };
	struct devx_emu_counters then;
	uint8_t key[RSS_KEY_BYTES];
	int k, rc = -1;

	NEEDS_EMU("to make calls fail");
	get_key(rig, key);
	ASSERT_EQ(0, rte_eth_dev_rss_hash_update(rig->port, &start));
	then = port_rig_get_counters(rig);
	for (k = 0; k < 50; k++) {
		struct rte_eth_rss_conf next = { other_key, RSS_KEY_BYTES,
						 ALL | RTE_ETH_RSS_L3_SRC_ONLY };

		SCOPED_TRACE("command %d fails", k);
		port_rig_read_log();
		rig->emu->fail(DEVX_EMU_FAIL_COMMAND, k, 0);
		rc = row->table ? rss_update_reta(rig, reversed, RETA)
				: rte_eth_dev_rss_hash_update(rig->port, &next);
		rig->emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
		if (!rc)
			break;
		EXPECT_EQ(-EIO, rc);
		EXPECT_SUBSTR("cannot c", port_rig_read_log());
		port_rig_expect_objects(rig, &then);
		expect_queues(rig, start.rss_hf, key, reta_default, RETA);
	}
	EXPECT_EQ(0, rc);
	EXPECT_LE(row->table ? 2 : 9, k);
	expect_queues(rig, row->table ? start.rss_hf : ALL | RTE_ETH_RSS_L3_SRC_ONLY,
		      row->table ? key : other_key, row->table ? reversed : reta_default, RETA);
}

TEST_F_EACH(rss, failed_start_leaves_nothing_behind, struct failing_update, failing_updates)
{
	const struct port_rig *rig = &self->rig;
	const enum devx_emu_fail what = row->table ? DEVX_EMU_FAIL_IOCTL : DEVX_EMU_FAIL_COMMAND;
	struct devx_emu_counters then;
	int k;

	NEEDS_EMU("to make calls fail");
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	then = port_rig_get_counters(rig);
	for (k = 0; k < 300; k++) {
		SCOPED_TRACE("call %d fails", k);
		rig->emu->fail(what, k, 0);
		const int rc = rte_eth_dev_start(rig->port);
		const bool fired = rig->emu->fail_pending(what) < 0;

		rig->emu->fail(what, -1, 0);
		if (!rc)
			EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
		port_rig_expect_objects(rig, &then);
		if (!fired)
			break;
	}
	EXPECT_LT(k, 300);
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
}
