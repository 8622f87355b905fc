/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/content.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/ring.h"

enum { N_FRAMES = 64, FIRST_NUMBER = 1000 };

static int send_numbered(const struct bench_port *port)
{
	struct rte_mbuf *m[N_FRAMES];
	uint16_t n;

	if (bench_port_alloc(port, m, N_FRAMES))
		return -ENOMEM;
	for (uint32_t i = 0; i < N_FRAMES; i++)
		bench_frame_write_sent(&port->frame, FIRST_NUMBER + i,
				       rte_pktmbuf_mtod(m[i], uint8_t *));
	n = rte_eth_tx_burst(port->id, 0, m, N_FRAMES);
	rte_pktmbuf_free_bulk(m + n, N_FRAMES - n);
	return n;
}

static uint64_t list_flags(const struct bench_port *port)
{
	struct rte_eth_rxq_info info;

	if (rte_eth_rx_queue_info_get(port->id, 0, &info))
		return 0;
	return (info.conf.offloads & RTE_ETH_RX_OFFLOAD_CHECKSUM
			? RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_L4_CKSUM_GOOD
			: 0) |
	       (info.conf.offloads & RTE_ETH_RX_OFFLOAD_RSS_HASH ? RTE_MBUF_F_RX_RSS_HASH : 0) |
	       (info.conf.offloads & RTE_ETH_RX_OFFLOAD_VLAN_STRIP
			? RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED
			: 0);
}

/* Returns the reason why packet @m is not frame number @number, or NULL. */
static const char *find_fault(const struct bench_port *port, const struct rte_mbuf *m,
			      uint32_t number, uint64_t flags)
{
	uint8_t want[BENCH_MAX_FRAME + sizeof(struct rte_vlan_hdr)], got[sizeof(want)];
	const uint16_t bytes = bench_frame_write_received(&port->frame, number, want);
	const void *data;

	if (m->pkt_len != bytes || rte_mbuf_check(m, 1, &(const char *){ NULL }))
		return "its length";
	data = rte_pktmbuf_read(m, 0, bytes, got);
	if (!data || memcmp(data, want, bytes) != 0)
		return "its bytes";
	if ((m->ol_flags & flags) != flags)
		return "its flags";
	if (m->ol_flags & RTE_MBUF_F_RX_VLAN_STRIPPED && m->vlan_tci != BENCH_FRAME_TCI)
		return "its VLAN";
	return NULL;
}

/*
 * Makes the device move @sent packets, and compares them with the frames from @number on. @step is
 * the difference between the numbers of two packets.
 */
static int check_received(const struct bench_port *port, int sent, uint32_t number, uint32_t step,
			  char *why, size_t why_bytes)
{
	const uint64_t flags = list_flags(port);
	struct rte_mbuf *m[N_FRAMES];
	const char *fault = NULL;
	uint32_t got = 0;
	uint16_t n;

	bench_engine_run(port, BENCH_HOT);
	do {
		n = rte_eth_rx_burst(port->id, 0, m, N_FRAMES);
		for (uint16_t i = 0; i < n && !fault; i++)
			fault = find_fault(port, m[i], number + step * got++, flags);
		rte_pktmbuf_free_bulk(m, n);
	} while (n);
	if (fault)
		snprintf(why, why_bytes, "received packet %u of %d is wrong in %s", got, N_FRAMES,
			 fault);
	else if (got != N_FRAMES)
		snprintf(why, why_bytes, "%d of %d test frames were sent, and %u received", sent,
			 N_FRAMES, got);
	return fault || got != N_FRAMES ? -EIO : 0;
}

int bench_content_check(const struct bench_port *port, char *why, size_t why_bytes)
{
	const int sent = send_numbered(port);

	return sent < 0 ? sent : check_received(port, sent, FIRST_NUMBER, 1, why, why_bytes);
}

int bench_content_check_ring(const struct bench_port *port, char *why, size_t why_bytes)
{
	const int sent = bench_ring_send(port->ring, N_FRAMES);

	return check_received(port, sent, BENCH_RING_NUMBER, 0, why, why_bytes);
}
