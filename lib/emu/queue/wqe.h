/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_WQE_H
#define EMU_QUEUE_WQE_H

#include "emu/base/dev.h"
#include "emu/queue/sq.h"
#include "emu/packet/frame.h"

/** struct emu_wqe - a send WQE that is being executed */
struct emu_wqe {
	struct emu_sq *sq;
	uint32_t at;         /* offset of its first byte in the ring */
	const uint8_t *copy; /* its first WQEBB if from the BlueFlame register, else NULL */
	uint8_t opcode, ce;
	unsigned n_ds;
};

/** emu_wqe_ds - address of the 16-byte segment @i of a WQE, which may wrap in the ring */
static inline const void *emu_wqe_ds(const struct emu_wqe *w, unsigned i)
{
	const uint32_t mask = (PRM_WQEBB_BYTES << w->sq->log_size) - 1;

	if (w->copy && i < PRM_WQEBB_BYTES / PRM_DS_BYTES)
		return w->copy + i * PRM_DS_BYTES;
	return emu_span_ptr(&w->sq->ring, (w->at + i * PRM_DS_BYTES) & mask);
}

/** emu_wqe_at - address of byte @off of a WQE; @run: receives the number of contiguous bytes */
static inline const uint8_t *emu_wqe_at(const struct emu_wqe *w, uint32_t off, uint64_t *run)
{
	const uint32_t ring = PRM_WQEBB_BYTES << w->sq->log_size;
	const uint32_t at = (w->at + off) & (ring - 1);
	const uint8_t *p;

	if (w->copy && off < PRM_WQEBB_BYTES) {
		*run = PRM_WQEBB_BYTES - off;
		return w->copy + off;
	}
	p = emu_span_at(&w->sq->ring, at, run);
	if (*run > ring - at)
		*run = ring - at;
	return p;
}

/** emu_wqe_bbs - number of WQEBBs of a WQE; 1 if @n_ds is 0, which is invalid */
static inline uint16_t emu_wqe_bbs(unsigned n_ds)
{
	const unsigned ds_per_bb = PRM_WQEBB_BYTES / PRM_DS_BYTES;

	return n_ds ? (uint16_t)((n_ds + ds_per_bb - 1) / ds_per_bb) : 1;
}

/** emu_wqe_fetch - find the WQE at sq->cc. Return: its control segment; NULL if it is unmapped */
const struct prm_ctrl_seg *emu_wqe_fetch(struct emu_sq *sq, struct emu_wqe *w);

/** enum emu_wqe_result - result of executing a WQE */
enum emu_wqe_result {
	EMU_WQE_DONE,
	EMU_WQE_RETRY,  /* wire full, budget used up, or rate limit; retry from sq->at_entry */
	EMU_WQE_FAILED, /* the syndrome is in struct emu_tx */
};

/** struct emu_tx - budget and results of one call of emu_sq_run() */
struct emu_tx {
	struct emu *emu;
	struct emu_sq *sq;
	unsigned budget, moved; /* packets: allowed; sent so far (a NOP or UMR counts as one) */
	uint8_t syndrome;       /* for the error CQE, with EMU_WQE_FAILED */
};

/** emu_wqe_refuse - count an invalid WQE as a mistake; @why: the reason. Return: EMU_WQE_FAILED */
enum emu_wqe_result emu_wqe_refuse(struct emu_tx *tx, const struct emu_wqe *w, const char *why);

/** emu_wqe_refuse_lkey - count a segment whose lkey is invalid for it. Return: EMU_WQE_FAILED */
enum emu_wqe_result emu_wqe_refuse_lkey(struct emu_tx *tx, const struct emu_wqe *w,
					const struct prm_data_seg *seg);

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
/** emu_gather_host - append the bytes of @seg. Return: false if its lkey does not allow reading */
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

/** emu_offload_any - whether an offload changes the frame, so that the engine must copy it first */
static inline bool emu_offload_any(const struct emu_offload *o)
{
	return o->cs_flags || o->insert_vlan;
}

/** emu_offload_apply - insert the requested VLAN tag and checksums into the frame in @g */
void emu_offload_apply(const struct emu *emu, struct emu_gather *g, const struct emu_offload *o);

/** emu_wqe_lso - execute an LSO WQE: send a TCP or UDP packet as segments of at most mss bytes */
enum emu_wqe_result emu_wqe_lso(struct emu_tx *tx, const struct emu_wqe *w);

/** emu_wqe_mpsw - execute an enhanced multi-packet SEND: one frame per entry */
enum emu_wqe_result emu_wqe_mpsw(struct emu_tx *tx, const struct emu_wqe *w);

/** emu_wqe_umr - execute a UMR WQE: change fields of an mkey, its list of pages, or both */
enum emu_wqe_result emu_wqe_umr(struct emu_tx *tx, const struct emu_wqe *w);

/** emu_wqe_send - execute a SEND: one frame from data segments and inline bytes */
enum emu_wqe_result emu_wqe_send(struct emu_tx *tx, const struct emu_wqe *w);

/** emu_wqe_gather - append all data segments, starting at @ds: inline bytes and host memory */
enum emu_wqe_result emu_wqe_gather(struct emu_tx *tx, const struct emu_wqe *w, unsigned ds,
				   struct emu_gather *g);
/** emu_wqe_transmit - pad and send one frame of a WQE */
enum emu_wqe_result emu_wqe_transmit(struct emu_tx *tx, const struct emu_wqe *w,
				     struct emu_frame *f);

/** emu_wqe_complete - write the CQE of an executed WQE, if the WQE asks for one */
void emu_wqe_complete(struct emu *emu, const struct emu_wqe *w);
/** emu_wqe_fail - put the SQ into ERR, write the error CQE of a WQE, flush the WQEs after it */
void emu_wqe_fail(struct emu *emu, const struct emu_wqe *w, uint8_t syndrome);

/** emu_wqe_copy - copy an executed WQE to the record of its port, if it has room left */
void emu_wqe_copy(struct emu_wqe_record *record, const struct emu_wqe *w);

#endif
