/* SPDX-License-Identifier: BSD-3-Clause */
#include "fault_rig.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "devx_rxq.h"
#include "devx_txq.h"
#include "loss_rig.h"
#include "wait_limit.h"

enum { FRAME = 64, NUMBER_AT = 48 }; /* the number of a packet, behind its headers */

void fault_rig_up(struct fault_rig *f, struct port_rig *port, uint16_t n_queues)
{
	const char *seed = getenv("FAULTS_SEED");
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	*f = (struct fault_rig){ .port = port,
				 .n_queues = n_queues,
				 .random = seed ? strtoull(seed, NULL, 0) : (uint64_t)now.tv_nsec,
				 .seen = calloc(FAULT_RIG_NUMBERS, 1) };
	ASSERT_NE(NULL, f->seen);
	printf("FAULTS_SEED=%" PRIu64 "\n", f->random);
	fflush(stdout);
	loss_rig_listen();
}

void fault_rig_down(struct fault_rig *f)
{
	loss_rig_forget();
	free(f->seen);
}

struct port_rig_config fault_rig_config(uint16_t n_queues)
{
	return (struct port_rig_config){
		.n_rxq = n_queues,
		.n_txq = n_queues,
		.n_rx_desc = FAULT_RIG_RING,
		.n_tx_desc = FAULT_RIG_RING,
		.eth.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS,
		.eth.rx_adv_conf.rss_conf.rss_hf = RTE_ETH_RSS_IP | RTE_ETH_RSS_UDP,
		.eth.intr_conf = { .lsc = 1, .rmv = 1 },
	};
}

uint32_t fault_rig_draw(struct fault_rig *f, uint32_t n)
{
	f->random = f->random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(f->random >> 33) % n;
}

/* ---- traffic -------------------------------------------------------------------------------- */

static void send_some(struct fault_rig *f, uint16_t queue)
{
	struct rte_mbuf *m[PORT_RIG_BURST];
	uint16_t n = (uint16_t)fault_rig_draw(f, PORT_RIG_BURST), sent;

	for (uint16_t i = 0; i < n; i++) {
		const uint32_t number = f->n_made++;

		m[i] = port_rig_make_packet(f->port, FRAME, 0);
		ASSERT_NE(NULL, m[i]);
		/* flows for all receive queues */
		rte_pktmbuf_mtod(m[i], uint8_t *)[RTE_ETHER_HDR_LEN + 19] = (uint8_t)number;
		memcpy(rte_pktmbuf_mtod_offset(m[i], void *, NUMBER_AT), &number, sizeof(number));
	}
	sent = rte_eth_tx_burst(f->port->port, queue, m, n);
	f->n_taken += sent;
	f->n_made -= n - sent; /* the next packets get these numbers */
	rte_pktmbuf_free_bulk(m + sent, n - sent);
}

static unsigned int receive_some(struct fault_rig *f, uint16_t queue)
{
	struct rte_mbuf *m[PORT_RIG_BURST];
	const uint16_t n = rte_eth_rx_burst(f->port->port, queue, m, PORT_RIG_BURST);

	for (uint16_t i = 0; i < n; i++) {
		uint32_t number;

		memcpy(&number, rte_pktmbuf_mtod_offset(m[i], void *, NUMBER_AT), sizeof(number));
		if (number < f->n_made)
			f->n_twice += f->seen[number]++ > 0;
		else
			f->n_unknown++;
	}
	rte_pktmbuf_free_bulk(m, n);
	f->n_received += n;
	return n;
}

static void call_idle(const struct fault_rig *f, uint16_t queue)
{
	struct rte_mbuf *m[PORT_RIG_BURST];

	rte_eth_tx_burst(f->port->port, queue, m, 0);
	rte_pktmbuf_free_bulk(m, rte_eth_rx_burst(f->port->port, queue, m, PORT_RIG_BURST));
}

void fault_rig_move(struct fault_rig *f, unsigned int rounds)
{
	for (unsigned int i = 0; i < rounds; i++) {
		for (uint16_t q = 0; q < f->n_queues; q++)
			if (f->n_made < FAULT_RIG_NUMBERS - PORT_RIG_BURST)
				send_some(f, q);
		for (uint16_t q = 0; q < f->n_queues; q++)
			receive_some(f, q);
		for (uint16_t q = 0; q < f->n_idle; q++)
			call_idle(f, f->n_queues + q);
	}
}

/* ---- faults --------------------------------------------------------------------------------- */

static struct devx_eth *get_eth(const struct fault_rig *f)
{
	return devx_eth_port_get(&rte_eth_devices[f->port->port]);
}

