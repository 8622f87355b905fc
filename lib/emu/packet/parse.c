/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parser: finds the outer Ethernet, IP and L4 headers, and then the inner ones.
 */
#include "emu/packet/parse.h"

#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <stddef.h>
#include <string.h>

#include "emu/packet/csum.h"
#include "emu/packet/tunnel.h"

enum {
	TYPE_IPV4 = 0x0800,
	TYPE_IPV6 = 0x86dd,
	IPV4_MIN_WORDS = 5,
	MAX_EXTENSIONS = 8,
	UDP_CHECK = offsetof(struct udphdr, check),
};

struct scan {
	const uint8_t *data;
	unsigned end; /* end of the frame; for inner headers, end of the outer IP packet */
	bool ignore_lengths;
};

static uint16_t be16_at(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

/* Parses TCP or UDP at l4_off, if its whole header is inside the packet. */
static void parse_l4(const struct scan *s, struct emu_headers *h)
{
	const unsigned room = h->ip_end - h->l4_off;

	if (h->l4_proto == IPPROTO_UDP && room >= sizeof(struct udphdr)) {
		h->l4_type = PRM_CQE_L4_UDP;
		h->payload_off = h->l4_off + sizeof(struct udphdr);
	} else if (h->l4_proto == IPPROTO_TCP && room >= sizeof(struct tcphdr)) {
		struct tcphdr tcp;
		unsigned header;

		memcpy(&tcp, s->data + h->l4_off, sizeof(tcp));
		header = 4u * tcp.doff;
		if (header < sizeof(tcp) || header > room)
			return;
		h->payload_off = (uint16_t)(h->l4_off + header);
		if (!tcp.ack)
			h->l4_type = PRM_CQE_L4_TCP;
		else
			h->l4_type = h->payload_off == h->ip_end ? PRM_CQE_L4_TCP_EMPTY_ACK
								 : PRM_CQE_L4_TCP_ACK;
	} else {
		return;
	}
	h->l4 = true;
}

static void parse_ipv4(const struct scan *s, struct emu_headers *h)
{
	const unsigned room = s->end - h->l3_off;
	struct iphdr ip;
	unsigned header, total;

	if (room < sizeof(ip))
		return;
	memcpy(&ip, s->data + h->l3_off, sizeof(ip));
	if (ip.version != IPVERSION || ip.ihl < IPV4_MIN_WORDS)
		return;
	header = 4u * ip.ihl;
	total = s->ignore_lengths ? room : ntohs(ip.tot_len);
	if (total < header || total > room)
		return;
	h->l3 = PRM_CQE_L3_IPV4;
	h->l4_proto = ip.protocol;
	h->ip_ext = header > sizeof(ip);
	h->frag = (ntohs(ip.frag_off) & (IP_MF | IP_OFFMASK)) != 0;
	h->l4_off = (uint16_t)(h->l3_off + header);
	h->payload_off = h->l4_off;
	h->ip_end = (uint16_t)(h->l3_off + total);
	if (!h->frag)
		parse_l4(s, h);
}

/* Skips IPv6 extension headers. Returns false if one is truncated, or after MAX_EXTENSIONS. */
static bool skip_extensions(const struct scan *s, struct emu_headers *h)
{
	for (unsigned i = 0; i < MAX_EXTENSIONS; i++) {
		struct ip6_ext ext;
		unsigned bytes;

		switch (h->l4_proto) {
		case IPPROTO_HOPOPTS:
		case IPPROTO_ROUTING:
		case IPPROTO_DSTOPTS:
		case IPPROTO_FRAGMENT:
			break;
		default:
			return true;
		}
		if (h->ip_end - h->l4_off < (int)sizeof(struct ip6_frag))
			return false;
		memcpy(&ext, s->data + h->l4_off, sizeof(ext));
		h->ip_ext = true;
		h->frag |= h->l4_proto == IPPROTO_FRAGMENT;
		bytes = h->l4_proto == IPPROTO_FRAGMENT ? sizeof(struct ip6_frag)
							: (ext.ip6e_len + 1u) * 8;
		if (bytes > (unsigned)(h->ip_end - h->l4_off))
			return false;
		h->l4_proto = ext.ip6e_nxt;
		h->l4_off = (uint16_t)(h->l4_off + bytes);
	}
	return false;
}

static void parse_ipv6(const struct scan *s, struct emu_headers *h)
{
	const unsigned room = s->end - h->l3_off;
	struct ip6_hdr ip;
	unsigned payload;

	if (room < sizeof(ip))
		return;
	memcpy(&ip, s->data + h->l3_off, sizeof(ip));
	payload = s->ignore_lengths ? room - (unsigned)sizeof(ip) : ntohs(ip.ip6_plen);
	if (ip.ip6_vfc >> 4 != 6 || payload > room - sizeof(ip))
		return;
	h->l3 = PRM_CQE_L3_IPV6;
	h->l4_proto = ip.ip6_nxt;
	h->l4_off = (uint16_t)(h->l3_off + sizeof(ip));
	h->ip_end = (uint16_t)(h->l4_off + payload);
	if (skip_extensions(s, h) && !h->frag)
		parse_l4(s, h);
	if (!h->l4)
		h->payload_off = h->l4_off;
}

/* Parses the packet at @off. @type: its EtherType, from the header in front of it */
static void parse_l3(const struct scan *s, unsigned off, uint16_t type, struct emu_headers *h)
{
	h->ethertype = type;
	h->l3_off = h->l4_off = h->payload_off = (uint16_t)off;
	h->ip_end = (uint16_t)s->end;
	if (type == TYPE_IPV4)
		parse_ipv4(s, h);
	else if (type == TYPE_IPV6)
		parse_ipv6(s, h);
}

/* Parses the Ethernet header at @start, which must be complete, and the packet behind it. */
static void parse_l2(const struct scan *s, unsigned start, struct emu_headers *h)
{
	unsigned off = start + EMU_MACS_BYTES;
	unsigned tags = 0;
	uint16_t type;

	*h = (struct emu_headers){ .ethernet = true, .l2_off = (uint16_t)start };
	type = be16_at(s->data + off);
	while ((type == EMU_TPID_C || type == EMU_TPID_S) && tags < 2 &&
	       off + EMU_ETH_VLAN + sizeof(type) <= s->end) {
		h->vlan = true;
		h->tpid[tags] = type;
		h->tci[tags++] = be16_at(s->data + off + sizeof(type));
		off += EMU_ETH_VLAN;
		type = be16_at(s->data + off);
	}
	parse_l3(s, off + sizeof(type), type, h);
}

/* Parses the inner headers if the outer headers announce a tunnel. */
static __attribute__((noinline)) void parse_inner(struct scan *s, struct emu_parsed *p)
{
	unsigned off;
	uint16_t type;

	p->tunnel = emu_tunnel_find(s->data, &p->outer, &off, &type);
	if (!p->tunnel)
		return;
	p->tunnel_off = p->outer.payload_off;
	s->end = p->outer.ip_end;
	if (type == EMU_TUNNEL_ETHERNET) {
		parse_l2(s, off, &p->inner);
	} else {
		p->inner = (struct emu_headers){ .l2_off = (uint16_t)off };
		parse_l3(s, off, type, &p->inner);
	}
}

static void parse_all(struct scan *s, const struct emu_vxlan *vxlan, struct emu_parsed *p)
{
	p->tunnel = EMU_TUNNEL_NONE;
	p->sum = 0;
	parse_l2(s, 0, &p->outer);
	if (vxlan && p->outer.l3 != PRM_CQE_L3_NONE &&
	    emu_tunnel_may_start(s->data, &p->outer, vxlan))
		parse_inner(s, p);
}

__attribute__((flatten)) void emu_parse_frame(const struct emu_frame *f,
					      const struct emu_vxlan *vxlan, struct emu_parsed *p)
{
	/* offsets have 16 bits, so the parser ignores the rest of a longer frame */
	struct scan s = { f->data, f->bytes < UINT16_MAX ? f->bytes : UINT16_MAX, false };

	parse_all(&s, vxlan, p);
}

void emu_parse_template(const struct emu_frame *f, const struct emu_vxlan *vxlan,
			struct emu_parsed *p)
{
	struct scan s = { f->data, f->bytes, true };

	parse_all(&s, vxlan, p);
}

/*
 * Verifies the checksums of one set of headers. Returns the ones' complement sum of the IP packet.
 *
 * Adds up the packet once. A correct TCP or UDP checksum makes the sum of pseudo header, L4 header
 * and payload 0xffff.
 */
static uint16_t verify_sums(const struct emu_frame *f, struct emu_headers *h)
{
	const uint64_t header =
		emu_csum_header(f->data + h->l3_off, (size_t)(h->l4_off - h->l3_off));
	const uint64_t l4 = emu_csum_add(0, f->data + h->l4_off, (size_t)(h->ip_end - h->l4_off));

	h->ip_ok = h->l3 == PRM_CQE_L3_IPV6 || emu_csum_fold(header) == 0xffff;
	if (h->l4_type == PRM_CQE_L4_UDP && !be16_at(f->data + h->l4_off + UDP_CHECK))
		h->l4_ok = h->l3 == PRM_CQE_L3_IPV4; /* 0 means "not computed": only in IPv4 */
	else if (h->l4)
		h->l4_ok = emu_csum_fold(emu_csum_join(l4, emu_csum_pseudo(f, h))) == 0xffff;
	return emu_csum_fold(emu_csum_join(header, l4));
}

void emu_parse_sums(const struct emu_frame *f, struct emu_parsed *p)
{
	if (p->outer.l3 == PRM_CQE_L3_NONE)
		return;
	p->sum = verify_sums(f, &p->outer);
	if (p->tunnel && p->inner.l3 != PRM_CQE_L3_NONE)
		verify_sums(f, &p->inner);
}
