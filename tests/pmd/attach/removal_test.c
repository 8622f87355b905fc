/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>

#include <rte_alarm.h>
#include <rte_bus_vdev.h>
#include <rte_cycles.h>
#include <rte_malloc.h>

#include "compat.h"
#include "loss_rig.h"
#include "open_files.h"
#include "port_rig.h"
#include "queue/devx_tx_drain.h"

/* The device disappears in the middle of a function of ethdev. */

enum { N_QUEUES = 2, N_PACKETS = 8, K_MAX = 300, WAIT_MS = 500, SHORT_WAIT_MS = 5 };

FIXTURE(removal)
{
	struct port_rig rig;
};
FIXTURE_SETUP(removal)
{
	port_rig_probe(&self->rig);
	NEEDS_EMU("to let the device fail");
	port_rig_remove_port(&self->rig);
	devx_eth_send_wait_ms = SHORT_WAIT_MS; /* a stop waits in vain after the device is gone */
}
FIXTURE_TEARDOWN(removal)
{
	port_rig_down(&self->rig);
}

/* Resources of the process. A closed port has given all of its own back. */
struct use {
	uint64_t n_fds, n_mbufs, heap_bytes;
};

static struct use get_use(const struct port_rig *rig)
{
	return (struct use){ .n_fds = count_open_files(),
			     .n_mbufs = rte_mempool_avail_count(rig->pool),
			     .heap_bytes = driver_objects_count_heap_bytes() };
}

static void note_alarm(void *seen)
{
	__atomic_store_n((bool *)seen, true, __ATOMIC_RELEASE);
}

static bool has_seen(const struct port_rig *rig, void *seen)
{
	RTE_SET_USED(rig);
	return __atomic_load_n((bool *)seen, __ATOMIC_ACQUIRE);
}

/*
 * Waits until EAL's interrupt thread has handled everything from before, and has its descriptor
 * open again. The first alarm may come in the same batch as the last change of its sources.
 */
static void pass_interrupt_thread(const struct port_rig *rig)
{
	for (int i = 0; i < 2; i++) {
		bool seen = false;

		ASSERT_EQ(0, rte_eal_alarm_set(1, note_alarm, &seen));
		ASSERT_TRUE(port_rig_wait_until(has_seen, rig, &seen));
	}
}

/* EAL's interrupt thread closes and opens a descriptor at each change of its sources. */
static bool has_fds(const struct port_rig *rig, void *n)
{
	RTE_SET_USED(rig);
	return count_open_files() == *(uint64_t *)n;
}

/* Sends packets and receives what comes, until all are back or the device was removed. */
static void exchange_some(const struct port_rig *rig, unsigned int n_left)
{
	const uint64_t end = rte_get_timer_cycles() + WAIT_MS * rte_get_timer_hz() / 1000;
	struct rte_mbuf *m[N_PACKETS];

	for (uint32_t i = 0; i < n_left; i++) {
		m[0] = port_rig_make_packet(rig, 100, i);
		if (!rte_eth_tx_burst(rig->port, (uint16_t)(i % N_QUEUES), m, 1))
			rte_pktmbuf_free(m[0]);
	}
	while (n_left && !rte_eth_dev_is_removed(rig->port) && rte_get_timer_cycles() < end) {
		for (uint16_t q = 0; q < N_QUEUES; q++) {
			const uint16_t n = rte_eth_rx_burst(rig->port, q, m, N_PACKETS);

			rte_pktmbuf_free_bulk(m, n);
			n_left -= n;
		}
	}
}

/* Calls functions of a started port, each of which may fail. */
static void use_port(const struct port_rig *rig)
{
	struct rte_ether_addr group = { { 0x01, 0, 0x5e, 0, 0, 1 } };
	struct rte_eth_stats stats;
	struct rte_eth_link link;

	exchange_some(rig, N_PACKETS);
	rte_eth_stats_get(rig->port, &stats);
	rte_eth_stats_reset(rig->port);
	/* DPDK 25.11 warns about an ignored result */
	EXPECT_GE(0, rte_eth_link_get_nowait(rig->port, &link));
	rte_eth_promiscuous_enable(rig->port);
	rte_eth_dev_set_mc_addr_list(rig->port, &group, 1);
	rte_eth_dev_rx_queue_stop(rig->port, 0);
	rte_eth_dev_rx_queue_start(rig->port, 0);
	rte_eth_dev_tx_queue_stop(rig->port, 0);
	rte_eth_dev_tx_queue_start(rig->port, 0);
	rte_eth_dev_set_mc_addr_list(rig->port, NULL, 0);
	rte_eth_promiscuous_disable(rig->port);
}

