/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <poll.h>

#include <rte_interrupts.h>

#include "devx_port.h"
#include "devx_rxq.h"
#include "open_files.h"
#include "port_rig.h"
#include "wait_limit.h"

/* Rx interrupts: a thread sleeps in rte_epoll_wait() until the port has received a packet. */

enum { QUIET_MS = 20 };

FIXTURE(rx_interrupt)
{
	struct port_rig rig;
};

static const struct port_rig_config with_interrupts = { .eth.intr_conf.rxq = 1 };

static void listen_to_queue(const struct port_rig *rig)
{
	EXPECT_EQ(0, rte_eth_dev_rx_intr_ctl_q(rig->port, 0, RTE_EPOLL_PER_THREAD,
					       RTE_INTR_EVENT_ADD, NULL));
}

FIXTURE_SETUP(rx_interrupt)
{
	port_rig_up(&self->rig, &with_interrupts);
	listen_to_queue(&self->rig);
}
FIXTURE_TEARDOWN(rx_interrupt)
{
	port_rig_down(&self->rig);
}

/* Sleeps until an interrupt comes. Return: the number of interrupts, 0 or 1 */
static int sleep_until_interrupt(int ms)
{
	struct rte_epoll_event event;

	return rte_epoll_wait(RTE_EPOLL_PER_THREAD, &event, 1, ms);
}

static void send_one(const struct port_rig *rig, uint32_t seed)
{
	struct rte_mbuf *m = port_rig_make_packet(rig, 100, seed);

	ASSERT_NE(NULL, m);
	ASSERT_TRUE(port_rig_send(rig, &m, 1));
}

static void receive_one(const struct port_rig *rig, uint32_t seed)
{
	struct rte_mbuf *m;

	ASSERT_EQ(1, port_rig_receive(rig, &m, 1));
	port_rig_expect_packet(rig, m, 100, seed);
	rte_pktmbuf_free(m);
}

/* The serial number of an arm has 2 bits, so that it wraps; emu counts a stale one as mistake. */
TEST_F(rx_interrupt, each_packet_wakes_the_thread)
{
	for (uint32_t i = 0; i < 20; i++) {
		SCOPED_TRACE("packet %u", i);
		ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
		if (i < 3)
			EXPECT_EQ(0, sleep_until_interrupt(QUIET_MS));
		send_one(&self->rig, i);
		ASSERT_EQ(1, sleep_until_interrupt(WAIT_LIMIT_MS));
		ASSERT_EQ(0, rte_eth_dev_rx_intr_disable(self->rig.port, 0));
		receive_one(&self->rig, i);
	}
}

static bool has_packet(const struct port_rig *rig, void *arg)
{
	const struct devx_eth_rxq *rxq = rte_eth_devices[rig->port].data->rx_queues[0];

	RTE_SET_USED(arg);
	return devx_cq_peek(&rxq->cq);
}

TEST_F(rx_interrupt, packet_from_before_the_enable_wakes_at_once)
{
	for (uint32_t i = 0; i < 6; i++) {
		SCOPED_TRACE("packet %u", i);
		send_one(&self->rig, i);
		EXPECT_TRUE(port_rig_wait_until(has_packet, &self->rig, NULL));
		ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
		EXPECT_EQ(1, sleep_until_interrupt(WAIT_LIMIT_MS));
		ASSERT_EQ(0, rte_eth_dev_rx_intr_disable(self->rig.port, 0));
		receive_one(&self->rig, i);
	}
}

/* An enable without an event, and a disable without an enable, do not use up a serial number. */
TEST_F(rx_interrupt, enable_and_disable_need_no_order)
{
	for (uint32_t i = 0; i < 9; i++) {
		for (uint32_t k = 0; k < i % 3; k++) {
			ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
			ASSERT_EQ(0, rte_eth_dev_rx_intr_disable(self->rig.port, 0));
			ASSERT_EQ(0, rte_eth_dev_rx_intr_disable(self->rig.port, 0));
		}
		ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
		ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
		send_one(&self->rig, i);
		EXPECT_EQ(1, sleep_until_interrupt(WAIT_LIMIT_MS));
		receive_one(&self->rig, i);
		port_rig_exchange_one(&self->rig, i); /* polled while interrupts are enabled */
	}
}

TEST_F(rx_interrupt, descriptor_works_with_poll)
{
	struct pollfd p = { .fd = rte_eth_dev_rx_intr_ctl_q_get_fd(self->rig.port, 0),
			    .events = POLLIN };

	ASSERT_LE(0, p.fd);
	ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
	EXPECT_EQ(0, poll(&p, 1, QUIET_MS));
	send_one(&self->rig, 1);
	EXPECT_EQ(1, poll(&p, 1, WAIT_LIMIT_MS));
	ASSERT_EQ(0, rte_eth_dev_rx_intr_disable(self->rig.port, 0));
	EXPECT_EQ(0, poll(&p, 1, 0));
	receive_one(&self->rig, 1);
}

