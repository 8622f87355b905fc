/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inserts checksums into a frame that is being sent.
 */
#include "emu/packet/csum_insert.h"

#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <stddef.h>
#include <string.h>

#include "emu/packet/csum.h"
#include "prm/wqe.h"

static void store_csum(uint8_t *field, uint16_t sum)
{
	const uint16_t inverted = htons((uint16_t)~sum);

	memcpy(field, &inverted, sizeof(inverted));
}

/* Overwrites the checksum field; its previous value is ignored. */
void emu_csum_insert(uint8_t *frame, uint32_t bytes, uint8_t cs_flags)
{
	const struct emu_frame f = { frame, bytes };
	struct emu_parsed p;
	uint8_t *field;

	emu_parse_frame(&f, &p);
	if (cs_flags & PRM_ETH_CS_L3 && p.l3 == PRM_CQE_L3_IPV4) {
		field = frame + p.l3_off + offsetof(struct iphdr, check);
		memset(field, 0, sizeof(uint16_t));
		store_csum(field, emu_csum_fold(emu_csum_add(0, frame + p.l3_off,
							     (size_t)(p.l4_off - p.l3_off))));
	}
	if (!(cs_flags & PRM_ETH_CS_L4) || !p.l4)
		return; /* a fragment, a cut header, or neither TCP nor UDP */
	field = frame + p.l4_off +
		(p.l4_type == PRM_CQE_L4_UDP ? offsetof(struct udphdr, check)
					     : offsetof(struct tcphdr, check));
	memset(field, 0, sizeof(uint16_t));
	store_csum(field, emu_csum_fold(emu_csum_add(emu_csum_pseudo(&f, &p), frame + p.l4_off,
						     (size_t)(p.ip_end - p.l4_off))));
	if (p.l4_type == PRM_CQE_L4_UDP && !field[0] && !field[1])
		memset(field, 0xff, sizeof(uint16_t)); /* 0 means "not computed" in UDP */
}
