/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_WQE_FRAME_H
#define EMU_QUEUE_WQE_FRAME_H

#include "emu/packet/frame.h"
#include "emu/queue/wqe.h"

/** struct emu_gather - a frame in the buffer emu->gather */
struct emu_gather {
	uint8_t *start; /* first byte; the buffer has room for a VLAN tag before it */
	uint32_t bytes; /* length of the frame; room + 1 if it does not fit the buffer */
};

/** emu_gather_begin - start an empty frame */
void emu_gather_begin(struct emu *emu, struct emu_gather *g);
/** emu_gather_wqe - append @bytes inline bytes, from byte @off of the WQE on */
void emu_gather_wqe(struct emu *emu, struct emu_gather *g, const struct emu_wqe *w, uint32_t off,
		    uint32_t bytes);
/**
 * emu_gather_host - append the bytes at @seg. Return: false if its lkey does not allow to read
 * them
 */
bool emu_gather_host(struct emu *emu, struct emu_gather *g, const struct emu_wqe *w,
		     const struct prm_data_seg *seg);

/** struct emu_offload - offloads that the Ethernet segment requests, for every frame of the WQE */
struct emu_offload {
	uint8_t cs_flags; /* PRM_ETH_CS_* */
	bool insert_vlan;
	uint16_t tpid, tci;
};

/**
 * emu_offload_of - read the offloads that an Ethernet segment requests
 *
 * Return: false if it requests an offload that emu does not support
 */
bool emu_offload_of(const struct prm_eth_seg *eth, struct emu_offload *o);

/** emu_offload_any - whether an offload changes the frame, so that the engine must copy it */
static inline bool emu_offload_any(const struct emu_offload *o)
{
	return o->cs_flags || o->insert_vlan;
}

/** emu_offload_apply - insert tag and checksums into the frame in @g */
void emu_offload_apply(const struct emu *emu, struct emu_gather *g, const struct emu_offload *o);

#endif
