/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_interrupts.h>
#include <rte_malloc.h>

#include "devx_port.h"
#include "devx_rxq.h"
#include "devx_txq.h"
#include "loss_rig.h"
#include "port_rig.h"
#include "rss_rig.h"
#include "wait_limit.h"

/* Queues that are set up, or set up again, while the port is started. */

enum { N_QUEUES = 2, N_DESC = 64, FRAME = 200, N_TRIES = 100 };

FIXTURE(runtime_queue)
{
	struct port_rig rig;
	struct rte_mempool *other; /* with buffers of another size, or NULL */
};

static const struct port_rig_config with_rss = {
	.n_rxq = N_QUEUES,
	.n_txq = N_QUEUES,
	.n_rx_desc = N_DESC,
	.n_tx_desc = N_DESC,
	.eth.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS,
	.eth.rx_adv_conf.rss_conf.rss_hf = RTE_ETH_RSS_IP | RTE_ETH_RSS_UDP,
};

FIXTURE_SETUP(runtime_queue)
{
	port_rig_up(&self->rig, &with_rss);
}
FIXTURE_TEARDOWN(runtime_queue)
{
	loss_rig_forget();
	port_rig_down(&self->rig);
	rte_mempool_free(self->other);
}

struct arrival {
	uint16_t queue;
	struct rte_mbuf *m;
};

static bool has_arrived(const struct port_rig *rig, void *arg)
{
	struct arrival *a = arg;

	return rte_eth_rx_burst(rig->port, a->queue, &a->m, 1);
}

/* Sends @n packets on Tx queue @tx, receives them on Rx queue @rx, and expects them unchanged. */
static void exchange_packets(const struct port_rig *rig, uint16_t tx, uint16_t rx, uint32_t n)
{
	const uint16_t reta[] = { rx, rx };
	struct arrival a = { .queue = rx };

	ASSERT_EQ(0, rss_update_reta(rig, reta, N_QUEUES));
	for (uint32_t i = 0; i < n; i++) {
		a.m = port_rig_make_packet(rig, FRAME, i);
		ASSERT_EQ(1, rte_eth_tx_burst(rig->port, tx, &a.m, 1));
		ASSERT_TRUE(port_rig_wait_until(has_arrived, rig, &a));
		port_rig_expect_packet(rig, a.m, FRAME, i);
		rte_pktmbuf_free(a.m);
	}
}

static int set_up_queue(const struct port_rig *rig, bool rx, uint16_t n_desc,
			struct rte_mempool *pool)
{
	const int socket = (int)rte_socket_id();

	return rx ? rte_eth_rx_queue_setup(rig->port, 1, n_desc, socket, NULL, pool)
		  : rte_eth_tx_queue_setup(rig->port, 1, n_desc, socket, NULL);
}

static int stop_queue(const struct port_rig *rig, bool rx)
{
	return rx ? rte_eth_dev_rx_queue_stop(rig->port, 1)
		  : rte_eth_dev_tx_queue_stop(rig->port, 1);
}

static int start_queue(const struct port_rig *rig, bool rx)
{
	return rx ? rte_eth_dev_rx_queue_start(rig->port, 1)
		  : rte_eth_dev_tx_queue_start(rig->port, 1);
}

static const struct side {
	const char *name;
	bool rx;
	int n_before; /* commands of a set-up before the one that creates the RQ or SQ */
} sides[] = { { "rx", true, 1 }, { "tx", false, 3 } };

TEST_F(runtime_queue, port_has_the_capability)
{
	const uint64_t both =
		RTE_ETH_DEV_CAPA_RUNTIME_RX_QUEUE_SETUP | RTE_ETH_DEV_CAPA_RUNTIME_TX_QUEUE_SETUP;
	struct rte_eth_dev_info info;

	ASSERT_EQ(0, rte_eth_dev_info_get(self->rig.port, &info));
	EXPECT_EQ(both, info.dev_capa & both);
}

