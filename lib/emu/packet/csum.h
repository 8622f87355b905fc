/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PACKET_CSUM_H
#define EMU_PACKET_CSUM_H

#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "emu/packet/parse.h"

/**
 * DOC: Internet checksums and Ethernet's CRC
 *
 * The functions add words in memory order. The one's complement sum of byte-swapped words is the
 * byte-swapped sum (RFC 1071), so emu_csum_fold() swaps only once, at the end.
 */

/** emu_csum_join - one's complement sum of two running sums: a carry out of the top adds 1 */
static inline uint64_t emu_csum_join(uint64_t a, uint64_t b)
{
	a += b;
	return a + (a < b);
}

/** emu_csum_add - add @bytes bytes at @p, as 16-bit words in memory order, to a running sum */
static inline uint64_t emu_csum_add(uint64_t sum, const uint8_t *p, size_t bytes)
{
	uint64_t qword;
	uint32_t dword;
	uint16_t word;

	for (; bytes >= sizeof(qword); bytes -= sizeof(qword), p += sizeof(qword)) {
		memcpy(&qword, p, sizeof(qword));
		sum = emu_csum_join(sum, qword);
	}
	if (bytes & sizeof(dword)) {
		memcpy(&dword, p, sizeof(dword));
		sum = emu_csum_join(sum, dword);
		p += sizeof(dword);
	}
	if (bytes & sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		sum = emu_csum_join(sum, word);
		p += sizeof(word);
	}
	if (bytes & 1)
		sum = emu_csum_join(sum, htons((uint16_t)(*p << 8)));
	return sum;
}

/** emu_csum_header - sum of an IP header with its extensions; fast without options */
static inline uint64_t emu_csum_header(const uint8_t *ip, size_t bytes)
{
	if (bytes == sizeof(struct iphdr)) /* a constant size needs no loop */
		return emu_csum_add(0, ip, sizeof(struct iphdr));
	return emu_csum_add(0, ip, bytes);
}

/** emu_csum_fold - fold a running sum to 16 bits, host-endian */
static inline uint16_t emu_csum_fold(uint64_t sum)
{
	uint32_t half;

	/* adding the sum with its halves swapped makes the upper half their sum, with the carry */
	sum += sum << 32 | sum >> 32;
	half = (uint32_t)(sum >> 32);
	half += half << 16 | half >> 16;
	return ntohs((uint16_t)(half >> 16));
}

/** emu_csum_pseudo - sum of the pseudo header of an IP packet, with which an L4 sum starts */
static inline uint64_t emu_csum_pseudo(const struct emu_frame *f, const struct emu_headers *h)
{
	const uint8_t *ip = f->data + h->l3_off;
	const uint64_t rest =
		(uint64_t)htons(h->l4_proto) + htons((uint16_t)(h->ip_end - h->l4_off));

	if (h->l3 == PRM_CQE_L3_IPV4)
		return emu_csum_add(rest, ip + offsetof(struct iphdr, saddr), 2 * sizeof(uint32_t));
	return emu_csum_add(rest, ip + offsetof(struct ip6_hdr, ip6_src),
			    2 * sizeof(struct in6_addr));
}

/**
 * emu_crc32 - CRC-32 of Ethernet's FCS; a sender stores it little-endian
 * @crc: 0, or the result for the bytes before @p
 */
uint32_t emu_crc32(uint32_t crc, const uint8_t *p, size_t bytes);

/**
 * emu_csum_insert - write the IPv4 and L4 checksums that @cs_flags (PRM_ETH_CS_*) requests
 *
 * Writes the inner checksums first, because an outer UDP checksum covers them.
 */
void emu_csum_insert(uint8_t *frame, uint32_t bytes, const struct emu_vxlan *vxlan,
		     uint8_t cs_flags);

#endif
