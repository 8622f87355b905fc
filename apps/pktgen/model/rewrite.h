/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_REWRITE_H
#define PKTGEN_REWRITE_H

#include "model/addresses.h"

/**
 * DOC: Rewritten addresses
 *
 * The reader of a capture can replace the MAC addresses of its frames, and the IP addresses of
 * whole networks: in ARP, and in IPv4 and IPv6 headers, also after VLAN tags and MPLS labels. It
 * adapts the checksums of IPv4, TCP, UDP and ICMPv6: right ones stay right, and wrong ones wrong
 * (RFC 1624). It does not change headers inside a tunnel or an ICMP error.
 */

enum { REWRITE_MAX_NETWORKS = 16 };

/** struct rewrite_network - addresses of @from become those of @to, with the same host bits */
struct rewrite_network {
	struct address from, to;
};

/**
 * struct rewrite - the addresses to rewrite; all zero: none
 * @src_mac, @dst_mac: new MAC addresses, if @has_src_mac and @has_dst_mac
 * @networks, @n: the networks, which do not overlap
 */
struct rewrite {
	bool has_src_mac, has_dst_mac;
	uint8_t src_mac[MAC_BYTES], dst_mac[MAC_BYTES];
	unsigned n;
	struct rewrite_network networks[REWRITE_MAX_NETWORKS];
};

static inline bool rewrite_is_empty(const struct rewrite *r)
{
	return !r->has_src_mac && !r->has_dst_mac && !r->n;
}

/**
 * rewrite_set_mac - set a new MAC address from text
 * @is_src: set the source address, which must not be a group address; else the destination address
 *
 * Return: NULL, or the reason of a refusal
 */
const char *rewrite_set_mac(struct rewrite *r, bool is_src, const char *text);

/**
 * rewrite_add_network - add a network
 * @from, @to: "10.0.0.0/8" and "198.0.0.0/8", or "2001:db8::1": both IPv4 or both IPv6, with
 *   prefixes of the same length. Host bits are ignored
 *
 * Return: NULL; or the reason of a refusal, valid as that of reason_format()
 */
const char *rewrite_add_network(struct rewrite *r, const char *from, const char *to);

/**
 * rewrite_frame - rewrite the addresses of a frame
 * @frame: the frame, without FCS
 * @n_bytes: its length, at least 14
 *
 * Return: whether the frame changed
 */
bool rewrite_frame(const struct rewrite *r, uint8_t *frame, unsigned n_bytes);

#endif
