/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <rte_ip.h>

#include "port_rig.h"

FIXTURE(traffic) { struct port_rig rig; };
FIXTURE_SETUP(traffic) { port_rig_up(&self->rig, &(struct port_rig_config){0}); }
FIXTURE_TEARDOWN(traffic) { port_rig_down(&self->rig); }

/* Sizes that visit every length, small ones more often. */
static uint32_t
choose_size(uint32_t i)
{
	return i % 3 ? 60 + i % 64 : 60 + i * 7919 % (PORT_RIG_FRAME_MAX - 60 + 1 - 4);
}

/* Send and receive @n packets, and compare each; at most half a ring is under way. */
static void
exchange_packets(const struct port_rig *rig, uint32_t n)
{
	struct rte_mbuf *m[PORT_RIG_BURST];
	uint32_t sent = 0, got = 0;

	while (got < n) {
		uint16_t k = 0;

		while (k < 1 + sent % PORT_RIG_BURST && sent + k < n &&
		       sent + k - got < PORT_RIG_RING / 2) {
			m[k] = port_rig_make_packet(rig, choose_size(sent + k), sent + k);
			ASSERT_NE(NULL, m[k]);
			k++;
		}
		if (k && !port_rig_send(rig, m, k))
			return;
		sent += k;
		k = port_rig_receive(rig, m, PORT_RIG_BURST);
		if (!k)
			FAIL("%u packets sent, %u received, and no more come", sent, got);
		for (uint16_t i = 0; i < k; i++, got++)
			port_rig_expect_packet(rig, m[i], choose_size(got), got);
		rte_pktmbuf_free_bulk(m, k);
	}
}

/* Every counter of 16 bits wraps. */
TEST_F(traffic, every_byte_of_70000_packets_arrives)
{
	const uint32_t n = 70000;
	struct rte_eth_stats stats;
	uint64_t bytes = 0;

	exchange_packets(&self->rig, n);
	for (uint32_t i = 0; i < n; i++)
		bytes += choose_size(i);
	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_EQ(n, stats.opackets);
	EXPECT_EQ(n, stats.ipackets);
	EXPECT_EQ(bytes, stats.obytes);
	EXPECT_EQ(bytes, stats.ibytes);
	EXPECT_EQ(n, port_rig_get_xstat(&self->rig, "rx_q0_packets"));
	EXPECT_EQ(n, port_rig_get_xstat(&self->rig, "tx_q0_packets"));
	EXPECT_EQ(0, stats.imissed + stats.ierrors + stats.oerrors + stats.rx_nombuf);
}

TEST_F(traffic, a_reset_of_statistics_starts_them_at_zero)
{
	struct rte_eth_stats stats;

	exchange_packets(&self->rig, 100);
	ASSERT_EQ(0, rte_eth_stats_reset(self->rig.port));
	exchange_packets(&self->rig, 10);
	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_EQ(10, stats.opackets);
	EXPECT_EQ(10, stats.ipackets);
}

TEST_F(traffic, statistics_survive_a_stop_and_packets_flow_again)
{
	struct rte_eth_stats stats;

	for (int i = 0; i < 5; i++) {
		exchange_packets(&self->rig, 50);
		ASSERT_EQ(0, rte_eth_dev_stop(self->rig.port));
		ASSERT_EQ(0, rte_eth_dev_start(self->rig.port));
	}
	ASSERT_EQ(0, rte_eth_stats_get(self->rig.port, &stats));
	EXPECT_EQ(250, stats.opackets);
	EXPECT_EQ(250, stats.ipackets);
}

TEST_F(traffic, a_burst_larger_than_the_ring_is_taken_in_part)
{
	static struct rte_mbuf *m[PORT_RIG_RING + 100];
	uint16_t sent;

	NEEDS_EMU("to let it pause");
	self->rig.emu->pause();
	for (unsigned int i = 0; i < RTE_DIM(m); i++)
		m[i] = port_rig_make_packet(&self->rig, 60, i);
	sent = rte_eth_tx_burst(self->rig.port, 0, m, RTE_DIM(m));
	EXPECT_EQ(PORT_RIG_RING, sent);
	EXPECT_EQ(0, rte_eth_tx_burst(self->rig.port, 0, m + sent, 1));
	rte_pktmbuf_free_bulk(m + sent, RTE_DIM(m) - sent);
	self->rig.emu->resume();
}

