/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "devx_rxq.h"
#include "port_rig.h"
#include "rss_rig.h"

/* A CQ of one of several queues with RSS fails: the table of queues follows the new RQ. */

enum { N_QUEUES = 4, BROKEN = 2, N_FLOWS = 24 };

static const struct port_rig_config with_rss = {
	.n_rxq = N_QUEUES,
	.n_rx_desc = 64,
	.eth.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS,
	.eth.rx_adv_conf.rss_conf.rss_hf = RTE_ETH_RSS_IP | RTE_ETH_RSS_UDP,
};

FIXTURE(rss_recovery)
{
	struct port_rig rig;
	uint8_t key[RSS_KEY_BYTES];
};
FIXTURE_SETUP(rss_recovery)
{
	struct rte_eth_rss_conf conf = { .rss_key = self->key, .rss_key_len = RSS_KEY_BYTES };

	port_rig_up(&self->rig, &with_rss);
	ASSERT_EQ(0, rte_eth_dev_rss_hash_conf_get(self->rig.port, &conf));
	NEEDS_EMU("to let a CQ fail");
}
FIXTURE_TEARDOWN(rss_recovery)
{
	port_rig_down(&self->rig);
}

static struct devx_eth_rxq *get_rxq(const struct port_rig *rig, uint16_t queue)
{
	return rte_eth_devices[rig->port].data->rx_queues[queue];
}

struct arrival {
	struct rte_mbuf *m;
	uint16_t queue;
};

/* Bursts on the expected queue only. */
static bool try_queue(const struct port_rig *rig, void *arg)
{
	struct arrival *a = arg;

	return rte_eth_rx_burst(rig->port, a->queue, &a->m, 1);
}

/* Sends a frame of each flow, except those of queue @except. Each arrives in its queue, whole. */
static void expect_flows(struct ct_fix_rss_recovery *self, const uint16_t *reta, uint32_t n_reta,
			 int except)
{
	const struct rss_kind *kind = &rss_kinds[RSS_IPV4_UDP];
	const uint64_t hf = with_rss.eth.rx_adv_conf.rss_conf.rss_hf;
	unsigned int used = 0;

	for (uint32_t flow = 0; flow < N_FLOWS; flow++) {
		const uint32_t hash = rss_compute_hash(kind, flow, hf, self->key);
		struct arrival a = { .queue = reta[hash & (n_reta - 1)] };
		struct rte_mbuf *m, *want;

		SCOPED_TRACE("flow %u of queue %u", flow, a.queue);
		if (a.queue == except)
			continue;
		m = rss_make_frame(&self->rig, kind, flow);
		ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
		ASSERT_TRUE(port_rig_wait_until(try_queue, &self->rig, &a));
		want = rss_make_frame(&self->rig, kind, flow);
		EXPECT_EQ(want->pkt_len, a.m->pkt_len);
		EXPECT_MEMEQ(rte_pktmbuf_mtod(want, void *), rte_pktmbuf_mtod(a.m, void *),
			     want->pkt_len);
		rte_pktmbuf_free(want);
		rte_pktmbuf_free(a.m);
		used |= 1u << a.queue;
	}
	EXPECT_LT(1, __builtin_popcount(used));
	EXPECT_EQ(except < 0, used >> BROKEN & 1);
}

static bool is_failed(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(arg);
	return __atomic_load_n(&get_rxq(rig, BROKEN)->owner, __ATOMIC_ACQUIRE) == DEVX_ETH_FAILED;
}

static bool is_repaired(const struct port_rig *rig, void *before)
{
	struct rte_mbuf *m;

	if (rte_eth_rx_burst(rig->port, BROKEN, &m, 1))
		rte_pktmbuf_free(m);
	return __atomic_load_n(&get_rxq(rig, BROKEN)->owner, __ATOMIC_ACQUIRE) ==
		       DEVX_ETH_RUNNING &&
	       get_rxq(rig, BROKEN)->n.cq_errors > *(uint64_t *)before;
}

static void expect_repair(struct ct_fix_rss_recovery *self)
{
	uint64_t before = get_rxq(&self->rig, BROKEN)->n.cq_errors;

	EXPECT_TRUE(port_rig_wait_until(is_repaired, &self->rig, &before));
}

