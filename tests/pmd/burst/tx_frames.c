/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <rte_gre.h>
#include <rte_ip.h>
#include <rte_tcp.h>
#include <rte_udp.h>
#include <rte_vxlan.h>

#include "burst/tx_frames.h"

enum { TCP_OPTIONS = 12, L4 = sizeof(struct rte_tcp_hdr) + TCP_OPTIONS, WRONG_SUM = 0x1234 };
static_assert(sizeof(struct rte_vxlan_hdr) == 8 && sizeof(struct rte_gre_hdr) == 4, "lengths");

static void *append_bytes(struct tx_packet *p, size_t n)
{
	void *at = memset(p->bytes + p->n, 0, n);

	p->n += (uint32_t)n;
	return at;
}

static void append_ethernet(struct tx_packet *p, const struct port_rig *rig, uint16_t type)
{
	struct rte_ether_hdr *eth = append_bytes(p, sizeof(*eth));

	eth->dst_addr = eth->src_addr = rig->mac;
	eth->ether_type = rte_cpu_to_be_16(type);
}

static void append_ipv4(struct tx_packet *p, uint8_t proto, uint32_t behind, uint16_t id)
{
	struct rte_ipv4_hdr *ip = append_bytes(p, sizeof(*ip));

	ip->version_ihl = RTE_IPV4_VHL_DEF;
	ip->total_length = rte_cpu_to_be_16((uint16_t)(behind + sizeof(*ip)));
	ip->packet_id = rte_cpu_to_be_16(id);
	ip->time_to_live = 64;
	ip->next_proto_id = proto;
	ip->hdr_checksum = WRONG_SUM;
	ip->src_addr = rte_cpu_to_be_32(RTE_IPV4(10, 0, 0, 1));
	ip->dst_addr = rte_cpu_to_be_32(RTE_IPV4(10, 0, 0, 2));
}

static void append_ipv6(struct tx_packet *p, uint32_t behind)
{
	struct rte_ipv6_hdr *ip = append_bytes(p, sizeof(*ip));

	ip->vtc_flow = rte_cpu_to_be_32(6u << 28);
	ip->payload_len = rte_cpu_to_be_16((uint16_t)behind);
	ip->proto = IPPROTO_TCP;
	ip->hop_limits = 64;
	memset(&ip->src_addr, 0xfd, sizeof(ip->src_addr));
	memset(&ip->dst_addr, 0xfe, sizeof(ip->dst_addr));
}

/* Appends the headers around the inner Ethernet frame. @behind: its length */
static void append_tunnel(struct tx_packet *p, const struct port_rig *rig, enum tx_kind kind,
			  uint32_t behind)
{
	append_ethernet(p, rig, RTE_ETHER_TYPE_IPV4);
	p->outer_l3 = p->n;
	p->ol_flags |= RTE_MBUF_F_TX_OUTER_IPV4 | RTE_MBUF_F_TX_OUTER_IP_CKSUM;
	if (kind == TX_GRE_IPV4) {
		struct rte_gre_hdr *gre;

		append_ipv4(p, IPPROTO_GRE, behind + sizeof(*gre), 500);
		gre = append_bytes(p, sizeof(*gre));
		gre->proto = rte_cpu_to_be_16(RTE_ETHER_TYPE_TEB);
		p->ol_flags |= RTE_MBUF_F_TX_TUNNEL_GRE;
	} else {
		const uint32_t n =
			behind + sizeof(struct rte_vxlan_hdr) + sizeof(struct rte_udp_hdr);
		struct rte_vxlan_hdr *vxlan;
		struct rte_udp_hdr *udp;

		append_ipv4(p, IPPROTO_UDP, n, 500);
		udp = append_bytes(p, sizeof(*udp));
		udp->src_port = rte_cpu_to_be_16(50000);
		udp->dst_port = rte_cpu_to_be_16(RTE_VXLAN_DEFAULT_PORT);
		udp->dgram_len = rte_cpu_to_be_16((uint16_t)n);
		vxlan = append_bytes(p, sizeof(*vxlan));
		vxlan->vx_flags = rte_cpu_to_be_32(1u << 27);
		vxlan->vx_vni = rte_cpu_to_be_32(77u << 8);
		p->ol_flags |= RTE_MBUF_F_TX_TUNNEL_VXLAN;
	}
}