/* Every set-up takes the objects and the memory that the last one had. */
TEST_F_EACH(runtime_queue, set_up_again_has_its_new_size, struct side, sides)
{
	const struct port_rig *rig = &self->rig;
	struct rte_malloc_socket_stats first, last;
	struct devx_emu_counters then;
	struct rte_eth_rxq_info rx_info;
	struct rte_eth_txq_info tx_info;
	struct rte_eth_stats before, after;

	exchange_packets(rig, 1, 1, 5);
	ASSERT_EQ(0, rte_eth_stats_get(rig->port, &before));
	for (uint16_t i = 0; i < N_TRIES; i++) {
		const uint16_t n_desc = i % 2 ? N_DESC : 4 * N_DESC;

		ASSERT_EQ(-EBUSY, set_up_queue(rig, row->rx, n_desc, rig->pool)); /* it runs */
		ASSERT_EQ(0, stop_queue(rig, row->rx));
		ASSERT_EQ(0, set_up_queue(rig, row->rx, n_desc, rig->pool));
		ASSERT_EQ(0, start_queue(rig, row->rx));
		exchange_packets(rig, 1, 1, 1);
		exchange_packets(rig, 0, 0, 1);
		rte_malloc_get_socket_stats((int)rte_socket_id(), i < 2 ? &first : &last);
		if (i < 2)
			then = port_rig_get_counters(rig);
	}
	EXPECT_EQ(first.heap_allocsz_bytes, last.heap_allocsz_bytes);
	port_rig_expect_objects(rig, &then);
	ASSERT_EQ(0, rte_eth_rx_queue_info_get(rig->port, 1, &rx_info));
	ASSERT_EQ(0, rte_eth_tx_queue_info_get(rig->port, 1, &tx_info));
	EXPECT_EQ(N_DESC, row->rx ? rx_info.nb_desc : tx_info.nb_desc);
	ASSERT_EQ(0, rte_eth_stats_get(rig->port, &after));
	EXPECT_EQ(before.ipackets + 2 * N_TRIES, after.ipackets);
	EXPECT_EQ(before.opackets + 2 * N_TRIES, after.opackets);
}

static uint64_t get_rx_errors(const struct port_rig *rig)
{
	return port_rig_get_counters(rig).rx_error;
}

static bool has_errors(const struct port_rig *rig, void *n)
{
	return get_rx_errors(rig) == *(const uint64_t *)n;
}

TEST_F(runtime_queue, port_starts_without_all_queues)
{
	const struct port_rig *rig = &self->rig;
	const uint16_t second[] = { 1, 1 };
	uint64_t n_errors = get_rx_errors(rig) + 1;
	struct rte_eth_burst_mode mode;
	struct rte_mbuf *m = NULL;
	const char *log;

	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, rte_eth_dev_configure(rig->port, 1, 1, &with_rss.eth)); /* releases queue 1 */
	ASSERT_EQ(0, rte_eth_dev_configure(rig->port, N_QUEUES, N_QUEUES, &with_rss.eth));
	ASSERT_EQ(0, rte_eth_rx_queue_setup(rig->port, 0, N_DESC, 0, NULL, rig->pool));
	ASSERT_EQ(0, rte_eth_tx_queue_setup(rig->port, 0, N_DESC, 0, NULL));
	port_rig_read_log();
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	log = port_rig_read_log();
	EXPECT_SUBSTR("Rx queue 1: not set up; it moves no packets until rte_eth_rx_queue_setup()",
		      log);
	EXPECT_SUBSTR("Tx queue 1: not set up; it moves no packets until rte_eth_tx_queue_setup()",
		      log);
	free(port_rig_dump(rig)); /* also names the queues that are missing */
	exchange_packets(rig, 0, 0, 3);
	EXPECT_EQ(0, rte_eth_rx_burst(rig->port, 1, &m, 1));
	EXPECT_EQ(0, rte_eth_tx_burst(rig->port, 1, &m, 1));
	ASSERT_EQ(0, rte_eth_rx_burst_mode_get(rig->port, 0, &mode));
	ASSERT_EQ(0, rte_eth_tx_burst_mode_get(rig->port, 0, &mode));
	EXPECT_EQ(-EINVAL, rte_eth_tx_burst_mode_get(rig->port, 1, &mode));
	if (rig->emu) { /* which counts the packet that goes to no queue */
		ASSERT_EQ(0, rss_update_reta(rig, second, N_QUEUES));
		m = port_rig_make_packet(rig, FRAME, 1);
		ASSERT_TRUE(port_rig_send(rig, &m, 1));
		EXPECT_TRUE(port_rig_wait_until(has_errors, rig, &n_errors));
	}
	for (size_t i = 0; i < RTE_DIM(sides); i++) {
		ASSERT_EQ(0, set_up_queue(rig, sides[i].rx, N_DESC, rig->pool));
		ASSERT_EQ(0, start_queue(rig, sides[i].rx));
	}
	exchange_packets(rig, 1, 1, 3);
}

static const struct failing {
	const char *name;
	bool rx;
	enum devx_emu_fail what;
} failings[] = {
	{ "rx_command", true, DEVX_EMU_FAIL_COMMAND },
	{ "rx_ioctl", true, DEVX_EMU_FAIL_IOCTL },
	{ "tx_command", false, DEVX_EMU_FAIL_COMMAND },
	{ "tx_ioctl", false, DEVX_EMU_FAIL_IOCTL },
};

