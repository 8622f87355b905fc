/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include <rte_epoll.h>

#include "devx_generator.h"
#include "devx_rxq.h"
#include "devx_txq.h"
#include "loss_rig.h"
#include "rte_pmd_devx.h"
#include "wait_limit.h"

/* After the recovery of its device a port has the settings that it had before. */

enum { N_QUEUES = 2, FRAME = 100 };

FIXTURE(device_settings)
{
	struct port_rig rig;
	struct devx_emu_counters before; /* counters of the started port */
};
FIXTURE_SETUP(device_settings)
{
	port_rig_up(&self->rig,
		    &(struct port_rig_config){
			    .n_rxq = N_QUEUES,
			    .n_txq = N_QUEUES,
			    .eth.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS,
			    .eth.rxmode.offloads = RTE_ETH_RX_OFFLOAD_VLAN_FILTER,
			    .eth.rx_adv_conf.rss_conf.rss_hf = RTE_ETH_RSS_IP | RTE_ETH_RSS_UDP,
			    .eth.intr_conf = { .rmv = 1, .rxq = 1 } });
	NEEDS_EMU("to let the device fail");
	loss_rig_listen();
}
FIXTURE_TEARDOWN(device_settings)
{
	loss_rig_forget();
	port_rig_down(&self->rig);
}

static void lose_and_recover(const struct port_rig *rig)
{
	const unsigned int n = loss_seen.n_success;

	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_FATAL);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, n + 1));
}

/* Counts frames on queue 1, and waits until one came. */
static bool has_come(const struct port_rig *rig, void *n)
{
	struct rte_mbuf *m;

	if (!rte_eth_rx_burst(rig->port, 1, &m, 1))
		return false;
	rte_pktmbuf_free(m);
	++*(unsigned int *)n;
	return true;
}

/* Sends a frame to @mac, and expects it on queue 1. */
static void expect_received(const struct port_rig *rig, const struct rte_ether_addr *mac)
{
	struct rte_mbuf *m = port_rig_make_packet(rig, FRAME, 1);
	unsigned int n = 0;

	ASSERT_NE(NULL, m);
	rte_pktmbuf_mtod(m, struct rte_ether_hdr *)->dst_addr = *mac;
	ASSERT_TRUE(port_rig_send(rig, &m, 1));
	EXPECT_TRUE(port_rig_wait_until(has_come, rig, &n));
	EXPECT_EQ(1, n);
}

TEST_F(device_settings, filters_and_rss_come_back)
{
	static struct rte_ether_addr other = { { 0x02, 0, 0, 0, 1, 1 } };
	static struct rte_ether_addr group = { { 0x01, 0, 0x5e, 0, 0, 5 } };
	struct rte_eth_rss_reta_entry64 reta[2] = { { .mask = UINT64_MAX } };
	struct port_rig *rig = &self->rig;
	struct devx_emu_counters before;

	for (unsigned int i = 0; i < 64; i++)
		reta[0].reta[i] = 1;
	ASSERT_EQ(0, rte_eth_dev_rss_reta_update(rig->port, reta, 64));
	ASSERT_EQ(0, rte_eth_dev_mac_addr_add(rig->port, &other, 0));
	ASSERT_EQ(0, rte_eth_dev_set_mc_addr_list(rig->port, &group, 1));
	before = port_rig_get_counters(rig);
	expect_received(rig, &other);
	lose_and_recover(rig);
	port_rig_expect_objects(rig, &before);
	expect_received(rig, &other);
	expect_received(rig, &rig->mac);
}

enum { MARK = FRAME + 60, VLAN = 5 };

struct tagged {
	unsigned int n, n_marks;
};

/* Counts frames, until the longer one came. */
static bool has_mark_come(const struct port_rig *rig, void *arg)
{
	struct tagged *seen = arg;
	struct rte_mbuf *m;

	for (uint16_t i = 0; i < N_QUEUES; i++)
		if (rte_eth_rx_burst(rig->port, i, &m, 1)) {
			seen->n_marks += m->pkt_len > MARK;
			seen->n += m->pkt_len <= MARK;
			rte_pktmbuf_free(m);
		}
	return seen->n_marks;
}