void tx_packet_make(struct tx_packet *p, const struct port_rig *rig, enum tx_kind kind,
		    uint32_t payload, uint32_t seed)
{
	const bool v6 = kind == TX_IPV6 || kind == TX_VXLAN_IPV6;
	const uint32_t l3 = v6 ? sizeof(struct rte_ipv6_hdr) : sizeof(struct rte_ipv4_hdr);
	struct rte_tcp_hdr *tcp;

	p->n = p->outer_l3 = 0;
	p->ol_flags = RTE_MBUF_F_TX_TCP_CKSUM;
	if (kind >= TX_VXLAN_IPV4)
		append_tunnel(p, rig, kind, RTE_ETHER_HDR_LEN + l3 + L4 + payload);
	append_ethernet(p, rig, v6 ? RTE_ETHER_TYPE_IPV6 : RTE_ETHER_TYPE_IPV4);
	p->l3 = p->n;
	if (v6)
		append_ipv6(p, L4 + payload);
	else
		append_ipv4(p, IPPROTO_TCP, L4 + payload, 65534); /* the identification wraps */
	p->ol_flags |= v6 ? RTE_MBUF_F_TX_IPV6 : RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM;
	p->l4 = p->n;
	tcp = append_bytes(p, L4);
	tcp->src_port = rte_cpu_to_be_16(1000);
	tcp->dst_port = rte_cpu_to_be_16(2000);
	tcp->sent_seq = rte_cpu_to_be_32(0xffffff00); /* the sequence number wraps */
	tcp->data_off = L4 / 4 << 4;
	tcp->tcp_flags = RTE_TCP_ACK_FLAG | RTE_TCP_PSH_FLAG | RTE_TCP_FIN_FLAG;
	tcp->rx_win = 99;
	tcp->cksum = WRONG_SUM;
	memset(tcp + 1, 1, TCP_OPTIONS); /* no operation */
	p->header = p->n;
	for (uint32_t i = 0; i < payload; i++)
		p->bytes[p->n++] = (uint8_t)(((i + seed) * 2654435761u) >> 23);
}

struct rte_mbuf *tx_packet_to_mbuf(const struct tx_packet *p, const struct port_rig *rig,
				   uint16_t first, uint16_t rest, uint16_t mss)
{
	struct rte_mbuf *head = NULL, *last = NULL;
	unsigned int n_segs = 0;

	for (uint32_t at = 0; at < p->n;) {
		const uint32_t want = first && n_segs < 2 ? first : rest;
		const uint32_t n = RTE_MIN(want, p->n - at);
		struct rte_mbuf *s = rte_pktmbuf_alloc(rig->pool);

		if (!s)
			return NULL;
		memcpy(rte_pktmbuf_append(s, (uint16_t)n), p->bytes + at, n);
		at += n;
		n_segs++;
		if (last)
			last->next = s;
		else
			head = s;
		last = s;
	}
	head->pkt_len = p->n;
	head->nb_segs = (uint16_t)n_segs;
	head->ol_flags |= p->ol_flags | (mss ? RTE_MBUF_F_TX_TCP_SEG : 0);
	head->tso_segsz = mss;
	head->l3_len = p->l4 - p->l3;
	head->l4_len = L4;
	head->l2_len = RTE_ETHER_HDR_LEN;
	if (p->outer_l3) { /* the inner layer 2 includes the headers of the tunnel */
		head->outer_l2_len = RTE_ETHER_HDR_LEN;
		head->outer_l3_len = sizeof(struct rte_ipv4_hdr);
		head->l2_len = p->l3 - p->outer_l3 - sizeof(struct rte_ipv4_hdr);
	}
	return head;
}

uint32_t tx_packet_count(const struct tx_packet *p, uint16_t mss)
{
	return mss && p->n > p->header ? (p->n - p->header + mss - 1) / mss : 1;
}

