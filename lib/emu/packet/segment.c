/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the headers of the segments of an LSO WQE.
 */
#include "emu/packet/segment.h"

#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <stddef.h>
#include <string.h>

const char *emu_template_parse(struct emu_template *t, const struct emu_vxlan *vxlan)
{
	const struct emu_headers *inner;

	if (!t->mss)
		return "LSO: mss: 0 is invalid (valid: at least 1)";
	emu_parse_template(&(struct emu_frame){ t->headers, t->header_bytes }, vxlan, &t->parsed);
	inner = emu_innermost(&t->parsed);
	if (!inner->l4 || inner->frag)
		return "LSO: the packet is neither TCP nor UDP";
	if (inner->payload_off != t->header_bytes)
		return "LSO: the inline header does not end where the innermost TCP or UDP header "
		       "ends";
	return NULL;
}

static void store_be16(uint8_t *at, uint32_t value)
{
	const uint16_t v = htons((uint16_t)value);

	memcpy(at, &v, sizeof(v));
}

/*
 * Writes the lengths of one set of headers. @end: offset of the end of the segment.
 *
 * PRM-MISSING: each segment increments the identification of the outer IPv4 header, like that of
 * the inner one. (Linux names a capability for a constant one, tunnel_lso_const_out_ip_id, which
 * net_mlx5 does not read. It is 0 in a public dump: README of github.com/saeedtx/mlx5ctl.)
 */
static void write_lengths(const struct emu_headers *h, uint8_t *at, uint32_t end, uint32_t i)
{
	uint8_t *l3 = at + h->l3_off;

	if (h->l3 == PRM_CQE_L3_IPV4) {
		uint16_t id;

		memcpy(&id, l3 + offsetof(struct iphdr, id), sizeof(id));
		store_be16(l3 + offsetof(struct iphdr, id), ntohs(id) + i);
		store_be16(l3 + offsetof(struct iphdr, tot_len), end - h->l3_off);
	} else {
		store_be16(l3 + offsetof(struct ip6_hdr, ip6_plen),
			   end - h->l3_off - (uint32_t)sizeof(struct ip6_hdr));
	}
	if (h->l4_type == PRM_CQE_L4_UDP)
		store_be16(at + h->l4_off + offsetof(struct udphdr, len), end - h->l4_off);
}

/*
 * PRM-MISSING: only the last segment has FIN and PSH, and all have CWR. (Linux's mlx5e lacks
 * NETIF_F_TSO_ECN, so it never makes the device segment a packet with CWR. DPDK's software treats
 * the three flags in the same way, update_tcp_header.)
 */
void emu_segment_write(const struct emu_template *t, uint8_t *at, uint32_t i, uint32_t bytes,
		       bool last)
{
	const struct emu_headers *inner = emu_innermost(&t->parsed);
	const uint32_t end = t->header_bytes + bytes;
	struct tcphdr tcp;

	memcpy(at, t->headers, t->header_bytes);
	write_lengths(&t->parsed.outer, at, end, i);
	if (t->parsed.tunnel)
		write_lengths(inner, at, end, i);
	if (inner->l4_type == PRM_CQE_L4_UDP)
		return;
	memcpy(&tcp, at + inner->l4_off, sizeof(tcp));
	tcp.seq = htonl(ntohl(tcp.seq) + i * t->mss);
	if (!last)
		tcp.th_flags &= (uint8_t) ~(TH_FIN | TH_PUSH);
	memcpy(at + inner->l4_off, &tcp, sizeof(tcp));
}