/* ---- what a CQE says ------------------------------------------------------------------ */

FIXTURE(flags) { struct port_rig rig; };
FIXTURE_SETUP(flags)
{
	port_rig_up(&self->rig, &(struct port_rig_config){
				   .eth.rxmode.offloads = RTE_ETH_RX_OFFLOAD_CHECKSUM,
				   .eth.txmode.offloads = RTE_ETH_TX_OFFLOAD_IPV4_CKSUM |
							  RTE_ETH_TX_OFFLOAD_UDP_CKSUM |
							  RTE_ETH_TX_OFFLOAD_MULTI_SEGS,
			   });
}
FIXTURE_TEARDOWN(flags) { port_rig_down(&self->rig); }

static struct rte_udp_hdr *
get_udp(struct rte_mbuf *m)
{
	return rte_pktmbuf_mtod_offset(m, struct rte_udp_hdr *, sizeof(struct rte_ether_hdr) +
				       sizeof(struct rte_ipv4_hdr));
}

static struct rte_ipv4_hdr *
get_ip(struct rte_mbuf *m)
{
	return rte_pktmbuf_mtod_offset(m, struct rte_ipv4_hdr *, sizeof(struct rte_ether_hdr));
}

static struct rte_mbuf *
send_around(struct port_rig *rig, struct rte_mbuf *m)
{
	struct rte_mbuf *back = NULL;

	if (port_rig_send(rig, &m, 1))
		port_rig_receive(rig, &back, 1);
	return back;
}

TEST_F(flags, a_good_packet_says_so)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, 100, 1);

	get_udp(m)->dgram_cksum = rte_ipv4_udptcp_cksum(get_ip(m), get_udp(m));
	m = send_around(&self->rig, m);
	ASSERT_NE(NULL, m);
	EXPECT_EQ(RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4 | RTE_PTYPE_L4_UDP, m->packet_type);
	EXPECT_EQ(RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_L4_CKSUM_GOOD, m->ol_flags);
	rte_pktmbuf_free(m);
}

TEST_F(flags, a_bad_IP_checksum_is_told)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, 100, 1);

	get_ip(m)->hdr_checksum ^= 1;
	m = send_around(&self->rig, m);
	ASSERT_NE(NULL, m);
	EXPECT_EQ(RTE_MBUF_F_RX_IP_CKSUM_BAD, m->ol_flags & RTE_MBUF_F_RX_IP_CKSUM_MASK);
	rte_pktmbuf_free(m);
}

TEST_F(flags, a_bad_UDP_checksum_is_told)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, 100, 1);

	get_udp(m)->dgram_cksum = 0x1234;
	m = send_around(&self->rig, m);
	ASSERT_NE(NULL, m);
	EXPECT_EQ(RTE_MBUF_F_RX_L4_CKSUM_BAD, m->ol_flags & RTE_MBUF_F_RX_L4_CKSUM_MASK);
	rte_pktmbuf_free(m);
}

TEST_F(flags, checksums_are_computed_on_request)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, 100, 1), *back;
	uint16_t ip_sum, udp_sum;

	ip_sum = get_ip(m)->hdr_checksum;
	udp_sum = rte_ipv4_udptcp_cksum(get_ip(m), get_udp(m));
	get_ip(m)->hdr_checksum = 0;
	m->l2_len = sizeof(struct rte_ether_hdr);
	m->l3_len = sizeof(struct rte_ipv4_hdr);
	m->ol_flags |= RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_UDP_CKSUM;
	get_udp(m)->dgram_cksum = rte_ipv4_phdr_cksum(get_ip(m), m->ol_flags);
	back = send_around(&self->rig, m);
	ASSERT_NE(NULL, back);
	EXPECT_EQ(ip_sum, get_ip(back)->hdr_checksum);
	EXPECT_EQ(udp_sum, get_udp(back)->dgram_cksum);
	rte_pktmbuf_free(back);
}

