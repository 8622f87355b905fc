/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <rte_ip.h>
#include <rte_udp.h>

#include "devx_port.h"
#include "port_rig.h"

/* Packets of a port rig: to the port itself, with contents that a seed determines. */

enum {
	HEADERS = sizeof(struct rte_ether_hdr) + sizeof(struct rte_ipv4_hdr) +
		  sizeof(struct rte_udp_hdr)
};

/* Returns payload byte @i of packet @seed; the seed makes the packets of a test differ. */
static uint8_t make_pattern_byte(uint32_t seed, uint32_t i)
{
	const uint32_t x = (seed + 1) * 2654435761u ^ i * 40503u;

	return (uint8_t)(x >> 13 ^ x >> 3);
}

static void fill_frame(const struct port_rig *rig, uint8_t *frame, uint32_t bytes, uint32_t seed)
{
	struct rte_ether_hdr *eth = (struct rte_ether_hdr *)frame;
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(eth + 1);
	struct rte_udp_hdr *udp = (struct rte_udp_hdr *)(ip + 1);

	memset(frame, 0, RTE_MIN(bytes, (uint32_t)HEADERS));
	eth->dst_addr = rig->mac;
	eth->src_addr = rig->mac;
	eth->ether_type = rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4);
	ip->version_ihl = RTE_IPV4_VHL_DEF;
	ip->total_length = rte_cpu_to_be_16((uint16_t)(bytes - sizeof(*eth)));
	ip->time_to_live = 64;
	ip->next_proto_id = IPPROTO_UDP;
	ip->src_addr = rte_cpu_to_be_32(RTE_IPV4(10, 0, 0, 1));
	ip->dst_addr = rte_cpu_to_be_32(RTE_IPV4(10, 0, 0, 2));
	ip->hdr_checksum = rte_ipv4_cksum(ip);
	udp->src_port = rte_cpu_to_be_16(1000);
	udp->dst_port = rte_cpu_to_be_16(2000);
	udp->dgram_len = rte_cpu_to_be_16((uint16_t)(bytes - sizeof(*eth) - sizeof(*ip)));
	for (uint32_t i = HEADERS; i < bytes; i++)
		frame[i] = make_pattern_byte(seed, i);
}

struct rte_mbuf *port_rig_make_packet(const struct port_rig *rig, uint32_t bytes, uint32_t seed)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(rig->pool);

	if (!m)
		return NULL;
	fill_frame(rig, (uint8_t *)rte_pktmbuf_append(m, (uint16_t)bytes), bytes, seed);
	return m;
}

void port_rig_expect_packet(const struct port_rig *rig, const struct rte_mbuf *m, uint32_t bytes,
			    uint32_t seed)
{
	uint8_t want[2048];

	SCOPED_TRACE("packet %u", seed);
	fill_frame(rig, want, bytes, seed);
	EXPECT_EQ(1, m->nb_segs);
	EXPECT_EQ(1, rte_mbuf_refcnt_read(m));
	EXPECT_EQ(rig->port, m->port);
	EXPECT_EQ(bytes, m->pkt_len);
	ASSERT_EQ(bytes, m->data_len);
	EXPECT_MEMEQ(want, rte_pktmbuf_mtod(m, uint8_t *), bytes);
}

struct burst {
	struct rte_mbuf **m;
	uint16_t n, done;
};

static bool try_send(const struct port_rig *rig, void *arg)
{
	struct burst *b = arg;

	b->done += rte_eth_tx_burst(rig->port, 0, b->m + b->done, (uint16_t)(b->n - b->done));
	return b->done == b->n;
}

bool port_rig_send(const struct port_rig *rig, struct rte_mbuf **m, uint16_t n)
{
	struct burst b = { m, n, 0 };

	if (port_rig_wait_until(try_send, rig, &b))
		return true;
	ADD_FAILURE("the send queue took only %u of %u packets", b.done, n);
	rte_pktmbuf_free_bulk(m + b.done, n - b.done);
	return false;
}

static bool try_receive(const struct port_rig *rig, void *arg)
{
	struct burst *b = arg;

	b->done = rte_eth_rx_burst(rig->port, 0, b->m, b->n);
	return b->done;
}

uint16_t port_rig_receive(const struct port_rig *rig, struct rte_mbuf **m, uint16_t n)
{
	struct burst b = { m, n, 0 };

	port_rig_wait_until(try_receive, rig, &b);
	return b.done;
}

void port_rig_exchange_one(const struct port_rig *rig, uint32_t seed)
{
	struct rte_mbuf *m = port_rig_make_packet(rig, 200, seed);

	ASSERT_NE(NULL, m);
	ASSERT_TRUE(port_rig_send(rig, &m, 1));
	ASSERT_EQ(1, port_rig_receive(rig, &m, 1));
	port_rig_expect_packet(rig, m, 200, seed);
	rte_pktmbuf_free(m);
}

void port_rig_overflow(const struct port_rig *rig,
		       bool (*dropped)(const struct port_rig *rig, void *arg), void *arg)
{
	struct rte_mbuf *m[PORT_RIG_BURST];
	uint16_t got = 0, n;

	for (uint32_t i = 0; i < PORT_RIG_RING + PORT_RIG_MISSED; i++) {
		m[0] = port_rig_make_packet(rig, 60, i);
		ASSERT_TRUE(port_rig_send(rig, m, 1));
	}
	EXPECT_TRUE(port_rig_wait_until(dropped, rig, arg));
	while (got < PORT_RIG_RING && (n = port_rig_receive(rig, m, PORT_RIG_BURST))) {
		rte_pktmbuf_free_bulk(m, n);
		got += n;
	}
	EXPECT_EQ(PORT_RIG_RING, got);
}

void port_rig_exchange_on_all(const struct port_rig *rig)
{
	const uint16_t n = rte_eth_devices[rig->port].data->nb_tx_queues;

	for (uint16_t i = 0; i < n; i++) {
		struct rte_mbuf *m = port_rig_make_packet(rig, 200, i);

		SCOPED_TRACE("Tx queue %u", i);
		ASSERT_NE(NULL, m);
		ASSERT_EQ(1, rte_eth_tx_burst(rig->port, i, &m, 1));
		ASSERT_EQ(1, port_rig_receive(rig, &m, 1));
		port_rig_expect_packet(rig, m, 200, i);
		rte_pktmbuf_free(m);
	}
}