/* Sends a frame with tag @vlan before a longer one with tag VLAN. Did the first come? */
static bool comes_with_tag(const struct port_rig *rig, uint16_t vlan)
{
	struct rte_mbuf *m[2] = { port_rig_make_packet(rig, FRAME, 1),
				  port_rig_make_packet(rig, MARK, 1) };
	struct tagged seen = { 0 };

	m[0]->vlan_tci = vlan;
	m[1]->vlan_tci = VLAN;
	EXPECT_EQ(0, rte_vlan_insert(&m[0]));
	EXPECT_EQ(0, rte_vlan_insert(&m[1]));
	EXPECT_TRUE(port_rig_send(rig, m, 2));
	EXPECT_TRUE(port_rig_wait_until(has_mark_come, rig, &seen));
	return seen.n;
}

TEST_F(device_settings, vlan_filter_comes_back)
{
	const struct port_rig *rig = &self->rig;

	ASSERT_EQ(0, rte_eth_dev_vlan_filter(rig->port, VLAN, 1));
	EXPECT_TRUE(comes_with_tag(rig, VLAN));
	EXPECT_FALSE(comes_with_tag(rig, VLAN + 1));
	lose_and_recover(rig);
	EXPECT_TRUE(comes_with_tag(rig, VLAN));
	EXPECT_FALSE(comes_with_tag(rig, VLAN + 1));
}

/* Keeps the first packet that comes in *@arg. */
static bool keep_first(const struct port_rig *rig, void *arg)
{
	struct rte_mbuf **m = arg;

	for (uint16_t i = 0; i < N_QUEUES && !*m; i++)
		rte_eth_rx_burst(rig->port, i, m, 1);
	return *m;
}

/* The port gets another burst function while it has no device. */
TEST_F(device_settings, vlan_stripping_chosen_meanwhile_gives_the_tag)
{
	const struct port_rig *rig = &self->rig;
	struct rte_mbuf *m = port_rig_make_packet(rig, FRAME, 1);

	ASSERT_EQ(0, rte_eth_dev_vlan_filter(rig->port, VLAN, 1));
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_REMOVE);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_recovering, 1));
	for (uint16_t i = 0; i < N_QUEUES; i++)
		EXPECT_EQ(0, rte_eth_dev_set_vlan_strip_on_queue(rig->port, i, 1));
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_RETURN);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, 1));

	m->vlan_tci = VLAN;
	ASSERT_EQ(0, rte_vlan_insert(&m));
	ASSERT_TRUE(port_rig_send(rig, &m, 1));
	m = NULL;
	ASSERT_TRUE(port_rig_wait_until(keep_first, rig, &m));
	EXPECT_EQ(FRAME, m->pkt_len);
	EXPECT_NE(0, m->ol_flags & RTE_MBUF_F_RX_VLAN_STRIPPED);
	EXPECT_EQ(VLAN, m->vlan_tci);
	rte_pktmbuf_free(m);
}

/* An address that is removed while the port has no device does not come back. */
TEST_F(device_settings, address_removed_meanwhile_stays_away)
{
	static struct rte_ether_addr other = { { 0x02, 0, 0, 0, 1, 1 } };
	struct port_rig *rig = &self->rig;
	const struct devx_emu_counters before = port_rig_get_counters(rig);

	ASSERT_EQ(0, rte_eth_dev_mac_addr_add(rig->port, &other, 0));
	EXPECT_LT(before.flows, port_rig_get_counters(rig).flows);
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_REMOVE);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_recovering, 1));
	EXPECT_EQ(0, rte_eth_dev_mac_addr_remove(rig->port, &other));
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_RETURN);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, 1));
	port_rig_expect_objects(rig, &before);
}

TEST_F(device_settings, queues_that_were_stopped_stay_stopped)
{
	struct port_rig *rig = &self->rig;
	const struct rte_eth_dev_data *data = rte_eth_devices[rig->port].data;
	struct rte_mbuf *m;

	ASSERT_EQ(0, rte_eth_dev_tx_queue_stop(rig->port, 0));
	ASSERT_EQ(0, rte_eth_dev_rx_queue_stop(rig->port, 1));
	lose_and_recover(rig);
	EXPECT_EQ(RTE_ETH_QUEUE_STATE_STOPPED, data->tx_queue_state[0]);
	m = port_rig_make_packet(rig, FRAME, 1);
	EXPECT_EQ(0, rte_eth_tx_burst(rig->port, 0, &m, 1));
	EXPECT_EQ(DEVX_ETH_STOPPED, ((struct devx_eth_rxq *)data->rx_queues[1])->owner);
	EXPECT_EQ(0, rte_eth_dev_tx_queue_start(rig->port, 0));
	EXPECT_EQ(0, rte_eth_dev_rx_queue_start(rig->port, 1));
	EXPECT_EQ(DEVX_ETH_RUNNING, ((struct devx_eth_rxq *)data->rx_queues[1])->owner);
	EXPECT_EQ(1, rte_eth_tx_burst(rig->port, 1, &m, 1));
	EXPECT_TRUE(loss_rig_wait_for_packet(rig));
}