TEST_F(rx_interrupt, interrupts_work_after_a_restart)
{
	const unsigned files = count_open_files();

	for (uint32_t i = 0; i < 5; i++) {
		ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
		send_one(&self->rig, i);
		ASSERT_EQ(1, sleep_until_interrupt(WAIT_LIMIT_MS));
		ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
		ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
		port_rig_read_log();
		EXPECT_EQ(-EINVAL, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
		EXPECT_EQ(-EINVAL, rte_eth_dev_rx_intr_disable(self->rig.port, 0));
		EXPECT_STREQ("", port_rig_read_log()); /* an application may try before the start */
		ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
		listen_to_queue(&self->rig);
	}
	EXPECT_GE(files + 1,
		  count_open_files()); /* rte_epoll_wait() opened the descriptor of epoll */
}

TEST_F(rx_interrupt, port_without_intr_conf_refuses)
{
	const struct port_rig_config polled = { 0 };

	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	ASSERT_EQ(0, port_rig_configure(&self->rig, &polled));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	EXPECT_EQ(-ENOTSUP, rte_eth_dev_rx_intr_ctl_q(self->rig.port, 0, RTE_EPOLL_PER_THREAD,
						      RTE_INTR_EVENT_ADD, NULL));
	EXPECT_EQ(-1, rte_eth_dev_rx_intr_ctl_q_get_fd(self->rig.port, 0));
	port_rig_read_log();
	EXPECT_EQ(-EINVAL, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
	EXPECT_SUBSTR("Rx queue 0: interrupts are not configured; configure the port with "
		      "intr_conf.rxq",
		      port_rig_read_log());
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	ASSERT_EQ(0, port_rig_configure(&self->rig, &with_interrupts));
	ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	listen_to_queue(&self->rig);
	ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
	send_one(&self->rig, 1);
	EXPECT_EQ(1, sleep_until_interrupt(WAIT_LIMIT_MS));
	receive_one(&self->rig, 1);
}

static uint32_t get_rqn(const struct devx_eth_rxq *rxq)
{
	return rxq->rq.rqn;
}

static uint32_t get_cqn(const struct devx_eth_rxq *rxq)
{
	return rxq->cq.cqn;
}

static const struct error {
	const char *name;
	enum devx_emu_inject what;
	uint32_t (*get_id)(const struct devx_eth_rxq *rxq);
} errors[] = {
	{ "rq", DEVX_EMU_INJECT_RQ_ERROR, get_rqn },
	{ "cq", DEVX_EMU_INJECT_CQ_ERROR, get_cqn },
};

/*
 * A sleeping thread must wake up when its queue fails, because only its next burst starts the
 * recovery. After an error of the CQ the queue has a new one.
 */
TEST_F_EACH(rx_interrupt, error_of_the_queue_wakes_the_thread, struct error, errors)
{
	const struct devx_eth_rxq *rxq = rte_eth_devices[self->rig.port].data->rx_queues[0];
	struct rte_mbuf *m;

	NEEDS_EMU("to let a queue fail");
	for (uint32_t i = 0; i < 3; i++) {
		ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
		ASSERT_EQ(0, self->rig.emu->inject(0, row->what, row->get_id(rxq)));
		ASSERT_EQ(1, sleep_until_interrupt(WAIT_LIMIT_MS));
		while (port_rig_get_xstat(&self->rig, "rx_recoveries") == i) {
			EXPECT_EQ(0, rte_eth_rx_burst(self->rig.port, 0, &m, 1));
			ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
			sleep_until_interrupt(QUIET_MS);
		}
		for (uint32_t k = 0; k < 3; k++) {
			ASSERT_EQ(0, rte_eth_dev_rx_intr_disable(self->rig.port, 0));
			ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
			EXPECT_EQ(0, sleep_until_interrupt(QUIET_MS));
			send_one(&self->rig, k);
			EXPECT_EQ(1, sleep_until_interrupt(WAIT_LIMIT_MS));
			receive_one(&self->rig, k);
		}
		ASSERT_EQ(0, rte_eth_dev_rx_intr_disable(self->rig.port, 0));
	}
}

/*
 * Lets the queue fail, so that the recovery timer owns it; the timer waits for eth->lock, which the
 * function keeps.
 */
static void break_queue(const struct port_rig *rig, const struct error *error)
{
	struct rte_eth_dev *ethdev = &rte_eth_devices[rig->port];
	const struct devx_eth_rxq *rxq = ethdev->data->rx_queues[0];
	struct rte_mbuf *m;

	ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(rig->port, 0));
	ASSERT_EQ(0, rig->emu->inject(0, error->what, error->get_id(rxq)));
	ASSERT_EQ(1, sleep_until_interrupt(WAIT_LIMIT_MS));
	pthread_mutex_lock(&devx_eth_port_get(ethdev)->lock);
	EXPECT_EQ(0, rte_eth_rx_burst(rig->port, 0, &m, 1));
	EXPECT_EQ(DEVX_ETH_BROKEN, rxq->owner);
}

static bool has_recovered(const struct port_rig *rig, void *arg)
{
	RTE_SET_USED(arg);
	return port_rig_get_xstat(rig, "rx_recoveries") == 1;
}

/* The recovery replaces the CQ, and nobody has armed the new one. */
TEST_F_EACH(rx_interrupt, thread_that_enables_before_the_recovery_wakes_up, struct error, errors)
{
	struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[self->rig.port]);
	struct rte_mbuf *m;

	NEEDS_EMU("to let a queue fail");
	break_queue(&self->rig, row);
	EXPECT_EQ(0, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
	EXPECT_EQ(1, sleep_until_interrupt(WAIT_LIMIT_MS));
	EXPECT_EQ(0, rte_eth_rx_burst(self->rig.port, 0, &m, 1));
	EXPECT_EQ(0, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
	pthread_mutex_unlock(&eth->lock);
	EXPECT_TRUE(port_rig_wait_until(has_recovered, &self->rig, NULL));
	EXPECT_EQ(1, sleep_until_interrupt(WAIT_LIMIT_MS));
	EXPECT_EQ(0, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
	send_one(&self->rig, 1);
	EXPECT_EQ(1, sleep_until_interrupt(WAIT_LIMIT_MS));
	receive_one(&self->rig, 1);
}

/* Only the recovery timer reads the eventfd of a broken queue: it counts the events of the CQ. */
TEST_F_EACH(rx_interrupt, disable_leaves_the_events_of_a_broken_queue, struct error, errors)
{
	struct devx_eth *eth = devx_eth_port_get(&rte_eth_devices[self->rig.port]);
	struct pollfd p = { .fd = rte_eth_dev_rx_intr_ctl_q_get_fd(self->rig.port, 0),
			    .events = POLLIN };

	NEEDS_EMU("to let a queue fail");
	break_queue(&self->rig, row);
	EXPECT_EQ(0, rte_eth_dev_rx_intr_disable(self->rig.port, 0));
	EXPECT_EQ(1, poll(&p, 1, 0));
	pthread_mutex_unlock(&eth->lock);
	EXPECT_TRUE(port_rig_wait_until(has_recovered, &self->rig, NULL));
	EXPECT_EQ(0, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
	send_one(&self->rig, 1);
	EXPECT_EQ(1, sleep_until_interrupt(WAIT_LIMIT_MS));
	receive_one(&self->rig, 1);
}

/* The loss of the device brings no completion event, and the thread must learn of it. */
TEST_F(rx_interrupt, loss_of_the_device_wakes_the_thread)
{
	NEEDS_EMU("to let the device fail");
	ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
	EXPECT_EQ(0, sleep_until_interrupt(QUIET_MS));
	port_rig_unplug(&self->rig);
	EXPECT_EQ(1, sleep_until_interrupt(WAIT_LIMIT_MS));
}

/* A thread that sleeps and bursts in turn would otherwise always wake up at once. */
TEST_F(rx_interrupt, enable_refuses_a_failed_queue_of_a_lost_device)
{
	const struct devx_eth_rxq *rxq = rte_eth_devices[self->rig.port].data->rx_queues[0];

	NEEDS_EMU("to let the device fail");
	ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
	ASSERT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, rxq->cq.cqn));
	ASSERT_EQ(1, sleep_until_interrupt(WAIT_LIMIT_MS));
	EXPECT_EQ(DEVX_ETH_FAILED, rxq->owner);
	port_rig_unplug(&self->rig);
	EXPECT_EQ(-EIO, rte_eth_dev_rx_intr_enable(self->rig.port, 0));
}

static const struct what {
	const char *name;
	enum devx_emu_fail what;
} whats[] = {
	{ "command", DEVX_EMU_FAIL_COMMAND },
	{ "ioctl", DEVX_EMU_FAIL_IOCTL },
};

TEST_F_EACH(rx_interrupt, failed_start_leaves_nothing_behind, struct what, whats)
{
	const struct devx_emu_ctl *emu = self->rig.emu;
	unsigned files, k = 0;
	bool fired = true;

	NEEDS_EMU("to make calls fail");
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	files = count_open_files();
	for (; fired && k < 300; k++) {
		SCOPED_TRACE("%s %u fails", row->name, k);
		emu->fail(row->what, k, 0);
		const int rc = rte_eth_dev_start(self->rig.port);

		fired = emu->fail_pending(row->what) < 0;
		emu->fail(row->what, -1, 0);
		if (rc) {
			EXPECT_SUBSTR("net_devx0 (mlx5_0): ", port_rig_read_log());
			EXPECT_EQ(-EPERM,
				  rte_eth_dev_rx_intr_ctl_q(self->rig.port, 0, RTE_EPOLL_PER_THREAD,
							    RTE_INTR_EVENT_ADD, NULL));
		} else {
			EXPECT_EQ(0, rte_eth_dev_stop(self->rig.port));
		}
		EXPECT_EQ(files, count_open_files());
	}
	EXPECT_FALSE(fired);
}
