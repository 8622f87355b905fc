/* SPDX-License-Identifier: BSD-3-Clause */
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <stddef.h>
#include <string.h>

#include <rte_arp.h>
#include <rte_ether.h>

#include "model/rewrite.h"

enum { LABEL_BYTES = 4, MAX_EXTENSIONS = 8, CHECK_BYTES = 2 };

/* The frame to rewrite. @at: offset of the current header. */
struct cursor {
	const struct rewrite *rewrite;
	uint8_t *frame;
	unsigned at, n_bytes;
	uint64_t change; /* sum of the new words minus the old ones of the IP addresses */
	bool is_changed;
};

static uint16_t read_word(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static bool has_bytes(const struct cursor *c, unsigned n)
{
	return c->n_bytes - c->at >= n;
}

/* ---- addresses ------------------------------------------------------------------ */

static void replace_prefix(const struct address *to, uint8_t *bytes)
{
	const unsigned whole = to->prefix / 8, rest = to->prefix % 8;
	const uint8_t mask = (uint8_t)(0xff00u >> rest);

	memcpy(bytes, to->bytes, whole);
	if (rest)
		bytes[whole] = (uint8_t)((to->bytes[whole] & mask) | (bytes[whole] & ~mask));
}

/* Rewrites an IP address, and adds the change to c->change. */
static void rewrite_ip(struct cursor *c, uint8_t *bytes, unsigned n_bytes)
{
	const struct rewrite *r = c->rewrite;
	uint8_t old[IP6_BYTES];

	for (unsigned i = 0; i < r->n; i++) {
		const struct rewrite_network *n = &r->networks[i];

		if (n->from.n_bytes != n_bytes || !address_contains(&n->from, bytes))
			continue;
		memcpy(old, bytes, n_bytes);
		for (unsigned w = 0; w < n_bytes; w += 2)
			c->change += (uint16_t)~read_word(bytes + w);
		replace_prefix(&n->to, bytes);
		c->is_changed |= memcmp(old, bytes, n_bytes) != 0;
		for (unsigned w = 0; w < n_bytes; w += 2)
			c->change += read_word(bytes + w);
		return;
	}
}

/* Adapts a checksum that covers the rewritten addresses (RFC 1624, equation 3). */
static void adapt_checksum(const struct cursor *c, uint8_t *check)
{
	uint64_t sum = (uint16_t)~read_word(check) + c->change;

	while (sum >> 16)
		sum = (sum >> 16) + (sum & UINT16_MAX);
	sum = ~sum & UINT16_MAX;
	check[0] = (uint8_t)(sum >> 8);
	check[1] = (uint8_t)sum;
}

/* ---- headers -------------------------------------------------------------------- */

/* Adapts the checksum of the header after IP, in a whole packet or a first fragment. */
static void adapt_l4(struct cursor *c, uint8_t protocol)
{
	static const uint8_t all_ones[CHECK_BYTES] = { 0xff, 0xff };
	static const uint8_t none[CHECK_BYTES];
	unsigned offset;
	uint8_t *check;

	if (protocol == IPPROTO_TCP)
		offset = 16;
	else if (protocol == IPPROTO_UDP)
		offset = 6;
	else if (protocol == IPPROTO_ICMPV6)
		offset = 2;
	else
		return;
	if (!has_bytes(c, offset + CHECK_BYTES))
		return;
	check = c->frame + c->at + offset;
	if (protocol == IPPROTO_UDP && !memcmp(check, none, CHECK_BYTES))
		return;
	adapt_checksum(c, check);
	if (protocol == IPPROTO_UDP && !memcmp(check, none, CHECK_BYTES))
		memcpy(check, all_ones, CHECK_BYTES); /* 0 means "none" (RFC 768) */
}

static void rewrite_ipv4(struct cursor *c)
{
	uint8_t *ip = c->frame + c->at;
	const unsigned header = has_bytes(c, sizeof(struct iphdr)) ? (ip[0] & 15u) * 4 : 0;

	if (header < sizeof(struct iphdr) || ip[0] >> 4 != IPVERSION || !has_bytes(c, header))
		return;
	rewrite_ip(c, ip + offsetof(struct iphdr, saddr), IP4_BYTES);
	rewrite_ip(c, ip + offsetof(struct iphdr, daddr), IP4_BYTES);
	adapt_checksum(c, ip + offsetof(struct iphdr, check));
	c->at += header;
	/* Leaves protocol 58 alone: ICMPv6 over IPv4 has no defined pseudo header. */
	if (!(read_word(ip + offsetof(struct iphdr, frag_off)) & IP_OFFMASK) &&
	    ip[offsetof(struct iphdr, protocol)] != IPPROTO_ICMPV6)
		adapt_l4(c, ip[offsetof(struct iphdr, protocol)]);
}

/*
 * Moves past the extension headers. Returns the protocol there. Returns IPPROTO_NONE if its
 * checksum is not in this packet or covers another destination (RFC 8200, section 8.1).
 */
static uint8_t skip_extensions(struct cursor *c, uint8_t protocol)
{
	for (unsigned i = 0; i < MAX_EXTENSIONS; i++) {
		const uint8_t *h = c->frame + c->at;
		unsigned bytes;

		if (protocol != IPPROTO_FRAGMENT && protocol != IPPROTO_HOPOPTS &&
		    protocol != IPPROTO_ROUTING && protocol != IPPROTO_DSTOPTS)
			return protocol;
		if (!has_bytes(c, sizeof(struct ip6_frag)))
			break;
		if (protocol == IPPROTO_FRAGMENT && read_word(h + 2) >> 3)
			break;
		if (protocol == IPPROTO_ROUTING && h[3])
			break;
		bytes = protocol == IPPROTO_FRAGMENT ? sizeof(struct ip6_frag) : (h[1] + 1u) * 8;
		if (!has_bytes(c, bytes))
			break;
		protocol = h[0];
		c->at += bytes;
	}
	return IPPROTO_NONE;
}

static void rewrite_ipv6(struct cursor *c)
{
	uint8_t *ip = c->frame + c->at;

	if (!has_bytes(c, sizeof(struct ip6_hdr)) || ip[0] >> 4 != 6)
		return;
	rewrite_ip(c, ip + offsetof(struct ip6_hdr, ip6_src), IP6_BYTES);
	rewrite_ip(c, ip + offsetof(struct ip6_hdr, ip6_dst), IP6_BYTES);
	c->at += (unsigned)sizeof(struct ip6_hdr);
	adapt_l4(c, skip_extensions(c, ip[offsetof(struct ip6_hdr, ip6_nxt)]));
}

static void rewrite_arp(struct cursor *c)
{
	uint8_t *arp = c->frame + c->at;

	if (!has_bytes(c, sizeof(struct rte_arp_hdr)) ||
	    read_word(arp + 2) != RTE_ETHER_TYPE_IPV4 || arp[4] != MAC_BYTES || arp[5] != IP4_BYTES)
		return;
	rewrite_ip(c, arp + offsetof(struct rte_arp_hdr, arp_data.arp_sip), IP4_BYTES);
	rewrite_ip(c, arp + offsetof(struct rte_arp_hdr, arp_data.arp_tip), IP4_BYTES);
}

/* Moves past VLAN tags. Returns the type of the header there. */
static uint16_t skip_tags(struct cursor *c)
{
	uint16_t type = read_word(c->frame + c->at - 2);

	while ((type == RTE_ETHER_TYPE_VLAN || type == RTE_ETHER_TYPE_QINQ ||
		type == RTE_ETHER_TYPE_QINQ1) &&
	       has_bytes(c, RTE_VLAN_HLEN)) {
		c->at += RTE_VLAN_HLEN;
		type = read_word(c->frame + c->at - 2);
	}
	return type;
}

/* Moves past MPLS labels. The first bits of the packet there identify its type (RFC 4928). */
static uint16_t skip_labels(struct cursor *c)
{
	bool is_last = false;

	while (!is_last && has_bytes(c, LABEL_BYTES)) {
		is_last = c->frame[c->at + 2] & 1;
		c->at += LABEL_BYTES;
	}
	if (!is_last || !has_bytes(c, 1))
		return 0;
	switch (c->frame[c->at] >> 4) {
	case 4:
		return RTE_ETHER_TYPE_IPV4;
	case 6:
		return RTE_ETHER_TYPE_IPV6;
	}
	return 0;
}

bool rewrite_frame(const struct rewrite *r, uint8_t *frame, unsigned n_bytes)
{
	struct cursor c = { .rewrite = r, .frame = frame, .n_bytes = n_bytes };
	const bool other_src = r->has_src_mac && memcmp(frame + MAC_BYTES, r->src_mac, MAC_BYTES);
	const bool other_dst = r->has_dst_mac && memcmp(frame, r->dst_mac, MAC_BYTES);
	uint16_t type;

	if (other_dst)
		memcpy(frame, r->dst_mac, MAC_BYTES);
	if (other_src)
		memcpy(frame + MAC_BYTES, r->src_mac, MAC_BYTES);
	c.at = RTE_ETHER_HDR_LEN;
	type = skip_tags(&c);
	if (type == RTE_ETHER_TYPE_MPLS)
		type = skip_labels(&c);
	if (type == RTE_ETHER_TYPE_IPV4)
		rewrite_ipv4(&c);
	else if (type == RTE_ETHER_TYPE_IPV6)
		rewrite_ipv6(&c);
	else if (type == RTE_ETHER_TYPE_ARP)
		rewrite_arp(&c);
	return other_src || other_dst || c.is_changed;
}
