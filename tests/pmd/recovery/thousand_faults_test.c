/* SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rte_malloc.h>

#include "devx_rxq.h"
#include "devx_txq.h"
#include "loss_rig.h"
#include "wait_limit.h"

/*
 * A thousand faults of all kinds under traffic. Each packet has a number. Afterwards
 *
 *     packets taken by send bursts = opackets
 *     packets of receive bursts    = ipackets, and no number came twice
 *
 * and port_account_expect() follows the frames between them through emu. A seed names the run;
 * FAULTS_SEED in the environment repeats it.
 */

enum {
	N_FAULTS = 1000,
	N_QUEUES = 2,
	RING = 128,
	FRAME = 64,
	NUMBER_AT = 48, /* the number of a packet, behind its headers */
	N_PACKETS = 1 << 22,
	FEW_FDS = 20, /* that EAL's interrupt thread may open later; about 200 losses leak more */
};

FIXTURE(thousand_faults)
{
	struct port_rig rig;
	uint64_t random;
	uint32_t n_made; /* numbers that packets have */
	uint64_t n_taken, n_received, n_twice, n_unknown;
	uint8_t *seen;
	unsigned int n_injected[16];
};
FIXTURE_SETUP(thousand_faults)
{
	const char *seed = getenv("FAULTS_SEED");
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	self->random = seed ? strtoull(seed, NULL, 0) : (uint64_t)now.tv_nsec;
	port_rig_up(&self->rig,
		    &(struct port_rig_config){ .n_rxq = N_QUEUES,
					       .n_txq = N_QUEUES,
					       .n_rx_desc = RING,
					       .n_tx_desc = RING,
					       .eth.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS,
					       .eth.rx_adv_conf.rss_conf.rss_hf =
						       RTE_ETH_RSS_IP | RTE_ETH_RSS_UDP,
					       .eth.intr_conf = { .lsc = 1, .rmv = 1 } });
	NEEDS_EMU("to inject faults");
	loss_rig_listen();
	self->seen = calloc(N_PACKETS, 1);
	ASSERT_NE(NULL, self->seen);
	printf("FAULTS_SEED=%" PRIu64 "\n", self->random);
}
FIXTURE_TEARDOWN(thousand_faults)
{
	loss_rig_forget();
	port_rig_down(&self->rig);
	free(self->seen);
}

/* Draws a number below @n. */
static uint32_t draw_number(struct ct_fix_thousand_faults *self, uint32_t n)
{
	self->random = self->random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(self->random >> 33) % n;
}

/* ---- traffic -------------------------------------------------------------------------------- */

static void send_some(struct ct_fix_thousand_faults *self, uint16_t queue)
{
	struct rte_mbuf *m[PORT_RIG_BURST];
	uint16_t n = (uint16_t)draw_number(self, PORT_RIG_BURST), sent;

	for (uint16_t i = 0; i < n; i++) {
		const uint32_t number = self->n_made++;

		m[i] = port_rig_make_packet(&self->rig, FRAME, 0);
		ASSERT_NE(NULL, m[i]);
		/* flows for both receive queues */
		rte_pktmbuf_mtod(m[i], uint8_t *)[RTE_ETHER_HDR_LEN + 19] = (uint8_t)number;
		memcpy(rte_pktmbuf_mtod_offset(m[i], void *, NUMBER_AT), &number, sizeof(number));
	}
	sent = rte_eth_tx_burst(self->rig.port, queue, m, n);
	self->n_taken += sent;
	self->n_made -= n - sent; /* the next packets get these numbers */
	rte_pktmbuf_free_bulk(m + sent, n - sent);
}

static unsigned int receive_some(struct ct_fix_thousand_faults *self, uint16_t queue)
{
	struct rte_mbuf *m[PORT_RIG_BURST];
	const uint16_t n = rte_eth_rx_burst(self->rig.port, queue, m, PORT_RIG_BURST);

	for (uint16_t i = 0; i < n; i++) {
		uint32_t number;

		memcpy(&number, rte_pktmbuf_mtod_offset(m[i], void *, NUMBER_AT), sizeof(number));
		if (number < self->n_made)
			self->n_twice += self->seen[number]++ > 0;
		else
			self->n_unknown++;
	}
	rte_pktmbuf_free_bulk(m, n);
	self->n_received += n;
	return n;
}

static void move_traffic(struct ct_fix_thousand_faults *self, unsigned int rounds)
{
	for (unsigned int i = 0; i < rounds; i++) {
		for (uint16_t q = 0; q < N_QUEUES; q++)
			if (self->n_made < N_PACKETS - PORT_RIG_BURST)
				send_some(self, q);
		for (uint16_t q = 0; q < N_QUEUES; q++)
			receive_some(self, q);
	}
}

