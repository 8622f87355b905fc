/* SPDX-License-Identifier: BSD-3-Clause
 *
 * soak_peer QUEUE POOL [EAL-OPTIONS]: the secondary process of soak_test.c
 *
 * Sends and receives on pair QUEUE of port 0 with mbufs of POOL, until the port is removed or
 * SIGTERM comes. Nobody receives what it sends. Exit status: 0; 1: no port, as while its device is
 * lost.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

enum { PORT = 0, BURST = 8, FRAME = 64 };

static volatile sig_atomic_t ended;

static void end_soon(int signal)
{
	(void)signal;
	ended = 1;
}

static int note_removal(uint16_t port, enum rte_eth_event_type event, void *arg, void *ret)
{
	(void)port;
	(void)event;
	(void)arg;
	(void)ret;
	ended = 1;
	return 0;
}

static struct rte_mbuf *make_packet(struct rte_mempool *pool)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool);
	struct rte_ether_hdr *eth;

	if (!m)
		return NULL;
	eth = (struct rte_ether_hdr *)rte_pktmbuf_append(m, FRAME);
	memset(eth, 0, FRAME);
	eth->dst_addr.addr_bytes[0] = 2; /* nobody has this address */
	return m;
}

static void move_packets(struct rte_mempool *pool, uint16_t queue)
{
	struct rte_mbuf *m[BURST];
	uint16_t n = 0, sent;

	while (n < BURST && (m[n] = make_packet(pool)))
		n++;
	sent = rte_eth_tx_burst(PORT, queue, m, n);
	rte_pktmbuf_free_bulk(m + sent, n - sent);
	n = rte_eth_rx_burst(PORT, queue, m, BURST);
	rte_pktmbuf_free_bulk(m, n);
}

int main(int argc, char **argv)
{
	struct rte_mempool *pool;
	uint16_t queue;

	signal(SIGTERM, end_soon);
	if (argc < 3 || rte_eal_init(argc - 2, argv + 2) < 0)
		return 1;
	queue = (uint16_t)atoi(argv[1]);
	pool = rte_mempool_lookup(argv[2]);
	rte_eth_dev_callback_register(RTE_ETH_ALL, RTE_ETH_EVENT_INTR_RMV, note_removal, NULL);
	if (!pool || !rte_eth_dev_is_valid_port(PORT)) {
		rte_eal_cleanup();
		return 1;
	}
	while (!ended)
		move_packets(pool, queue);
	rte_mempool_cache_flush(rte_mempool_default_cache(pool, rte_lcore_id()), pool);
	rte_eal_cleanup();
	return 0;
}
