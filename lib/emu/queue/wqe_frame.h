/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_WQE_FRAME_H
#define EMU_QUEUE_WQE_FRAME_H

#include "emu/packet/frame.h"
#include "emu/queue/wqe.h"

/** struct emu_gather - a frame that is put together in emu->gather */
struct emu_gather {
	uint8_t *start; /* first byte; there is room for a VLAN tag before it */
	uint32_t bytes; /* of the frame; those past the buffer are counted, not kept */
};

void emu_gather_begin(struct emu *emu, struct emu_gather *g);
/** emu_gather_wqe - append @bytes that start at byte @off of the WQE itself */
void emu_gather_wqe(struct emu *emu, struct emu_gather *g, const struct emu_wqe *w, uint32_t off,
		    uint32_t bytes);
/** emu_gather_host - append what @seg points to. Return: false: not behind this lkey */
bool emu_gather_host(struct emu *emu, struct emu_gather *g, const struct emu_wqe *w,
		     const struct prm_data_seg *seg);

/** struct emu_offload - what the Ethernet segment asks for, of every frame of the WQE */
struct emu_offload {
	uint8_t cs_flags; /* PRM_ETH_CS_L3, _L4 */
	bool insert_vlan;
	uint16_t tpid, tci;
};

/**
 * emu_offload_of - read an Ethernet segment
 *
 * Return: false if it asks for something that this device does not have
 */
bool emu_offload_of(const struct prm_eth_seg *eth, struct emu_offload *o);

/** emu_offload_any - whether a frame has to be changed, so that it cannot be borrowed */
static inline bool emu_offload_any(const struct emu_offload *o)
{
	return o->cs_flags || o->insert_vlan;
}

/** emu_offload_apply - change the frame in @g as asked */
void emu_offload_apply(struct emu_gather *g, const struct emu_offload *o);

#endif