/* ---- faults --------------------------------------------------------------------------------- */

static struct devx_eth *get_eth(const struct ct_fix_thousand_faults *self)
{
	return devx_eth_port_get(&rte_eth_devices[self->rig.port]);
}

/* Returns the number of an object of a queue; the recovery may replace it at any time. */
static uint32_t find_object(const struct ct_fix_thousand_faults *self, enum devx_emu_inject what,
			    bool rx, uint16_t queue)
{
	const struct rte_eth_dev_data *data = rte_eth_devices[self->rig.port].data;
	const struct devx_eth_rxq *rxq = data->rx_queues[queue];
	const struct devx_eth_txq *txq = data->tx_queues[queue];
	uint32_t number;

	pthread_mutex_lock(&get_eth(self)->lock);
	if (what == DEVX_EMU_INJECT_SQ_ERROR)
		number = txq->sq.sqn;
	else if (what == DEVX_EMU_INJECT_RQ_ERROR)
		number = rxq->rq.rqn;
	else
		number = rx ? rxq->cq.cqn : txq->cq.cqn;
	pthread_mutex_unlock(&get_eth(self)->lock);
	return number;
}

/* The driver learns of a loss later than emu, whose open contexts show it at once. */
static bool is_healthy(const struct ct_fix_thousand_faults *self)
{
	const struct rte_eth_dev_data *data = rte_eth_devices[self->rig.port].data;
	bool healthy = port_rig_get_counters(&self->rig).contexts &&
		       !devx_eth_gate_is_closed(&get_eth(self)->recovery.gate);

	for (uint16_t i = 0; i < N_QUEUES; i++) {
		const struct devx_eth_rxq *rxq = data->rx_queues[i];
		const struct devx_eth_txq *txq = data->tx_queues[i];

		healthy = healthy &&
			  __atomic_load_n(&rxq->owner, __ATOMIC_ACQUIRE) == DEVX_ETH_RUNNING &&
			  __atomic_load_n(&txq->owner, __ATOMIC_ACQUIRE) == DEVX_ETH_RUNNING;
	}
	return healthy;
}

/* Moves traffic until no fault is left. Return: false: WAIT_LIMIT_S is over */
static bool run_until_healthy(struct ct_fix_thousand_faults *self)
{
	struct timespec now, end;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += WAIT_LIMIT_S;
	do {
		move_traffic(self, 1);
		if (is_healthy(self))
			return true;
		sched_yield();
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec < end.tv_sec);
	return false;
}

static bool inject_removal(struct ct_fix_thousand_faults *self)
{
	const struct devx_emu_ctl *emu = self->rig.emu;

	if (emu->inject(0, DEVX_EMU_INJECT_DEVICE_REMOVE, 0))
		return false;
	move_traffic(self, draw_number(self, 50));
	return !emu->inject(0, DEVX_EMU_INJECT_DEVICE_RETURN, 0);
}

static bool inject_link_down(struct ct_fix_thousand_faults *self)
{
	const struct devx_emu_ctl *emu = self->rig.emu;

	if (emu->inject(0, DEVX_EMU_INJECT_LINK_DOWN, 0))
		return false;
	move_traffic(self, draw_number(self, 10));
	return !emu->inject(0, DEVX_EMU_INJECT_LINK_UP, 0);
}

/* Injects one fault. Return: false: the queue has no such object now */
static bool inject_fault(struct ct_fix_thousand_faults *self)
{
	static const enum devx_emu_inject kinds[] = {
		DEVX_EMU_INJECT_SQ_ERROR,     DEVX_EMU_INJECT_SQ_ERROR,
		DEVX_EMU_INJECT_RQ_ERROR,     DEVX_EMU_INJECT_RQ_ERROR,
		DEVX_EMU_INJECT_CQ_ERROR,     DEVX_EMU_INJECT_CQ_ERROR,
		DEVX_EMU_INJECT_LINK_DOWN,    DEVX_EMU_INJECT_EVENT_LOSS,
		DEVX_EMU_INJECT_DEVICE_FATAL, DEVX_EMU_INJECT_DEVICE_REMOVE,
	};
	const enum devx_emu_inject what = kinds[draw_number(self, RTE_DIM(kinds))];
	const bool rx = draw_number(self, 2);
	const uint16_t queue = (uint16_t)draw_number(self, N_QUEUES);
	bool done;

	if (what == DEVX_EMU_INJECT_DEVICE_REMOVE)
		done = inject_removal(self);
	else if (what == DEVX_EMU_INJECT_LINK_DOWN)
		done = inject_link_down(self);
	else if (what == DEVX_EMU_INJECT_DEVICE_FATAL || what == DEVX_EMU_INJECT_EVENT_LOSS)
		done = !self->rig.emu->inject(0, what, 0);
	else
		done = !self->rig.emu->inject(0, what, find_object(self, what, rx, queue));
	self->n_injected[what] += done;
	return done;
}