static void fail_cq(struct ct_fix_rss_recovery *self)
{
	const uint32_t cqn = get_rxq(&self->rig, BROKEN)->cq.cqn;

	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, cqn));
	ASSERT_TRUE(port_rig_wait_until(is_failed, &self->rig, NULL));
}

TEST_F(rss_recovery, other_queues_go_on_and_the_table_names_the_new_queue)
{
	static const uint16_t reta[] = { 0, 1, 2, 3 };
	uint32_t before[N_QUEUES];

	for (uint32_t round = 0; round < 2; round++) {
		for (uint16_t i = 0; i < N_QUEUES; i++)
			before[i] = get_rxq(&self->rig, i)->rq.rqn;
		fail_cq(self);
		expect_flows(self, reta, RTE_DIM(reta), BROKEN);
		expect_repair(self);
		expect_flows(self, reta, RTE_DIM(reta), -1);
		for (uint16_t i = 0; i < N_QUEUES; i++)
			EXPECT_EQ(i != BROKEN, before[i] == get_rxq(&self->rig, i)->rq.rqn);
		EXPECT_SUBSTR("Rx queue 2: error of its CQ", port_rig_read_log());
	}
}

/* The new table is smaller or larger than the first one, and names the broken queue twice. */
TEST_F(rss_recovery, the_table_may_change_before_and_after_the_repair)
{
	static const uint16_t small[] = { 2, 1 }, large[] = { 3, 2, 0, 1, 2, 2, 1, 0 };

	fail_cq(self);
	ASSERT_EQ(0, rss_update_reta(&self->rig, large, RTE_DIM(large)));
	expect_flows(self, large, RTE_DIM(large), BROKEN);
	expect_repair(self);
	expect_flows(self, large, RTE_DIM(large), -1);
	ASSERT_EQ(0, rss_update_reta(&self->rig, small, RTE_DIM(small)));
	expect_flows(self, small, RTE_DIM(small), -1);
}

/* An ARP packet has no fields to hash. */
static void expect_unhashed(const struct ct_fix_rss_recovery *self, uint16_t queue)
{
	const struct rss_kind *arp = &rss_kinds[RSS_N_KINDS - 1];
	struct rte_mbuf *m = rss_make_frame(&self->rig, arp, 0);
	struct arrival a = { .queue = queue };

	ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
	ASSERT_TRUE(port_rig_wait_until(try_queue, &self->rig, &a));
	EXPECT_EQ(0, a.m->ol_flags);
	rte_pktmbuf_free(a.m);
}

/*
 * Entry 0 names the broken queue, so a repair changes two tables. The k-th command of the repair
 * fails, up to the second change. The next attempt finds both tables as they were.
 */
TEST_F(rss_recovery, packets_without_hash_follow_the_new_queue_of_entry_0)
{
	static const uint16_t reta[] = { BROKEN, 1 };
	struct port_rig *rig = &self->rig;
	unsigned int n_tables = 0;

	ASSERT_EQ(0, rss_update_reta(rig, reta, RTE_DIM(reta)));
	for (int k = 0; n_tables < 2; k++) {
		const char *log;

		SCOPED_TRACE("command %d fails", k);
		port_rig_read_log();
		rig->emu->fail(DEVX_EMU_FAIL_COMMAND, k, 0);
		fail_cq(self);
		expect_repair(self);
		rig->emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
		log = port_rig_read_log();
		ASSERT_NE(NULL, strstr(log, "cannot restart the queue"));
		n_tables += !!strstr(log, "firmware refused MODIFY_RQT");
		expect_unhashed(self, BROKEN);
		expect_flows(self, reta, RTE_DIM(reta), -1);
	}
	fail_cq(self);
	expect_repair(self);
	expect_unhashed(self, BROKEN);
}

/* A stopped queue whose CQ failed gets its new objects with its next start. */
TEST_F(rss_recovery, a_queue_that_was_stopped_meanwhile_takes_its_flows_again)
{
	static const uint16_t reta[] = { 0, 1, 2, 3 };

	ASSERT_EQ(0, rte_eth_dev_rx_queue_stop(self->rig.port, BROKEN));
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR,
					   get_rxq(&self->rig, BROKEN)->cq.cqn));
	expect_flows(self, reta, RTE_DIM(reta), BROKEN);
	ASSERT_EQ(0, rte_eth_dev_rx_queue_start(self->rig.port, BROKEN));
	expect_repair(self);
	expect_flows(self, reta, RTE_DIM(reta), -1);
}
