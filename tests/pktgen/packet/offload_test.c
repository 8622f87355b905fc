/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <string.h>

#include <rte_ethdev.h>
#include <rte_ip.h>

#include "packet/offload.h"
#include "packet/recipe.h"

enum { FRAME_BYTES = 120, UDP_SUM = 6, TCP_SUM = 16 };

static const struct refusal {
	const char *name, *packet, *why;
} refusals[] = {
	{ "bad", "ethernet/ipv4/udp(checksum=bad)", "a port cannot write a wrong checksum (udp)" },
	{ "bad_ip", "ethernet/ipv4(header_checksum=bad)/tcp",
	  "cannot write a wrong checksum (ipv4)" },
	{ "length", "ethernet/ipv4/udp(length=9)", "needs the automatic value of udp.length" },
	{ "protocol", "ethernet/ipv4(protocol=6)/udp", "automatic value of ipv4.protocol" },
	{ "fragment", "ethernet/ipv4(more_fragments=1)/udp", "value of ipv4.more_fragments" },
	{ "tunnel", "ethernet/ipv4/udp/vxlan/ethernet/ipv4/udp",
	  "the checksums of a packet with vx" },
	{ "in_ip", "ethernet/ipv4/ipv4/udp", "the checksums of a packet with ipv4" },
	{ "extension", "ethernet/ipv6/ipv6_destination/udp", "packet with ipv6_destination" },
	{ "sctp", "ethernet/ipv4/sctp", "the checksums of a packet with sctp" },
	{ "behind_custom", "ethernet/ipv4/udp/custom(bytes=00)/ipv4", "packet with ipv4" },
	{ "mpls", "ethernet/mpls/ipv4/udp", "needs IP after ethernet and at most 2 vlan" },
	{ "tags", "ethernet/vlan/vlan/vlan/ipv4/udp", "at most 2 vlan" },
	{ "arp", "ethernet/arp", "needs IP after ethernet" },
	{ "none", "ethernet/ipv6/udp(checksum=0)", "has no checksum that a port can write" },
};

TEST_EACH(offload, find_refuses, struct refusal, refusals)
{
	struct offload o;
	struct stack s;
	const char *why;

	ASSERT_EQ(NULL, stack_parse(&s, row->packet));
	why = offload_find(&s, &o);
	EXPECT_SUBSTR(row->why, why ? why : "accepted");
	EXPECT_EQ(0, o.port | o.mbuf);
	stack_free(&s);
}

static const struct request {
	const char *name, *packet;
	uint64_t port, mbuf;
	uint16_t l2_bytes, l3_bytes;
	bool has_l4;
} requests[] = {
	{ "udp", "ethernet/ipv4/udp", RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM,
	  RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_UDP_CKSUM, 14, 20, true },
	{ "udp_without", "ethernet/vlan/ipv4/udp(checksum=0)", RTE_ETH_TX_OFFLOAD_IPV4_CKSUM,
	  RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM, 18, 20, false },
	{ "tcp", "ethernet/vlan/vlan/ipv6/tcp/custom(bytes=00)", RTE_ETH_TX_OFFLOAD_TCP_CKSUM,
	  RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_TCP_CKSUM, 22, 40, true },
	{ "options", "ethernet/ipv4(options=01010101,header_checksum=5)/tcp",
	  RTE_ETH_TX_OFFLOAD_TCP_CKSUM, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_TCP_CKSUM, 14, 24,
	  true },
};

TEST_EACH(offload, find_requests_what_the_headers_need, struct request, requests)
{
	struct offload o;
	struct stack s;

	ASSERT_EQ(NULL, stack_parse(&s, row->packet));
	EXPECT_EQ(NULL, offload_find(&s, &o));
	EXPECT_EQ(row->port, o.port);
	EXPECT_EQ(row->mbuf, o.mbuf);
	EXPECT_EQ(row->l2_bytes, o.l2_bytes);
	EXPECT_EQ(row->l3_bytes, o.l3_bytes);
	EXPECT_EQ(row->has_l4, o.has_l4);
	stack_free(&s);
}

/* Frame 5 of a packet as its port gets it. */
static struct offload write_headers(const char *packet, uint32_t bytes, uint8_t *headers)
{
	static struct recipe p;
	struct offload o = { 0 };
	struct stack s;

	if (stack_parse(&s, packet) || offload_find(&s, &o))
		ADD_FAILURE("%s: refused", packet);
	recipe_init(&p, &s, bytes, true);
	recipe_write(&p, 5, headers, FRAME_BYTES, 0, headers);
	stack_free(&s);
	return o;
}

static const struct sizes {
	const char *name;
	uint32_t bytes;
} sizes[] = { { "one_size", FRAME_BYTES }, { "many_sizes", 0 } };

/* DPDK computes the sums of the pseudo headers again. */
TEST_EACH(offload, the_port_gets_the_sum_of_the_pseudo_header, struct sizes, sizes)
{
	uint8_t frame[FRAME_BYTES] = { 0 };
	struct rte_ipv4_hdr ip4;
	struct rte_ipv6_hdr ip6;
	struct offload o;
	uint16_t sum;

	o = write_headers("ethernet/vlan/ipv4(src=10.0.0.1-10.0.0.9)/udp(dst_port=1-9)", row->bytes,
			  frame);
	memcpy(&ip4, frame + o.l2_bytes, sizeof(ip4));
	memcpy(&sum, frame + o.l2_bytes + o.l3_bytes + UDP_SUM, sizeof(sum));
	EXPECT_EQ(0, ip4.hdr_checksum);
	EXPECT_EQ(RTE_BE32(0x0a000006), ip4.src_addr);
	EXPECT_EQ(FRAME_BYTES - 18, rte_be_to_cpu_16(ip4.total_length));
	EXPECT_EQ(rte_ipv4_phdr_cksum(&ip4, 0), sum);

	o = write_headers("ethernet/ipv6(dst=2001:db8::-2001:db8::9:0/3)/tcp(seq_num=7-99)",
			  row->bytes, frame);
	memcpy(&ip6, frame + o.l2_bytes, sizeof(ip6));
	memcpy(&sum, frame + o.l2_bytes + o.l3_bytes + TCP_SUM, sizeof(sum));
	EXPECT_EQ(rte_ipv6_phdr_cksum(&ip6, 0), sum);
}
