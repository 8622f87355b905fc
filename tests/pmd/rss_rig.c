/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <rte_ip.h>
#include <rte_tcp.h>
#include <rte_thash.h>
#include <rte_udp.h>

#include "rss_rig.h"

const struct rss_kind rss_kinds[RSS_N_KINDS] = {
	{ "ipv4_tcp", RTE_ETHER_TYPE_IPV4, IPPROTO_TCP },
	{ "ipv4_udp", RTE_ETHER_TYPE_IPV4, IPPROTO_UDP },
	{ "ipv4_udp_in_vlan", RTE_ETHER_TYPE_IPV4, IPPROTO_UDP, .vlan = true },
	{ "ipv4_other", RTE_ETHER_TYPE_IPV4, IPPROTO_SCTP },
	{ "ipv4_first_fragment", RTE_ETHER_TYPE_IPV4, IPPROTO_UDP, RTE_IPV4_HDR_MF_FLAG },
	{ "ipv4_later_fragment", RTE_ETHER_TYPE_IPV4, IPPROTO_UDP, 100 },
	{ "ipv6_tcp", RTE_ETHER_TYPE_IPV6, IPPROTO_TCP },
	{ "ipv6_udp", RTE_ETHER_TYPE_IPV6, IPPROTO_UDP },
	{ "ipv6_other", RTE_ETHER_TYPE_IPV6, IPPROTO_SCTP },
	{ "arp", RTE_ETHER_TYPE_ARP },
};

/* Bytes of source and destination, in the order of the wire. */
struct tuple {
	uint8_t src[16], dst[16], sport[2], dport[2];
};

static struct tuple make_tuple(uint32_t flow)
{
	struct tuple t;
	uint8_t *bytes = (uint8_t *)&t;

	for (size_t i = 0; i < sizeof(t); i++)
		bytes[i] = (uint8_t)((flow + 1) * 2654435761u >> (i * 5 % 24)) ^ (uint8_t)(i * 37);
	return t;
}

struct rte_mbuf *rss_make_frame(const struct port_rig *rig, const struct rss_kind *kind,
				uint32_t flow)
{
	enum { BYTES = 120 };
	const struct tuple t = make_tuple(flow);
	struct rte_mbuf *m = rte_pktmbuf_alloc(rig->pool);
	uint8_t *at = (uint8_t *)rte_pktmbuf_append(m, BYTES), *l4;
	struct rte_ether_hdr *eth = (struct rte_ether_hdr *)at;

	memset(at, 0, BYTES);
	eth->dst_addr = eth->src_addr = rig->mac;
	at += 2 * RTE_ETHER_ADDR_LEN;
	if (kind->vlan) {
		memcpy(at, "\x81\x00\x00\x07", RTE_VLAN_HLEN);
		at += RTE_VLAN_HLEN;
	}
	*(rte_be16_t *)at = rte_cpu_to_be_16(kind->ethertype);
	at += sizeof(rte_be16_t);
	if (kind->ethertype == RTE_ETHER_TYPE_IPV4) {
		struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)at;

		ip->version_ihl = RTE_IPV4_VHL_DEF;
		ip->total_length = rte_cpu_to_be_16(60);
		ip->fragment_offset = rte_cpu_to_be_16(kind->fragment);
		ip->next_proto_id = kind->protocol;
		memcpy(&ip->src_addr, t.src, 4);
		memcpy(&ip->dst_addr, t.dst, 4);
		l4 = (uint8_t *)(ip + 1);
	} else {
		struct rte_ipv6_hdr *ip = (struct rte_ipv6_hdr *)at;

		ip->vtc_flow = rte_cpu_to_be_32(6u << 28);
		ip->payload_len = rte_cpu_to_be_16(40);
		ip->proto = kind->protocol;
		memcpy(&ip->src_addr, t.src, sizeof(t.src));
		memcpy(&ip->dst_addr, t.dst, sizeof(t.dst));
		l4 = (uint8_t *)(ip + 1);
	}
	memcpy(l4, t.sport, sizeof(t.sport) + sizeof(t.dport));
	l4[offsetof(struct rte_tcp_hdr, data_off)] = 5 << 4;
	if (kind->protocol == IPPROTO_UDP)
		((struct rte_udp_hdr *)l4)->dgram_len = rte_cpu_to_be_16(40);
	return m;
}