static void set_ipv4(uint8_t *frame, uint32_t l3, uint32_t n, uint32_t i)
{
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(frame + l3);

	ip->total_length = rte_cpu_to_be_16((uint16_t)(n - l3));
	ip->packet_id = rte_cpu_to_be_16((uint16_t)(rte_be_to_cpu_16(ip->packet_id) + i));
	ip->hdr_checksum = 0;
	ip->hdr_checksum = rte_ipv4_cksum(ip);
}

uint32_t tx_packet_cut(const struct tx_packet *p, uint16_t mss, uint32_t i, uint8_t *frame)
{
	const uint32_t at = p->header + i * mss, left = p->n - at;
	const bool last = i + 1 == tx_packet_count(p, mss);
	const uint32_t n = p->header + (last ? left : mss);
	struct rte_tcp_hdr *tcp = (struct rte_tcp_hdr *)(frame + p->l4);
	uint8_t *l3 = frame + p->l3;

	memcpy(frame, p->bytes, p->header);
	memcpy(frame + p->header, p->bytes + at, n - p->header);
	tcp->sent_seq = rte_cpu_to_be_32(rte_be_to_cpu_32(tcp->sent_seq) + i * mss);
	if (!last)
		tcp->tcp_flags &= (uint8_t) ~(RTE_TCP_PSH_FLAG | RTE_TCP_FIN_FLAG);
	tcp->cksum = 0;
	if (*l3 >> 4 == 6) {
		((struct rte_ipv6_hdr *)l3)->payload_len = rte_cpu_to_be_16((uint16_t)(n - p->l4));
		tcp->cksum = rte_ipv6_udptcp_cksum((struct rte_ipv6_hdr *)l3, tcp);
	} else {
		set_ipv4(frame, p->l3, n, i);
		tcp->cksum = rte_ipv4_udptcp_cksum((struct rte_ipv4_hdr *)l3, tcp);
	}
	if (p->outer_l3) {
		struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(frame + p->outer_l3);
		struct rte_udp_hdr *udp = (struct rte_udp_hdr *)(ip + 1);

		set_ipv4(frame, p->outer_l3, n, i);
		if (ip->next_proto_id == IPPROTO_UDP)
			udp->dgram_len =
				rte_cpu_to_be_16((uint16_t)(n - p->outer_l3 - sizeof(*ip)));
	}
	return n;
}

uint32_t tx_frame_insert_tag(uint8_t *frame, uint32_t n, uint16_t tpid, uint16_t tci)
{
	const uint16_t tag[2] = { rte_cpu_to_be_16(tpid), rte_cpu_to_be_16(tci) };
	const uint32_t macs = 2 * RTE_ETHER_ADDR_LEN;

	memmove(frame + macs + sizeof(tag), frame + macs, n - macs);
	memcpy(frame + macs, tag, sizeof(tag));
	return n + (uint32_t)sizeof(tag);
}

void tx_frames_expect(const struct port_rig *rig, const uint8_t *frame, uint32_t n)
{
	static uint8_t want[TX_FRAMES_MAX], got[TX_FRAMES_MAX];
	const uint32_t padded = RTE_MAX(n, 60u);
	struct rte_mbuf *m;

	memset(want, 0, padded);
	memcpy(want, frame, n);
	ASSERT_EQ(1, port_rig_receive(rig, &m, 1));
	EXPECT_EQ(padded, m->pkt_len);
	EXPECT_MEMEQ(want, rte_pktmbuf_read(m, 0, RTE_MIN(padded, m->pkt_len), got),
		     RTE_MIN(padded, m->pkt_len));
	rte_pktmbuf_free(m);
}

void tx_packet_expect(const struct tx_packet *p, const struct port_rig *rig, uint16_t mss,
		      uint16_t tpid, uint16_t tci)
{
	static uint8_t frame[TX_FRAMES_MAX];

	for (uint32_t i = 0; i < tx_packet_count(p, mss); i++) {
		uint32_t n = tx_packet_cut(p, mss, i, frame);

		SCOPED_TRACE("frame %u", i);
		if (tpid)
			n = tx_frame_insert_tag(frame, n, tpid, tci);
		tx_frames_expect(rig, frame, n);
	}
}