/* Returns the entry of the rate table that the SQ of queue 0 names; 0: no limit. */
static unsigned int get_rate_index(const struct port_rig *rig)
{
	const struct devx_eth_txq *txq = rte_eth_devices[rig->port].data->tx_queues[0];

	return txq->sq_attr.pp ? txq->sq_attr.pp->index : 0;
}

TEST_F(device_settings, rate_limit_comes_back)
{
	struct port_rig *rig = &self->rig;
	const struct devx_eth_txq *txq = rte_eth_devices[rig->port].data->tx_queues[0];

	ASSERT_EQ(0, rte_eth_set_queue_rate_limit(rig->port, 0, 500));
	EXPECT_NE(0, get_rate_index(rig));
	lose_and_recover(rig);
	EXPECT_EQ(500, txq->rate_mbps);
	EXPECT_NE(0, get_rate_index(rig));
	EXPECT_EQ(0, rte_eth_set_queue_rate_limit(rig->port, 0, 0));
}

/* The thread sleeps in the epoll descriptor that it filled before the loss. */
TEST_F(device_settings, interrupt_wakes_a_thread_with_the_old_descriptor)
{
	struct port_rig *rig = &self->rig;
	struct rte_epoll_event event;
	struct rte_mbuf *m;

	for (uint16_t i = 0; i < N_QUEUES; i++)
		ASSERT_EQ(0, rte_eth_dev_rx_intr_ctl_q(rig->port, i, RTE_EPOLL_PER_THREAD,
						       RTE_INTR_EVENT_ADD, NULL));
	lose_and_recover(rig);
	/* the loss and the recovery have woken the thread */
	EXPECT_EQ(1, rte_epoll_wait(RTE_EPOLL_PER_THREAD, &event, 1, WAIT_LIMIT_MS));
	for (uint16_t i = 0; i < N_QUEUES; i++)
		ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(rig->port, i));
	EXPECT_EQ(0, rte_epoll_wait(RTE_EPOLL_PER_THREAD, &event, 1, 100));
	m = port_rig_make_packet(rig, FRAME, 1);
	ASSERT_TRUE(port_rig_send(rig, &m, 1));
	EXPECT_EQ(1, rte_epoll_wait(RTE_EPOLL_PER_THREAD, &event, 1, WAIT_LIMIT_MS));
	EXPECT_TRUE(loss_rig_wait_for_packet(rig));
	for (uint16_t i = 0; i < N_QUEUES; i++)
		EXPECT_EQ(0, rte_eth_dev_rx_intr_ctl_q(rig->port, i, RTE_EPOLL_PER_THREAD,
						       RTE_INTR_EVENT_DEL, NULL));
}

TEST_F(device_settings, generator_ring_sends_again)
{
	struct port_rig *rig = &self->rig;
	struct rte_mbuf *m = port_rig_make_packet(rig, FRAME, 7);
	struct rte_pmd_devx_ring_conf conf = { .frame_bytes = FRAME, .n_packets = 28 };
	struct rte_pmd_devx_ring *ring;
	uint8_t frame[FRAME];

	memcpy(frame, rte_pktmbuf_mtod(m, void *), FRAME);
	rte_pktmbuf_free(m);
	conf.frame = frame;
	ASSERT_EQ(0, rte_pmd_devx_ring_create(rig->port, &conf, &ring));
	for (unsigned int i = 0; i < 3; i++) {
		ASSERT_EQ(1, rte_pmd_devx_ring_send(ring, NULL, 1));
		ASSERT_TRUE(loss_rig_wait_for_packet(rig));
		rig->n_generated++;
		rig->generated_bytes += FRAME;
		loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_REMOVE);
		ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_recovering, i + 1));
		EXPECT_EQ(0, rte_pmd_devx_ring_send(ring, NULL, 1));
		loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_RETURN);
		ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, i + 1));
	}
	/* a burst of less than a unit requests a CQE, which came before the loss */
	EXPECT_EQ(0, port_rig_get_xstat(rig, "tx_unknown_packets"));
	EXPECT_EQ(0, port_rig_get_xstat(rig, "tx_lost_packets"));
	rte_pmd_devx_ring_destroy(ring);
}