/* Returns the number of an object of a queue; the recovery may replace it at any time. */
static uint32_t find_object(const struct fault_rig *f, enum devx_emu_inject what, bool rx,
			    uint16_t queue)
{
	const struct rte_eth_dev_data *data = rte_eth_devices[f->port->port].data;
	const struct devx_eth_rxq *rxq = data->rx_queues[queue];
	const struct devx_eth_txq *txq = data->tx_queues[queue];
	uint32_t number;

	pthread_mutex_lock(&get_eth(f)->lock);
	if (what == DEVX_EMU_INJECT_SQ_ERROR)
		number = txq->sq.sqn;
	else if (what == DEVX_EMU_INJECT_RQ_ERROR)
		number = rxq->rq.rqn;
	else
		number = rx ? rxq->cq.cqn : txq->cq.cqn;
	pthread_mutex_unlock(&get_eth(f)->lock);
	return number;
}

/* The driver learns of a loss later than emu, whose open contexts show it at once. */
static bool is_healthy(const struct fault_rig *f)
{
	const struct rte_eth_dev_data *data = rte_eth_devices[f->port->port].data;
	bool healthy = port_rig_get_counters(f->port).contexts &&
		       !devx_eth_gate_is_closed(&get_eth(f)->recovery.gate);

	for (uint16_t i = 0; i < f->n_queues + f->n_idle; i++) {
		const struct devx_eth_rxq *rxq = data->rx_queues[i];
		const struct devx_eth_txq *txq = data->tx_queues[i];

		healthy = healthy &&
			  __atomic_load_n(&rxq->owner, __ATOMIC_ACQUIRE) == DEVX_ETH_RUNNING &&
			  __atomic_load_n(&txq->owner, __ATOMIC_ACQUIRE) == DEVX_ETH_RUNNING;
	}
	return healthy;
}

bool fault_rig_run_until_healthy(struct fault_rig *f)
{
	struct timespec now, end;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += WAIT_LIMIT_S;
	do {
		fault_rig_move(f, 1);
		if (is_healthy(f))
			return true;
		sched_yield();
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec < end.tv_sec);
	return false;
}

/* Injects @what, moves traffic for up to @rounds, and ends the fault by @back. */
static bool inject_both(struct fault_rig *f, enum devx_emu_inject what, enum devx_emu_inject back,
			unsigned int rounds)
{
	const struct devx_emu_ctl *emu = f->port->emu;

	if (emu->inject(0, what, 0))
		return false;
	fault_rig_move(f, fault_rig_draw(f, rounds));
	return !emu->inject(0, back, 0);
}

bool fault_rig_inject(struct fault_rig *f, const enum devx_emu_inject *kinds, unsigned int n)
{
	const enum devx_emu_inject what = kinds[fault_rig_draw(f, n)];
	const bool rx = fault_rig_draw(f, 2);
	const uint16_t queue = (uint16_t)fault_rig_draw(f, f->n_queues);
	bool done;

	if (what == DEVX_EMU_INJECT_DEVICE_REMOVE)
		done = inject_both(f, what, DEVX_EMU_INJECT_DEVICE_RETURN, 50);
	else if (what == DEVX_EMU_INJECT_LINK_DOWN)
		done = inject_both(f, what, DEVX_EMU_INJECT_LINK_UP, 10);
	else if (what == DEVX_EMU_INJECT_DEVICE_FATAL || what == DEVX_EMU_INJECT_EVENT_LOSS)
		done = !f->port->emu->inject(0, what, 0);
	else
		done = !f->port->emu->inject(0, what, find_object(f, what, rx, queue));
	f->n_injected[what] += done;
	return done;
}

/* ---- account -------------------------------------------------------------------------------- */

static bool has_drained(const struct port_rig *rig, void *arg)
{
	struct fault_rig *f = arg;
	unsigned int n = 0;

	RTE_SET_USED(rig);
	for (unsigned int i = 0; i < 100; i++)
		for (uint16_t q = 0; q < f->n_queues; q++)
			n += receive_some(f, q);
	rte_delay_us_sleep(10000);
	return !n;
}

bool fault_rig_drain(struct fault_rig *f)
{
	return port_rig_wait_until(has_drained, f->port, f);
}

void fault_rig_begin_numbers(struct fault_rig *f)
{
	f->n_made = 0;
	memset(f->seen, 0, FAULT_RIG_NUMBERS);
}

void fault_rig_expect_fates(const struct fault_rig *f)
{
	uint64_t sent = 0, received = 0;

	for (uint16_t q = 0; q < f->n_queues; q++) {
		char name[RTE_ETH_XSTATS_NAME_SIZE];

		snprintf(name, sizeof(name), "tx_q%u_packets", q);
		sent += port_rig_get_xstat(f->port, name);
		snprintf(name, sizeof(name), "rx_q%u_packets", q);
		received += port_rig_get_xstat(f->port, name);
	}
	EXPECT_EQ(f->n_taken, sent);
	EXPECT_EQ(f->n_received, received);
	EXPECT_EQ(0, f->n_twice);
	EXPECT_EQ(0, f->n_unknown);
}
