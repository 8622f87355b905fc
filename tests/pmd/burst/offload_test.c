/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <rte_ip.h>

#include "port_rig.h"

/* Packet types, checksum offload and packets of several segments. */

FIXTURE(offload)
{
	struct port_rig rig;
};
FIXTURE_SETUP(offload)
{
	port_rig_up(&self->rig, &(struct port_rig_config){
					.eth.rxmode.offloads = RTE_ETH_RX_OFFLOAD_CHECKSUM,
					.eth.txmode.offloads = RTE_ETH_TX_OFFLOAD_IPV4_CKSUM |
							       RTE_ETH_TX_OFFLOAD_UDP_CKSUM |
							       RTE_ETH_TX_OFFLOAD_MULTI_SEGS,
				});
}
FIXTURE_TEARDOWN(offload)
{
	port_rig_down(&self->rig);
}

static struct rte_udp_hdr *get_udp(struct rte_mbuf *m)
{
	return rte_pktmbuf_mtod_offset(m, struct rte_udp_hdr *,
				       sizeof(struct rte_ether_hdr) + sizeof(struct rte_ipv4_hdr));
}

static struct rte_ipv4_hdr *get_ip(struct rte_mbuf *m)
{
	return rte_pktmbuf_mtod_offset(m, struct rte_ipv4_hdr *, sizeof(struct rte_ether_hdr));
}

static struct rte_mbuf *send_around(struct port_rig *rig, struct rte_mbuf *m)
{
	struct rte_mbuf *back = NULL;

	if (port_rig_send(rig, &m, 1))
		port_rig_receive(rig, &back, 1);
	return back;
}

TEST_F(offload, good_checksums_and_type_are_reported)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, 100, 1);

	get_udp(m)->dgram_cksum = rte_ipv4_udptcp_cksum(get_ip(m), get_udp(m));
	m = send_around(&self->rig, m);
	ASSERT_NE(NULL, m);
	EXPECT_EQ(RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_L4_UDP,
		  m->packet_type);
	EXPECT_EQ(RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_L4_CKSUM_GOOD, m->ol_flags);
	rte_pktmbuf_free(m);
}

/* Like net_mlx5, which never reports a bad checksum. */
TEST_F(offload, a_bad_IP_checksum_is_reported_as_unknown)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, 100, 1);

	get_ip(m)->hdr_checksum ^= 1;
	m = send_around(&self->rig, m);
	ASSERT_NE(NULL, m);
	EXPECT_EQ(RTE_MBUF_F_RX_IP_CKSUM_UNKNOWN, m->ol_flags & RTE_MBUF_F_RX_IP_CKSUM_MASK);
	rte_pktmbuf_free(m);
}

TEST_F(offload, a_bad_UDP_checksum_is_reported_as_unknown)
{
	struct rte_mbuf *m = port_rig_make_packet(&self->rig, 100, 1);

	get_udp(m)->dgram_cksum = 0x1234;
	m = send_around(&self->rig, m);
	ASSERT_NE(NULL, m);
	EXPECT_EQ(RTE_MBUF_F_RX_IP_CKSUM_GOOD, m->ol_flags);
	rte_pktmbuf_free(m);
}

TEST_F(offload, checksums_are_computed_on_request)
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

/* Copies a packet into @n segments of about equal length and frees the original. */
static struct rte_mbuf *cut_packet(struct port_rig *rig, struct rte_mbuf *whole, unsigned int n)
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

TEST_F(offload, segments_arrive_as_one_packet)
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

TEST_F(offload, an_empty_segment_is_left_out)
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

TEST_F(offload, more_segments_than_a_WQE_holds_are_dropped_and_counted)
{
	struct rte_mbuf *m = cut_packet(&self->rig, port_rig_make_packet(&self->rig, 1000, 1), 100);

	ASSERT_TRUE(port_rig_send(&self->rig, &m, 1));
	EXPECT_EQ(1, port_rig_get_xstat(&self->rig, "tx_bad_segments_packets"));
	EXPECT_EQ(1, port_rig_get_xstat(&self->rig, "tx_errors"));
	EXPECT_EQ(0, port_rig_get_xstat(&self->rig, "tx_good_packets"));
}