/* ---- end ------------------------------------------------------------------------------------ */

static bool has_drained(const struct port_rig *rig, void *arg)
{
	struct ct_fix_thousand_faults *self = arg;
	unsigned int n = 0;

	RTE_SET_USED(rig);
	for (unsigned int i = 0; i < 100; i++)
		for (uint16_t q = 0; q < N_QUEUES; q++)
			n += receive_some(self, q);
	rte_delay_us_sleep(10000);
	return !n;
}

static void expect_fates(struct ct_fix_thousand_faults *self)
{
	struct rte_eth_stats stats;

	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_EQ(self->n_taken, stats.opackets);
	EXPECT_EQ(stats.oerrors, port_rig_get_xstat(&self->rig, "tx_lost_packets"));
	EXPECT_EQ(self->n_received, stats.ipackets);
	EXPECT_EQ(0, self->n_twice);
	EXPECT_EQ(0, self->n_unknown);
	printf("%" PRIu64 " packets sent, %" PRIu64 " received; lost: %" PRIu64 " in send queues, "
	       "%" PRIu64 " in receive queues\n",
	       self->n_taken, self->n_received, (uint64_t)stats.oerrors,
	       port_rig_get_xstat(&self->rig, "rx_lost_packets"));
}

static unsigned int count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

static uint64_t count_heap_bytes(void)
{
	struct rte_malloc_socket_stats stats = { 0 };

	EXPECT_EQ(0, rte_malloc_get_socket_stats(0, &stats));
	return stats.heap_allocsz_bytes;
}

static void print_faults(const struct ct_fix_thousand_faults *self)
{
	printf("SQ %u, RQ %u, CQ %u, link %u, events %u, fatal %u, removal %u; "
	       "%u recoveries of the device\n",
	       self->n_injected[DEVX_EMU_INJECT_SQ_ERROR],
	       self->n_injected[DEVX_EMU_INJECT_RQ_ERROR],
	       self->n_injected[DEVX_EMU_INJECT_CQ_ERROR],
	       self->n_injected[DEVX_EMU_INJECT_LINK_DOWN],
	       self->n_injected[DEVX_EMU_INJECT_EVENT_LOSS],
	       self->n_injected[DEVX_EMU_INJECT_DEVICE_FATAL],
	       self->n_injected[DEVX_EMU_INJECT_DEVICE_REMOVE], loss_seen.n_success);
}

TEST_F(thousand_faults, every_packet_has_a_fate_and_nothing_leaks)
{
	struct port_rig *rig = &self->rig;
	struct devx_emu_counters before;
	uint64_t heap_bytes;
	unsigned int n_fds;

	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	before = port_rig_start_and_stop(rig);
	ASSERT_EQ(0, rte_eth_dev_start(rig->port));
	/* the first loss allocates what later ones use again */
	loss_rig_inject(rig, DEVX_EMU_INJECT_DEVICE_FATAL);
	ASSERT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, 1));
	n_fds = count_fds();
	heap_bytes = count_heap_bytes();
	rig->device_lost = true;

	for (unsigned int n = 0; n < N_FAULTS;) {
		n += inject_fault(self);
		move_traffic(self, draw_number(self, 8));
		/* one in four faults is followed by another one during its recovery */
		if (draw_number(self, 4))
			ASSERT_TRUE(run_until_healthy(self));
		if (n % 50 == 0)
			port_rig_read_log();
	}
	ASSERT_TRUE(run_until_healthy(self));
	ASSERT_TRUE(port_rig_wait_until(has_drained, rig, self));
	print_faults(self);
	/* the last event comes after the port works again */
	EXPECT_TRUE(loss_rig_wait(rig, &loss_seen.n_success, loss_seen.n_recovering));
	EXPECT_EQ(0, loss_seen.n_failed);
	EXPECT_EQ(0, loss_seen.n_removed);
	EXPECT_EQ(loss_seen.n_recovering, loss_seen.n_success);
	EXPECT_GT(n_fds + FEW_FDS, count_fds());
	EXPECT_LE(count_heap_bytes(), heap_bytes + (1 << 20)); /* spare rings of the queues */
	ASSERT_EQ(0, rte_eth_dev_stop(rig->port));
	port_rig_expect_objects(rig, &before); /* a started port may keep spare rings */
	mbuf_pool_expect_all(rig->pool);
	expect_fates(self);
}
