/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gathers a frame from the segments of its WQE, and applies the offloads that change it.
 */
#include "emu/queue/wqe.h"

#include <string.h>

#include "emu/packet/csum.h"

enum {
	CS_KNOWN = PRM_ETH_CS_L3 | PRM_ETH_CS_L4 | PRM_ETH_CS_INNER_L3 | PRM_ETH_CS_INNER_L4,
};

void emu_gather_begin(struct emu *emu, struct emu_gather *g)
{
	*g = (struct emu_gather){ .start = emu->gather + EMU_ETH_VLAN };
}

static void append_bytes(struct emu *emu, struct emu_gather *g, const uint8_t *p, uint64_t bytes)
{
	const uint64_t room = emu->gather + sizeof(emu->gather) - g->start;

	if (g->bytes + bytes <= room)
		memcpy(g->start + g->bytes, p, bytes);
	g->bytes = g->bytes + bytes <= room ? g->bytes + (uint32_t)bytes : (uint32_t)room + 1;
}

void emu_gather_wqe(struct emu *emu, struct emu_gather *g, const struct emu_wqe *w, uint32_t off,
		    uint32_t bytes)
{
	while (bytes) {
		uint64_t run;
		const uint8_t *p = emu_wqe_at(w, off, &run);
		const uint32_t n = run < bytes ? (uint32_t)run : bytes;

		append_bytes(emu, g, p, n);
		off += n;
		bytes -= n;
	}
}

bool emu_gather_host(struct emu *emu, struct emu_gather *g, const struct emu_wqe *w,
		     const struct prm_data_seg *seg)
{
	uint64_t addr = prm_be64_get(seg->addr), left = prm_be32_get(seg->byte_count);

	while (left) {
		uint64_t run;
		const uint8_t *p = emu_mkey_at(emu, prm_be32_get(seg->lkey), w->sq->pd, addr, left,
					       false, &run);

		if (!p)
			return false;
		if (run > left)
			run = left;
		append_bytes(emu, g, p, run);
		addr += run;
		left -= run;
	}
	return true;
}

bool emu_offload_of(const struct prm_eth_seg *eth, struct emu_offload *o)
{
	const uint16_t insert = prm_be16_get(eth->insert_type);

	*o = (struct emu_offload){ .cs_flags = eth->cs_flags };
	if (eth->cs_flags & ~CS_KNOWN || eth->swp_flags || insert & PRM_ETH_TRAILER)
		return false;
	if (insert & PRM_ETH_INSERT_VLAN) {
		o->insert_vlan = true;
		o->tpid = insert & PRM_ETH_INSERT_SVLAN ? EMU_TPID_S : EMU_TPID_C;
		o->tci = prm_be16_get(eth->vlan_tci);
	}
	return true;
}

void emu_offload_apply(const struct emu *emu, struct emu_gather *g, const struct emu_offload *o)
{
	if (g->bytes < EMU_ETH_HEADER || g->bytes > EMU_FRAME_MAX - EMU_ETH_VLAN)
		return; /* the caller refuses the frame, or it does not fit the buffer */
	if (o->insert_vlan) {
		const prm_be16 tag[2] = { prm_be16_of(o->tpid), prm_be16_of(o->tci) };

		memmove(g->start - EMU_ETH_VLAN, g->start, EMU_MACS_BYTES);
		g->start -= EMU_ETH_VLAN;
		g->bytes += EMU_ETH_VLAN;
		memcpy(g->start + EMU_MACS_BYTES, tag, sizeof(tag));
	}
	if (o->cs_flags)
		emu_csum_insert(g->start, g->bytes, &emu->vxlan, o->cs_flags);
}
