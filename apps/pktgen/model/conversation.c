/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/conversation.h"

#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <rte_ether.h>

enum { PORTS_BYTES = 4, MAX_TAGS = 2, MAX_EXTENSIONS = 8 };

/* The reading position in a frame, and the key made so far. */
struct cursor {
	const uint8_t *frame;
	uint32_t at, n_bytes, used;
	struct conversation_key key;
};

static uint32_t count_bytes_left(const struct cursor *c)
{
	return c->n_bytes - c->at;
}

static void append_key(struct cursor *c, const void *bytes, uint32_t n)
{
	memcpy(c->key.bytes + c->used, bytes, n);
	c->used += n;
}

/* Adds MACs, type and VLAN tags to the key. Returns the Ethernet type after the tags. */
static uint16_t add_ethernet(struct cursor *c)
{
	struct rte_ether_hdr h;
	uint16_t type;

	memcpy(&h, c->frame, sizeof(h));
	append_key(c, &h, sizeof(h));
	c->at = sizeof(h);
	type = ntohs(h.ether_type);
	for (unsigned i = 0; i < MAX_TAGS; i++) {
		struct rte_vlan_hdr tag;

		if ((type != RTE_ETHER_TYPE_VLAN && type != RTE_ETHER_TYPE_QINQ) ||
		    count_bytes_left(c) < sizeof(tag))
			break;
		memcpy(&tag, c->frame + c->at, sizeof(tag));
		append_key(c, &tag, sizeof(tag));
		c->at += sizeof(tag);
		type = ntohs(tag.eth_proto);
	}
	return type;
}

/*
 * Adds the IP addresses to the key and sets @protocol. Returns whether the cursor is at the L4
 * header, which is false for a fragment or an invalid header.
 */
static bool add_ipv4(struct cursor *c, uint8_t *protocol)
{
	struct iphdr ip;

	if (count_bytes_left(c) < sizeof(ip))
		return false;
	memcpy(&ip, c->frame + c->at, sizeof(ip));
	if (ip.version != IPVERSION || 4u * ip.ihl < sizeof(ip) ||
	    count_bytes_left(c) < 4u * ip.ihl)
		return false;
	append_key(c, &ip.saddr, sizeof(ip.saddr));
	append_key(c, &ip.daddr, sizeof(ip.daddr));
	*protocol = ip.protocol;
	c->at += 4u * ip.ihl;
	return !(ntohs(ip.frag_off) & (IP_MF | IP_OFFMASK));
}

static bool add_ipv6(struct cursor *c, uint8_t *protocol)
{
	bool whole = true;
	struct ip6_hdr ip;

	if (count_bytes_left(c) < sizeof(ip))
		return false;
	memcpy(&ip, c->frame + c->at, sizeof(ip));
	append_key(c, &ip.ip6_src, sizeof(ip.ip6_src));
	append_key(c, &ip.ip6_dst, sizeof(ip.ip6_dst));
	*protocol = ip.ip6_nxt;
	c->at += sizeof(ip);
	for (unsigned i = 0; i < MAX_EXTENSIONS; i++) {
		const bool fragment = *protocol == IPPROTO_FRAGMENT;
		struct ip6_ext ext;

		if (!fragment && *protocol != IPPROTO_HOPOPTS && *protocol != IPPROTO_ROUTING &&
		    *protocol != IPPROTO_DSTOPTS)
			return whole;
		if (count_bytes_left(c) < sizeof(struct ip6_frag))
			return false;
		memcpy(&ext, c->frame + c->at, sizeof(ext));
		whole &= !fragment;
		*protocol = ext.ip6e_nxt;
		c->at += fragment ? sizeof(struct ip6_frag) : (ext.ip6e_len + 1u) * 8;
		if (c->at > c->n_bytes)
			return false;
	}
	return false;
}

struct conversation_key conversation_make_key(const uint8_t *frame, uint32_t n_bytes)
{
	struct cursor c = { .frame = frame, .n_bytes = n_bytes };
	const uint16_t type = add_ethernet(&c);
	uint8_t protocol = 0;
	bool ports = false;

	if (type == RTE_ETHER_TYPE_IPV4)
		ports = add_ipv4(&c, &protocol);
	else if (type == RTE_ETHER_TYPE_IPV6)
		ports = add_ipv6(&c, &protocol);
	append_key(&c, &protocol, sizeof(protocol));
	if (ports && (protocol == IPPROTO_TCP || protocol == IPPROTO_UDP) &&
	    count_bytes_left(&c) >= PORTS_BYTES)
		append_key(&c, frame + c.at, PORTS_BYTES);
	return c.key;
}