/* Appends the source and destination of a pair, or one of the two. Returns the new length. */
static size_t append_pair(uint8_t *to, size_t n, const uint8_t *pair, size_t bytes, uint64_t hf,
			  uint64_t src_only, uint64_t dst_only)
{
	const bool both = !(hf & (src_only | dst_only)) || ((hf & src_only) && (hf & dst_only));

	if (both || hf & src_only) {
		memcpy(to + n, pair, bytes);
		n += bytes;
	}
	if (both || hf & dst_only) {
		memcpy(to + n, pair + (bytes <= 4 && bytes > 2 ? 16 : bytes), bytes);
		n += bytes;
	}
	return n;
}

uint32_t rss_compute_hash(const struct rss_kind *kind, uint32_t flow, uint64_t hf,
			  const uint8_t *key)
{
	const bool v4 = kind->ethertype == RTE_ETHER_TYPE_IPV4;
	const uint64_t l4 =
		kind->protocol == IPPROTO_TCP
			? (v4 ? RTE_ETH_RSS_NONFRAG_IPV4_TCP : RTE_ETH_RSS_NONFRAG_IPV6_TCP)
		: kind->protocol == IPPROTO_UDP
			? (v4 ? RTE_ETH_RSS_NONFRAG_IPV4_UDP : RTE_ETH_RSS_NONFRAG_IPV6_UDP)
			: 0;
	const uint64_t l3 =
		v4 ? RTE_ETH_RSS_IPV4 | RTE_ETH_RSS_FRAG_IPV4 | RTE_ETH_RSS_NONFRAG_IPV4_OTHER
		   : RTE_ETH_RSS_IPV6 | RTE_ETH_RSS_FRAG_IPV6 | RTE_ETH_RSS_NONFRAG_IPV6_OTHER;
	const struct tuple t = make_tuple(flow);
	uint8_t input[sizeof(t) + 4] = { 0 };
	uint32_t words[sizeof(input) / 4];
	size_t n;

	if (kind->ethertype == RTE_ETHER_TYPE_ARP || !(hf & (l3 | l4)))
		return 0;
	n = append_pair(input, 0, t.src, v4 ? 4 : 16, hf, RTE_ETH_RSS_L3_SRC_ONLY,
			RTE_ETH_RSS_L3_DST_ONLY);
	if (hf & l4 && kind->fragment)
		return 0; /* as net_mlx5: the rule of UDP takes fragments, which have no ports */
	if (hf & l4)
		n = append_pair(input, n, t.sport, 2, hf, RTE_ETH_RSS_L4_SRC_ONLY,
				RTE_ETH_RSS_L4_DST_ONLY);
	for (size_t i = 0; i < RTE_DIM(words); i++)
		words[i] = rte_be_to_cpu_32(((const rte_be32_t *)input)[i]);
	return rte_softrss(words, (uint32_t)(n + 3) / 4, key);
}

int rss_update_reta(const struct port_rig *rig, const uint16_t *reta, uint16_t n)
{
	struct rte_eth_rss_reta_entry64 conf[16] = { 0 };

	for (uint16_t i = 0; i < n; i++) {
		conf[i / RTE_ETH_RETA_GROUP_SIZE].mask |= 1ull << i % RTE_ETH_RETA_GROUP_SIZE;
		conf[i / RTE_ETH_RETA_GROUP_SIZE].reta[i % RTE_ETH_RETA_GROUP_SIZE] = reta[i];
	}
	return rte_eth_dev_rss_reta_update(rig->port, conf, n);
}

void rss_expect_reta(const struct port_rig *rig, const uint16_t *reta, uint16_t n)
{
	struct rte_eth_rss_reta_entry64 conf[16] = { 0 };
	struct rte_eth_dev_info info;

	ASSERT_EQ(0, rte_eth_dev_info_get(rig->port, &info));
	ASSERT_EQ(n, info.reta_size);
	for (int i = 0; i < 16; i++)
		conf[i].mask = UINT64_MAX;
	ASSERT_EQ(0, rte_eth_dev_rss_reta_query(rig->port, conf, n));
	for (uint16_t i = 0; i < n; i++)
		EXPECT_EQ(reta[i],
			  conf[i / RTE_ETH_RETA_GROUP_SIZE].reta[i % RTE_ETH_RETA_GROUP_SIZE]);
}