/* The k-th call fails, for every k; also the destroy of an old object. The other queue goes on. */
TEST_F_EACH(runtime_queue, failed_set_up_leaves_the_other_queue_alone, struct failing, failings)
{
	struct port_rig *rig = &self->rig;
	int k, rc, n_failed = 0;
	bool fired = true;

	NEEDS_EMU("to make calls fail");
	ASSERT_EQ(0, stop_queue(rig, row->rx));
	for (k = 0; fired && k < 100; k++) {
		SCOPED_TRACE("call %d fails", k);
		rig->emu->fail(row->what, k, 0);
		rc = set_up_queue(rig, row->rx, 2 * N_DESC, rig->pool);
		fired = rig->emu->fail_pending(row->what) < 0;
		rig->emu->fail(row->what, -1, 0);
		n_failed += rc != 0;
		rig->stuck |= !rc && fired; /* an old object is left on the device */
		exchange_packets(rig, 0, 0, 1);
	}
	EXPECT_LT(1, n_failed);
	EXPECT_LT(k, 100);
	ASSERT_EQ(0, start_queue(rig, row->rx));
	exchange_packets(rig, 1, 1, 3);
}

/* The port was started with a function that knows one buffer per packet. */
TEST_F(runtime_queue, port_gets_the_burst_function_of_a_new_queue)
{
	const struct rte_eth_rxconf scatter = { .offloads = RTE_ETH_RX_OFFLOAD_SCATTER };
	const struct port_rig *rig = &self->rig;
	struct arrival a = { .queue = 1 };
	struct rte_eth_burst_mode mode;
	const uint16_t second[] = { 1, 1 };

	self->other = rte_pktmbuf_pool_create("short", 511, 0, 0, RTE_PKTMBUF_HEADROOM + 128,
					      (int)rte_socket_id());
	ASSERT_NE(NULL, self->other);
	ASSERT_EQ(0, stop_queue(rig, true));
	ASSERT_EQ(0, rte_eth_rx_queue_setup(rig->port, 1, N_DESC, 0, &scatter, self->other));
	ASSERT_EQ(0, start_queue(rig, true));
	ASSERT_EQ(0, rte_eth_rx_burst_mode_get(rig->port, 0, &mode));
	EXPECT_SUBSTR("scattered", mode.info);
	exchange_packets(rig, 0, 0, 1);
	ASSERT_EQ(0, rss_update_reta(rig, second, N_QUEUES));
	a.m = port_rig_make_packet(rig, FRAME, 1);
	ASSERT_TRUE(port_rig_send(rig, &a.m, 1));
	ASSERT_TRUE(port_rig_wait_until(has_arrived, rig, &a));
	EXPECT_LT(1, a.m->nb_segs);
	EXPECT_EQ(FRAME, a.m->pkt_len);
	rte_pktmbuf_free(a.m);
	ASSERT_EQ(0, stop_queue(rig, true));
	ASSERT_EQ(0, set_up_queue(rig, true, N_DESC, rig->pool));
	ASSERT_EQ(0, start_queue(rig, true));
	ASSERT_EQ(0, rte_eth_rx_burst_mode_get(rig->port, 0, &mode));
	EXPECT_EQ(NULL, strstr(mode.info, "scattered"));
	exchange_packets(rig, 1, 1, 1);
}

/* A queue whose set-up failed stays parked until the stop. */
TEST_F(runtime_queue, port_stops_and_starts_after_a_failed_set_up)
{
	struct port_rig *rig = &self->rig;

	NEEDS_EMU("to make a command fail");
	for (size_t i = 0; i < RTE_DIM(sides); i++) {
		ASSERT_EQ(0, stop_queue(rig, sides[i].rx));
		rig->emu->fail(DEVX_EMU_FAIL_COMMAND, sides[i].n_before, 0);
		EXPECT_GT(0, set_up_queue(rig, sides[i].rx, N_DESC, rig->pool));
	}
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	exchange_packets(rig, 0, 0, 1);
	for (size_t i = 0; i < RTE_DIM(sides); i++) {
		ASSERT_EQ(0, set_up_queue(rig, sides[i].rx, N_DESC, rig->pool));
		ASSERT_EQ(0, start_queue(rig, sides[i].rx));
	}
	exchange_packets(rig, 1, 1, 1);
}

