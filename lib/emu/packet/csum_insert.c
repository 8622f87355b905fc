/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inserts checksums into a frame to send.
 */
#include "emu/packet/csum.h"

#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <stddef.h>
#include <string.h>

#include "prm/wqe.h"

static void store_csum(uint8_t *field, uint16_t sum)
{
	const uint16_t inverted = htons((uint16_t)~sum);

	memcpy(field, &inverted, sizeof(inverted));
}

/* Overwrites the checksum fields; their previous values are ignored. */
static void insert_level(uint8_t *frame, uint32_t bytes, const struct emu_headers *h, bool ip,
			 bool l4)
{
	const struct emu_frame f = { frame, bytes };
	uint8_t *field;

	if (ip && h->l3 == PRM_CQE_L3_IPV4) {
		field = frame + h->l3_off + offsetof(struct iphdr, check);
		memset(field, 0, sizeof(uint16_t));
		store_csum(field, emu_csum_fold(emu_csum_add(0, frame + h->l3_off,
							     (size_t)(h->l4_off - h->l3_off))));
	}
	if (!l4 || !h->l4)
		return; /* a fragment, a truncated header, or neither TCP nor UDP */
	field = frame + h->l4_off +
		(h->l4_type == PRM_CQE_L4_UDP ? offsetof(struct udphdr, check)
					      : offsetof(struct tcphdr, check));
	memset(field, 0, sizeof(uint16_t));
	store_csum(field, emu_csum_fold(emu_csum_add(emu_csum_pseudo(&f, h), frame + h->l4_off,
						     (size_t)(h->ip_end - h->l4_off))));
	if (h->l4_type == PRM_CQE_L4_UDP && !field[0] && !field[1])
		memset(field, 0xff, sizeof(uint16_t)); /* 0 means "not computed" in UDP */
}

/*
 * PRM-MISSING: without a tunnel, the flags for inner headers have no effect. In a tunnel, the flag
 * for outer L4 computes the UDP checksum of VXLAN (neither Linux nor net_mlx5 sets it there:
 * mlx5e_txwqe_build_eseg_csum, txq_ol_cksum_to_cs).
 */
void emu_csum_insert(uint8_t *frame, uint32_t bytes, const struct emu_vxlan *vxlan,
		     uint8_t cs_flags)
{
	const bool inner = cs_flags & (PRM_ETH_CS_INNER_L3 | PRM_ETH_CS_INNER_L4);
	struct emu_parsed p;

	emu_parse_frame(&(struct emu_frame){ frame, bytes }, inner ? vxlan : NULL, &p);
	if (p.tunnel)
		insert_level(frame, bytes, &p.inner, cs_flags & PRM_ETH_CS_INNER_L3,
			     cs_flags & PRM_ETH_CS_INNER_L4);
	insert_level(frame, bytes, &p.outer, cs_flags & PRM_ETH_CS_L3, cs_flags & PRM_ETH_CS_L4);
}
