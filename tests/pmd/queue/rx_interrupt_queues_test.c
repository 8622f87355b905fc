/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_interrupts.h>

#include "devx_rxq.h"
#include "port_rig.h"
#include "rss_rig.h"
#include "wait_limit.h"

/*
 * Rx interrupts of several queues: each queue wakes the thread that waits for it. Two of them share
 * a completion vector.
 */

enum { N_QUEUES = 8, FRAME = 100, QUIET_MS = 20 };

FIXTURE(rx_interrupt_queues)
{
	struct port_rig rig;
};

static const struct port_rig_config with_interrupts = {
	.n_rxq = N_QUEUES,
	.n_rx_desc = 64,
	.eth.intr_conf.rxq = 1,
	.eth.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS,
	.eth.rx_adv_conf.rss_conf.rss_hf = RTE_ETH_RSS_IP | RTE_ETH_RSS_UDP,
};

FIXTURE_SETUP(rx_interrupt_queues)
{
	port_rig_up(&self->rig, &with_interrupts);
	for (uintptr_t queue = 0; queue < N_QUEUES; queue++)
		EXPECT_EQ(0, rte_eth_dev_rx_intr_ctl_q(self->rig.port, (uint16_t)queue,
						       RTE_EPOLL_PER_THREAD, RTE_INTR_EVENT_ADD,
						       (void *)queue));
}
FIXTURE_TEARDOWN(rx_interrupt_queues)
{
	port_rig_down(&self->rig);
}

/* Sleeps until an interrupt comes. Return: its queue; -1: none came */
static int sleep_until_interrupt(int ms)
{
	struct rte_epoll_event event;

	return rte_epoll_wait(RTE_EPOLL_PER_THREAD, &event, 1, ms) == 1
		       ? (int)(uintptr_t)event.epdata.data
		       : -1;
}

/* Sends a packet, which the redirection table directs to @queue. */
static void send_to_queue(const struct port_rig *rig, uint16_t queue, uint32_t seed)
{
	uint16_t reta[N_QUEUES];
	struct rte_mbuf *m = port_rig_make_packet(rig, FRAME, seed);

	ASSERT_NE(NULL, m);
	for (unsigned int i = 0; i < N_QUEUES; i++)
		reta[i] = queue;
	ASSERT_EQ(0, rss_update_reta(rig, reta, N_QUEUES));
	ASSERT_TRUE(port_rig_send(rig, &m, 1));
}

/* A thread that has slept takes the packet of its queue. */
static void take_packet(const struct port_rig *rig, uint16_t queue, uint32_t seed)
{
	struct rte_mbuf *m;

	ASSERT_EQ(0, rte_eth_dev_rx_intr_disable(rig->port, queue));
	ASSERT_EQ(1, rte_eth_rx_burst(rig->port, queue, &m, 1));
	port_rig_expect_packet(rig, m, FRAME, seed);
	rte_pktmbuf_free(m);
}

TEST_F(rx_interrupt_queues, packet_wakes_the_thread_of_its_queue_only)
{
	const struct port_rig *rig = &self->rig;

	for (uint32_t i = 0; i < 2 * N_QUEUES; i++) {
		const uint16_t queue = i % N_QUEUES;

		SCOPED_TRACE("packet %u", i);
		for (uint16_t k = 0; k < N_QUEUES; k++)
			ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(rig->port, k));
		send_to_queue(rig, queue, i);
		ASSERT_EQ(queue, sleep_until_interrupt(WAIT_LIMIT_MS));
		take_packet(rig, queue, i);
		EXPECT_EQ(-1, sleep_until_interrupt(QUIET_MS));
	}
}

/* Reading the statistics waits for the recovery timer, whose last step is a wakeup. */
static bool is_repaired(const struct port_rig *rig, void *arg)
{
	struct rte_mbuf *m;

	RTE_SET_USED(arg);
	EXPECT_EQ(0, rte_eth_rx_burst(rig->port, 0, &m, 1));
	return port_rig_get_xstat(rig, "rx_recoveries") == 1;
}

/*
 * The serial numbers of a new CQ begin with 0 again. The arm of queue 1 overwrites the doorbell of
 * queue 0 before the device reads it. The device then looks at the doorbell records, where another
 * number than 0 says that a new CQ was not armed.
 */
TEST_F(rx_interrupt_queues, new_cq_is_armed_with_its_first_serial_number)
{
	const struct port_rig *rig = &self->rig;
	const struct devx_eth_rxq *rxq = rte_eth_devices[rig->port].data->rx_queues[0];

	NEEDS_EMU("to let a CQ fail");
	ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(rig->port, 0));
	send_to_queue(rig, 0, 1); /* its event uses up a serial number of the old CQ */
	ASSERT_EQ(0, sleep_until_interrupt(WAIT_LIMIT_MS));
	take_packet(rig, 0, 1);
	ASSERT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, rxq->cq.cqn));
	ASSERT_EQ(0, sleep_until_interrupt(WAIT_LIMIT_MS));
	ASSERT_TRUE(port_rig_wait_until(is_repaired, rig, NULL));
	rig->emu->pause();
	EXPECT_EQ(0, rte_eth_dev_rx_intr_enable(rig->port, 0));
	EXPECT_EQ(0, rte_eth_dev_rx_intr_enable(rig->port, 1));
	rig->emu->resume();
	send_to_queue(rig, 0, 2);
	ASSERT_EQ(0, sleep_until_interrupt(WAIT_LIMIT_MS));
	take_packet(rig, 0, 2);
}