/* The device has the objects of the other queue only when it returns. */
TEST_F(runtime_queue, port_recovers_its_device_after_a_failed_set_up)
{
	struct port_rig *rig = &self->rig;

	NEEDS_EMU("to let the device fail");
	for (size_t i = 0; i < RTE_DIM(sides); i++) {
		ASSERT_EQ(0, stop_queue(rig, sides[i].rx));
		rig->emu->fail(DEVX_EMU_FAIL_COMMAND, sides[i].n_before, 0);
		EXPECT_GT(0, set_up_queue(rig, sides[i].rx, N_DESC, rig->pool));
	}
	loss_rig_listen();
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_FATAL);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, 1));
	exchange_packets(rig, 0, 0, 1);
	for (size_t i = 0; i < RTE_DIM(sides); i++) {
		ASSERT_EQ(0, set_up_queue(rig, sides[i].rx, N_DESC, rig->pool));
		ASSERT_EQ(0, start_queue(rig, sides[i].rx));
	}
	exchange_packets(rig, 1, 1, 1);
}

struct repair {
	const char *xstat;
	uint64_t n;
};

static bool is_repaired(const struct port_rig *rig, void *arg)
{
	const struct repair *repair = arg;
	struct rte_mbuf *m;

	EXPECT_EQ(0, rte_eth_rx_burst(rig->port, 1, &m, 1));
	rte_eth_tx_burst(rig->port, 1, NULL, 0);
	return port_rig_get_xstat(rig, repair->xstat) == repair->n;
}

/* The recovery timer gives it a second place for its rings, and runs on after the set-up. */
TEST_F_EACH(runtime_queue, queue_that_was_set_up_again_recovers, struct side, sides)
{
	const struct port_rig *rig = &self->rig;
	const struct rte_eth_dev_data *data = rte_eth_devices[rig->port].data;
	struct repair repair = { .xstat = row->rx ? "rx_cq_errors" : "tx_cq_errors" };
	uint32_t cqn;

	NEEDS_EMU("to let a CQ fail");
	while (repair.n++ < 2) {
		ASSERT_EQ(0, stop_queue(rig, row->rx));
		ASSERT_EQ(0, set_up_queue(rig, row->rx, N_DESC, rig->pool));
		ASSERT_EQ(0, start_queue(rig, row->rx));
		cqn = row->rx ? ((struct devx_eth_rxq *)data->rx_queues[1])->cq.cqn
			      : ((struct devx_eth_txq *)data->tx_queues[1])->cq.cqn;
		ASSERT_EQ(0, rig->emu->inject(0, DEVX_EMU_INJECT_CQ_ERROR, cqn));
		ASSERT_TRUE(port_rig_wait_until(is_repaired, rig, &repair));
		exchange_packets(rig, 1, 1, 2);
	}
}

/* The application has the eventfd of the queue in its epoll descriptor. */
TEST_F(runtime_queue, interrupt_of_the_queue_stays)
{
	struct port_rig_config with_interrupts = with_rss;
	const struct port_rig *rig = &self->rig;
	const uint16_t second[] = { 1, 1 };
	struct rte_epoll_event event;
	struct rte_mbuf *m;

	with_interrupts.eth.intr_conf.rxq = 1;
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	ASSERT_EQ(0, port_rig_configure(&self->rig, &with_interrupts));
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	ASSERT_EQ(0, rte_eth_dev_rx_intr_ctl_q(rig->port, 1, RTE_EPOLL_PER_THREAD,
					       RTE_INTR_EVENT_ADD, NULL));
	for (uint32_t i = 0; i < 3; i++) {
		ASSERT_EQ(0, stop_queue(rig, true));
		if (i == 1 && rig->emu) {
			rig->emu->fail(DEVX_EMU_FAIL_COMMAND, 0, 0);
			EXPECT_GT(0, set_up_queue(rig, true, N_DESC, rig->pool));
		}
		ASSERT_EQ(0, set_up_queue(rig, true, N_DESC, rig->pool));
		ASSERT_EQ(0, start_queue(rig, true));
		ASSERT_EQ(0, rss_update_reta(rig, second, N_QUEUES));
		ASSERT_EQ(0, rte_eth_dev_rx_intr_enable(rig->port, 1));
		m = port_rig_make_packet(rig, FRAME, i);
		ASSERT_TRUE(port_rig_send(rig, &m, 1));
		ASSERT_EQ(1, rte_epoll_wait(RTE_EPOLL_PER_THREAD, &event, 1, WAIT_LIMIT_MS));
		ASSERT_EQ(0, rte_eth_dev_rx_intr_disable(rig->port, 1));
		ASSERT_EQ(1, rte_eth_rx_burst(rig->port, 1, &m, 1));
		port_rig_expect_packet(rig, m, FRAME, i);
		rte_pktmbuf_free(m);
	}
	ASSERT_EQ(0, rte_eth_dev_rx_intr_ctl_q(rig->port, 1, RTE_EPOLL_PER_THREAD,
					       RTE_INTR_EVENT_DEL, NULL));
}
