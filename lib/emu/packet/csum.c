/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Internet checksums and Ethernet's CRC.
 *
 * Sums run over words as they lie in memory: the one's complement sum of byte-swapped words
 * is the byte-swapped sum (RFC 1071), so the swap is done once, at the end.
 */
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>

#include "emu/queue/engine.h"

enum { CRC32_POLYNOMIAL = 0xedb88320u };

uint64_t emu_csum_add(uint64_t sum, const uint8_t *p, size_t bytes)
{
	uint32_t dword;
	uint16_t word;

	/* at most 2^14 dwords of a frame: the upper half of the sum takes all carries */
	for (; bytes >= sizeof(dword); bytes -= sizeof(dword), p += sizeof(dword)) {
		memcpy(&dword, p, sizeof(dword));
		sum += dword;
	}
	if (bytes >= sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		sum += word;
		p += sizeof(word);
		bytes -= sizeof(word);
	}
	if (bytes)
		sum += htons((uint16_t)(*p << 8));
	return sum;
}

uint16_t emu_csum_fold(uint64_t sum)
{
	sum = (sum & UINT32_MAX) + (sum >> 32);
	sum = (sum & UINT16_MAX) + (sum >> 16);
	sum = (sum & UINT16_MAX) + (sum >> 16);
	sum = (sum & UINT16_MAX) + (sum >> 16);
	return ntohs((uint16_t)sum);
}

uint64_t emu_csum_pseudo(const struct emu_frame *f, const struct emu_parsed *p)
{
	const uint8_t *ip = f->data + p->l3_off;
	const uint64_t rest =
		(uint64_t)htons(p->l4_proto) + htons((uint16_t)(p->ip_end - p->l4_off));

	if (p->l3 == PRM_CQE_L3_IPV4)
		return emu_csum_add(rest, ip + offsetof(struct iphdr, saddr), 2 * sizeof(uint32_t));
	return emu_csum_add(rest, ip + offsetof(struct ip6_hdr, ip6_src),
			    2 * sizeof(struct in6_addr));
}

static void store(uint8_t *field, uint16_t sum)
{
	const uint16_t inverted = htons((uint16_t)~sum);

	memcpy(field, &inverted, sizeof(inverted));
}

/* What stood in a checksum field does not matter: it is replaced. */
void emu_csum_insert(uint8_t *frame, uint32_t bytes, uint8_t cs_flags)
{
	const struct emu_frame f = { frame, bytes };
	struct emu_parsed p;
	uint8_t *field;

	emu_parse(&f, &p);
	if (cs_flags & PRM_ETH_CS_L3 && p.l3 == PRM_CQE_L3_IPV4) {
		field = frame + p.l3_off + offsetof(struct iphdr, check);
		memset(field, 0, sizeof(uint16_t));
		store(field, emu_csum_fold(emu_csum_add(0, frame + p.l3_off,
							(size_t)(p.l4_off - p.l3_off))));
	}
	if (!(cs_flags & PRM_ETH_CS_L4) || !p.l4)
		return; /* a fragment, or nothing that has a checksum we know */
	field = frame + p.l4_off + (p.l4_type == PRM_CQE_L4_UDP ? offsetof(struct udphdr, check)
								: offsetof(struct tcphdr, check));
	memset(field, 0, sizeof(uint16_t));
	store(field, emu_csum_fold(emu_csum_add(emu_csum_pseudo(&f, &p), frame + p.l4_off,
						(size_t)(p.ip_end - p.l4_off))));
	if (p.l4_type == PRM_CQE_L4_UDP && !field[0] && !field[1])
		memset(field, 0xff, sizeof(uint16_t)); /* 0 would say "not computed" */
}

uint32_t emu_crc32(uint32_t crc, const uint8_t *p, size_t bytes)
{
	crc = ~crc;
	while (bytes--) {
		crc ^= *p++;
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (CRC32_POLYNOMIAL & -(crc & 1));
	}
	return ~crc;
}