/* The life of a port, from probe to close. Return: 0, or the error of the first failed step */
static int run_life(struct port_rig *rig)
{
	const struct rte_eth_conf conf = {
		.intr_conf = { .lsc = 1, .rmv = 1 },
		.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS,
		.rx_adv_conf.rss_conf.rss_hf = RTE_ETH_RSS_NONFRAG_IPV4_UDP,
	};
	int rc = port_rig_init_vdev("net_devx0", "ibdev=mlx5_0,recovery_wait=0");

	if (rc)
		return rc;
	EXPECT_EQ(0, rte_eth_dev_get_port_by_name("net_devx0", &rig->port));
	rte_eth_macaddr_get(rig->port, &rig->mac);
	rc = rte_eth_dev_configure(rig->port, N_QUEUES, N_QUEUES, &conf);
	for (uint16_t i = 0; !rc && i < N_QUEUES; i++)
		rc = rte_eth_rx_queue_setup(rig->port, i, 64, 0, NULL, rig->pool);
	for (uint16_t i = 0; !rc && i < N_QUEUES; i++)
		rc = rte_eth_tx_queue_setup(rig->port, i, 64, 0, NULL);
	if (!rc)
		rc = rte_eth_dev_start(rig->port);
	if (!rc) {
		use_port(rig);
		EXPECT_EQ(0, rte_eth_dev_stop(rig->port));
	}
	EXPECT_EQ(PORT_RIG_POOL, rte_mempool_avail_count(rig->pool));
	EXPECT_EQ(0, rte_eth_dev_close(rig->port));
	EXPECT_EQ(0, rte_vdev_uninit("net_devx0"));
	rig->port = RTE_MAX_ETHPORTS;
	return rc;
}

TEST_F(removal, before_any_ioctl_of_a_port_leaves_nothing_behind)
{
	struct port_rig *rig = &self->rig;
	const struct devx_emu_counters then = port_rig_get_counters(rig);
	struct use before;
	bool fired = true;
	int k, n_failed = 0;

	ASSERT_EQ(0, run_life(rig));
	pass_interrupt_thread(rig);
	before = get_use(rig);
	for (k = 0; fired && k < K_MAX; k++) {
		SCOPED_TRACE("removed before ioctl %d", k);
		rig->emu->fail(DEVX_EMU_FAIL_DEVICE, k, 0);
		n_failed += run_life(rig) != 0;
		fired = rig->emu->fail_pending(DEVX_EMU_FAIL_DEVICE) < 0;
		rig->emu->fail(DEVX_EMU_FAIL_DEVICE, -1, 0);
		const struct use after = get_use(rig);

		EXPECT_TRUE(port_rig_wait_until(has_fds, rig, &before.n_fds));
		EXPECT_EQ(PORT_RIG_POOL, after.n_mbufs);
		EXPECT_EQ(before.heap_bytes, after.heap_bytes);
		port_rig_expect_objects(rig, &then);
		const char *log = port_rig_read_log();

		if (before.n_mbufs != after.n_mbufs || before.heap_bytes != after.heap_bytes)
			printf("%s", log);
	}
	EXPECT_LT(k, K_MAX);
	EXPECT_LT(10, n_failed);
	printf("%d ioctls, %d of them in probe and start\n", k - 1, n_failed);
}

/* Queue 1 runs, queue 2 is stopped. */
TEST_F(removal, leaves_queues_that_neither_start_nor_stop)
{
	struct port_rig *rig = &self->rig;

	port_rig_add_port(rig);
	ASSERT_EQ(0, port_rig_configure(rig, &(struct port_rig_config){ .n_rxq = 3,
									.n_txq = 3,
									.eth.intr_conf.rmv = 1 }));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	ASSERT_EQ(0, rte_eth_dev_rx_queue_stop(rig->port, 2));
	ASSERT_EQ(0, rte_eth_dev_tx_queue_stop(rig->port, 2));
	loss_rig_listen();
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_UNPLUG);
	EXPECT_TRUE(loss_rig_wait(rig, &loss_seen.n_removed, 1));
	loss_rig_forget();
	port_rig_read_log();
	EXPECT_EQ(-EIO, rte_eth_dev_rx_queue_stop(rig->port, 1));
	EXPECT_SUBSTR("Rx queue 1: the device failed or was removed", port_rig_read_log());
	EXPECT_EQ(-EIO, rte_eth_dev_tx_queue_stop(rig->port, 1));
	EXPECT_SUBSTR("Tx queue 1: the device failed or was removed", port_rig_read_log());
	EXPECT_EQ(-EIO, rte_eth_dev_rx_queue_start(rig->port, 2));
	EXPECT_SUBSTR("Rx queue 2: the device failed or was removed", port_rig_read_log());
	EXPECT_EQ(-EIO, rte_eth_dev_tx_queue_start(rig->port, 2));
	EXPECT_SUBSTR("Tx queue 2: the device failed or was removed", port_rig_read_log());
}
