/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include <rte_power_intrinsics.h>

#include "devx_rxq.h"
#include "port_rig.h"

/* The address that a thread may monitor until the next packet arrives. */

FIXTURE(monitor)
{
	struct port_rig rig;
	struct devx_eth_rxq *rxq;
};
FIXTURE_SETUP(monitor)
{
	port_rig_up(&self->rig, &(struct port_rig_config){ 0 });
	self->rxq = rte_eth_devices[self->rig.port].data->rx_queues[0];
}
FIXTURE_TEARDOWN(monitor)
{
	port_rig_down(&self->rig);
}

/* Returns whether a thread that monitors this address wakes, as DPDK decides it. */
static bool ends_wait(const struct port_rig *rig, void *arg)
{
	const struct rte_power_monitor_cond *cond = arg;

	RTE_SET_USED(rig);
	return cond->fn(*(const volatile uint8_t *)cond->addr, cond->opaque) == -1;
}

/* Gets the address, and expects that of the CQE at cq.ci. */
static struct rte_power_monitor_cond get_address(const struct ct_fix_monitor *self)
{
	const struct devx_cq *cq = &self->rxq->cq;
	struct rte_power_monitor_cond cond = { 0 };

	EXPECT_EQ(0, rte_eth_get_monitor_addr(self->rig.port, 0, &cond));
	EXPECT_EQ((uintptr_t)&cq->cqes[cq->ci & ((1u << cq->log2_n) - 1)].op_own,
		  (uintptr_t)cond.addr);
	EXPECT_EQ(1, cond.size);
	EXPECT_EQ(cq->ci >> cq->log2_n & 1, cond.opaque[0]);
	return cond;
}

/* Exchanges one packet, which wakes a thread that monitors the address. Return: whether it did */
static bool exchange_monitored(const struct ct_fix_monitor *self, uint32_t seed)
{
	const struct port_rig *rig = &self->rig;
	struct rte_power_monitor_cond before = get_address(self), after;
	struct rte_mbuf *m = port_rig_make_packet(rig, 100, seed);

	SCOPED_TRACE("packet %u", seed);
	if (!before.fn || ends_wait(rig, &before) || !port_rig_send(rig, &m, 1) ||
	    !port_rig_wait_until(ends_wait, rig, &before) ||
	    rte_eth_rx_burst(rig->port, 0, &m, 1) != 1) {
		ADD_FAILURE("no packet, or a wrong address");
		return false;
	}
	port_rig_expect_packet(rig, m, 100, seed);
	rte_pktmbuf_free(m);
	after = get_address(self);
	EXPECT_NE((uintptr_t)before.addr, (uintptr_t)after.addr);
	return !ends_wait(rig, &after);
}

TEST_F(monitor, each_packet_of_three_laps_wakes_the_thread)
{
	for (uint32_t i = 0; i < 3 * PORT_RIG_RING; i++)
		ASSERT_TRUE(exchange_monitored(self, i));
}

TEST_F(monitor, packet_that_waits_wakes_at_once)
{
	struct rte_mbuf *m[2];
	struct rte_power_monitor_cond cond;

	for (uint32_t i = 0; i < RTE_DIM(m); i++)
		m[i] = port_rig_make_packet(&self->rig, 100, i);
	ASSERT_TRUE(port_rig_send(&self->rig, m, RTE_DIM(m)));
	for (uint32_t i = 0; i < RTE_DIM(m); i++) {
		cond = get_address(self);
		EXPECT_TRUE(port_rig_wait_until(ends_wait, &self->rig, &cond));
		ASSERT_EQ(1, rte_eth_rx_burst(self->rig.port, 0, m, 1));
		rte_pktmbuf_free(m[0]);
	}
}

static bool is_failed(const struct port_rig *rig, void *rxq)
{
	RTE_SET_USED(rig);
	return __atomic_load_n(&((struct devx_eth_rxq *)rxq)->owner, __ATOMIC_ACQUIRE) ==
	       DEVX_ETH_FAILED;
}

static bool is_running(const struct port_rig *rig, void *rxq)
{
	struct rte_mbuf *m;

	EXPECT_EQ(0, rte_eth_rx_burst(rig->port, 0, &m, 1));
	return __atomic_load_n(&((struct devx_eth_rxq *)rxq)->owner, __ATOMIC_ACQUIRE) ==
	       DEVX_ETH_RUNNING;
}

/* The recovery gives the queue a new CQ in other memory. A thread does not sleep until then. */
TEST_F(monitor, recovery_of_the_queue_changes_the_address)
{
	struct rte_power_monitor_cond cond;

	NEEDS_EMU("to let a CQ fail");
	for (uint32_t i = 0; i < 3; i++) {
		const struct prm_cqe *cqes = self->rxq->cq.cqes;

		ASSERT_TRUE(exchange_monitored(self, i));
		EXPECT_EQ(0, self->rig.emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, self->rxq->cq.cqn));
		ASSERT_TRUE(port_rig_wait_until(is_failed, &self->rig, self->rxq));
		EXPECT_EQ(-EINVAL, rte_eth_get_monitor_addr(self->rig.port, 0, &cond));
		ASSERT_TRUE(port_rig_wait_until(is_running, &self->rig, self->rxq));
		EXPECT_NE(cqes, self->rxq->cq.cqes);
		ASSERT_TRUE(exchange_monitored(self, i));
	}
}

TEST_F(monitor, queue_that_is_not_started_has_no_address)
{
	struct rte_power_monitor_cond cond;

	ASSERT_EQ(0, rte_eth_dev_rx_queue_stop(self->rig.port, 0));
	EXPECT_EQ(-EINVAL, rte_eth_get_monitor_addr(self->rig.port, 0, &cond));
	ASSERT_EQ(0, rte_eth_dev_rx_queue_start(self->rig.port, 0));
	ASSERT_TRUE(exchange_monitored(self, 1));
	EXPECT_EQ(-EINVAL, rte_eth_get_monitor_addr(self->rig.port, 1, &cond));
	ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
	EXPECT_EQ(-EINVAL, rte_eth_get_monitor_addr(self->rig.port, 0, &cond));
}
