/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parser: finds the outer headers of a frame, as a device without tunnel offloads does.
 */
#include "emu/packet/parse.h"

#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <string.h>

#include "emu/packet/csum.h"

enum {
	TYPE_IPV4 = 0x0800,
	TYPE_IPV6 = 0x86dd,
	IPV4_MIN_WORDS = 5,
	MAX_EXTENSIONS = 8,
};

static uint16_t be16_at(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

/* Parses TCP or UDP at l4_off, if its whole header is inside the packet. */
static void parse_l4(const struct emu_frame *f, struct emu_parsed *p)
{
	const unsigned room = p->ip_end - p->l4_off;

	if (p->l4_proto == IPPROTO_UDP && room >= sizeof(struct udphdr)) {
		p->l4_type = PRM_CQE_L4_UDP;
		p->payload_off = p->l4_off + sizeof(struct udphdr);
	} else if (p->l4_proto == IPPROTO_TCP && room >= sizeof(struct tcphdr)) {
		struct tcphdr tcp;
		unsigned header;

		memcpy(&tcp, f->data + p->l4_off, sizeof(tcp));
		header = 4u * tcp.doff;
		if (header < sizeof(tcp) || header > room)
			return;
		p->payload_off = (uint16_t)(p->l4_off + header);
		if (!tcp.ack)
			p->l4_type = PRM_CQE_L4_TCP;
		else
			p->l4_type = p->payload_off == p->ip_end ? PRM_CQE_L4_TCP_EMPTY_ACK
								 : PRM_CQE_L4_TCP_ACK;
	} else {
		return;
	}
	p->l4 = true;
}

static void parse_ipv4(const struct emu_frame *f, struct emu_parsed *p)
{
	const unsigned room = f->bytes - p->l3_off;
	struct iphdr ip;
	unsigned header, total;

	if (room < sizeof(ip))
		return;
	memcpy(&ip, f->data + p->l3_off, sizeof(ip));
	if (ip.version != IPVERSION || ip.ihl < IPV4_MIN_WORDS)
		return;
	header = 4u * ip.ihl;
	total = ntohs(ip.tot_len);
	if (total < header || total > room)
		return;
	p->l3 = PRM_CQE_L3_IPV4;
	p->l4_proto = ip.protocol;
	p->ip_ext = header > sizeof(ip);
	p->frag = (ntohs(ip.frag_off) & (IP_MF | IP_OFFMASK)) != 0;
	p->l4_off = (uint16_t)(p->l3_off + header);
	p->payload_off = p->l4_off;
	p->ip_end = (uint16_t)(p->l3_off + total);
	if (!p->frag)
		parse_l4(f, p);
}

/* Skips IPv6 extension headers. Returns false if the packet ends inside one or has 8 of them. */
static bool skip_extensions(const struct emu_frame *f, struct emu_parsed *p)
{
	for (unsigned i = 0; i < MAX_EXTENSIONS; i++) {
		struct ip6_ext ext;
		unsigned bytes;

		switch (p->l4_proto) {
		case IPPROTO_HOPOPTS:
		case IPPROTO_ROUTING:
		case IPPROTO_DSTOPTS:
		case IPPROTO_FRAGMENT:
			break;
		default:
			return true;
		}
		if (p->ip_end - p->l4_off < (int)sizeof(struct ip6_frag))
			return false;
		memcpy(&ext, f->data + p->l4_off, sizeof(ext));
		p->ip_ext = true;
		p->frag |= p->l4_proto == IPPROTO_FRAGMENT;
		bytes = p->l4_proto == IPPROTO_FRAGMENT ? sizeof(struct ip6_frag)
							: (ext.ip6e_len + 1u) * 8;
		if (bytes > (unsigned)(p->ip_end - p->l4_off))
			return false;
		p->l4_proto = ext.ip6e_nxt;
		p->l4_off = (uint16_t)(p->l4_off + bytes);
	}
	return false;
}

static void parse_ipv6(const struct emu_frame *f, struct emu_parsed *p)
{
	const unsigned room = f->bytes - p->l3_off;
	struct ip6_hdr ip;

	if (room < sizeof(ip))
		return;
	memcpy(&ip, f->data + p->l3_off, sizeof(ip));
	if (ip.ip6_vfc >> 4 != 6 || ntohs(ip.ip6_plen) > room - sizeof(ip))
		return;
	p->l3 = PRM_CQE_L3_IPV6;
	p->l4_proto = ip.ip6_nxt;
	p->l4_off = (uint16_t)(p->l3_off + sizeof(ip));
	p->ip_end = (uint16_t)(p->l4_off + ntohs(ip.ip6_plen));
	if (skip_extensions(f, p) && !p->frag)
		parse_l4(f, p);
	if (!p->l4)
		p->payload_off = p->l4_off;
}

void emu_parse_frame(const struct emu_frame *f, struct emu_parsed *p)
{
	unsigned off = EMU_MACS_BYTES;
	unsigned tags = 0;
	uint16_t type;

	*p = (struct emu_parsed){ .vlan = false };
	type = be16_at(f->data + off);
	while ((type == EMU_TPID_C || type == EMU_TPID_S) && tags < 2 &&
	       off + EMU_ETH_VLAN + sizeof(type) <= f->bytes) {
		p->vlan = true;
		p->tpid[tags] = type;
		p->tci[tags++] = be16_at(f->data + off + sizeof(type));
		off += EMU_ETH_VLAN;
		type = be16_at(f->data + off);
	}
	p->ethertype = type;
	p->l3_off = p->l4_off = p->payload_off = (uint16_t)(off + sizeof(type));
	p->ip_end = (uint16_t)(f->bytes < UINT16_MAX ? f->bytes : UINT16_MAX);
	if (f->bytes > UINT16_MAX)
		return;
	if (type == TYPE_IPV4)
		parse_ipv4(f, p);
	else if (type == TYPE_IPV6)
		parse_ipv6(f, p);
}

/*
 * Sums the packet once. The CQE reports the sum of header and payload. The sum of payload and
 * pseudo header is 0xffff if the TCP or UDP checksum is right.
 */
void emu_parse_sums(const struct emu_frame *f, struct emu_parsed *p)
{
	uint64_t header, l4;

	if (p->l3 == PRM_CQE_L3_NONE)
		return;
	header = emu_csum_add(0, f->data + p->l3_off, (size_t)(p->l4_off - p->l3_off));
	l4 = emu_csum_add(0, f->data + p->l4_off, (size_t)(p->ip_end - p->l4_off));
	p->sum = emu_csum_fold(header + l4);
	p->ip_ok = p->l3 == PRM_CQE_L3_IPV6 || emu_csum_fold(header) == 0xffff;
	if (!p->l4)
		return;
	if (p->l4_type == PRM_CQE_L4_UDP) {
		struct udphdr udp;

		memcpy(&udp, f->data + p->l4_off, sizeof(udp));
		if (!udp.check) { /* 0 means "not computed", which only IPv4 allows */
			p->l4_ok = p->l3 == PRM_CQE_L3_IPV4;
			return;
		}
	}
	p->l4_ok = emu_csum_fold(l4 + emu_csum_pseudo(f, p)) == 0xffff;
}
