/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_REWRITE_H
#define PKTGEN_REWRITE_H

#include "model/addresses.h"

/**
 * DOC: Rewritten addresses
 *
 * Frames of a capture can get other addresses when the capture is read: MAC addresses, and IP
 * addresses of networks. IP addresses are rewritten in IPv4 and IPv6 headers behind VLAN tags and
 * MPLS labels, and in ARP. Checksums of IPv4, TCP, UDP and ICMPv6 that were right are right
 * afterwards, and wrong ones stay wrong (RFC 1624). Headers inside a tunnel or an ICMP error stay.
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

/** rewrite_is_empty - whether nothing is rewritten */
static inline bool rewrite_is_empty(const struct rewrite *r)
{
	return !r->has_src_mac && !r->has_dst_mac && !r->n;
}

/**
 * rewrite_set_mac - set a new MAC address from text
 * @is_src: that of the source, which must not be a group address; else that of the destination
 *
 * Return: NULL; or the reason of a refusal
 */
const char *rewrite_set_mac(struct rewrite *r, bool is_src, const char *text);

/**
 * rewrite_add_network - add a network
 * @from, @to: "10.0.0.0/8" and "198.0.0.0/8", or "2001:db8::1": both IPv4 or both IPv6, and
 *   prefixes of the same length. Host bits have no meaning
 *
 * Return: NULL; or the reason of a refusal, valid as that of reason_format()
 */
const char *rewrite_add_network(struct rewrite *r, const char *from, const char *to);

/**
 * rewrite_frame - rewrite the addresses of a frame
 * @frame: the frame, without FCS
 * @n_bytes: its length, at least 14
 *
 * Return: whether the frame is another one now
 */
bool rewrite_frame(const struct rewrite *r, uint8_t *frame, unsigned n_bytes);

#endif