/* Cut a packet into @n segments of about equal length. */
static struct rte_mbuf *
cut_packet(struct port_rig *rig, struct rte_mbuf *whole, unsigned int n)
{
	struct rte_mbuf *head = NULL;
	uint32_t at = 0;

	for (unsigned int i = 0; i < n; i++) {
		const uint32_t end = whole->pkt_len * (i + 1) / n;
		struct rte_mbuf *s = rte_pktmbuf_alloc(rig->pool);

		memcpy(rte_pktmbuf_append(s, (uint16_t)(end - at)),
		       rte_pktmbuf_mtod_offset(whole, char *, at), end - at);
		at = end;
		if (head)
			rte_pktmbuf_chain(head, s);
		else
			head = s;
	}
	rte_pktmbuf_free(whole);
	return head;
}

TEST_F(flags, segments_arrive_as_one_packet)
{
	for (uint32_t i = 0; i < 3000; i++) {
		const uint32_t bytes = 200 + i % 1300;
		struct rte_mbuf *whole = port_rig_make_packet(&self->rig, bytes, i);
		struct rte_mbuf *m = cut_packet(&self->rig, whole, 1 + i % 48);
		struct rte_mbuf *back = send_around(&self->rig, m);

		ASSERT_NE(NULL, back);
		port_rig_expect_packet(&self->rig, back, bytes, i);
		rte_pktmbuf_free(back);
	}
}

TEST_F(flags, an_empty_segment_is_left_out)
{
	struct rte_mbuf *m = cut_packet(&self->rig, port_rig_make_packet(&self->rig, 300, 7), 2);
	struct rte_mbuf *empty = rte_pktmbuf_alloc(self->rig.pool);

	empty->next = m->next;
	m->next = empty;
	m->nb_segs++;
	m = send_around(&self->rig, m);
	ASSERT_NE(NULL, m);
	port_rig_expect_packet(&self->rig, m, 300, 7);
	rte_pktmbuf_free(m);
}

TEST_F(flags, more_segments_than_a_WQE_holds_are_dropped_and_counted)
{
	struct rte_mbuf *m = cut_packet(&self->rig, port_rig_make_packet(&self->rig, 1000, 1), 100);

	ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
	EXPECT_EQ(1, port_rig_get_xstat(&self->rig, "tx_bad_segments_packets"));
	EXPECT_EQ(1, port_rig_get_xstat(&self->rig, "tx_errors"));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_good_packets"));
}

/* ---- fast free, many queues ------------------------------------------------------------ */

FIXTURE(fast) { struct port_rig rig; };
FIXTURE_SETUP(fast)
{
	port_rig_up(&self->rig, &(struct port_rig_config){
		.eth.txmode.offloads = RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE, .n_txq = 3,
	});
}
FIXTURE_TEARDOWN(fast) { port_rig_down(&self->rig); }

TEST_F(fast, free_loses_no_mbuf)
{
	exchange_packets(&self->rig, 20000);
}

TEST_F(fast, every_send_queue_has_its_own_doorbell)
{
	struct rte_mbuf *m[PORT_RIG_BURST];
	uint32_t got = 0;

	for (uint32_t i = 0; i < 300; i++) {
		struct rte_mbuf *p = port_rig_make_packet(&self->rig, 60, i);

		ASSERT_EQ(1, rte_eth_tx_burst(self->rig.port, (uint16_t)(i % 3), &p, 1));
	}
	while (got < 300) {
		const uint16_t k = port_rig_receive(&self->rig, m, PORT_RIG_BURST);

		if (!k)
			FAIL("%u of 300 packets came", got);
		rte_pktmbuf_free_bulk(m, k);
		got += k;
	}
	EXPECT_EQ(100, port_rig_get_xstat(&self->rig, "tx_q2_packets"));
}
