/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_STEERING_RSS_H
#define EMU_STEERING_RSS_H

#include "emu/base/obj.h"
#include "emu/packet/parse.h"

struct emu_rqt {
	struct emu_obj obj;
	uint32_t max, n;
	struct emu_rq **rq;    /* n references */
	uint32_t n_unhashed;   /* TIRs without hash fields that use the table */
	bool tunneled_offload; /* tunneled_offload_en of its TIR that was written last */
	struct prm_rqtc ctx;
};

enum { EMU_RSS_KEY_BYTES = 40 };

struct emu_tir {
	struct emu_obj obj;
	bool indirect, unhashed; /* unhashed: indirect, without hash fields */
	struct emu_rq *rq;       /* RQ of a direct TIR, else NULL; reference */
	struct emu_rqt *rqt;     /* table of an indirect TIR, else NULL; reference */
	struct emu_td *td;
	uint8_t hash_fn; /* 0 none, 1 inverted XOR8 (emu does not hash), 2 Toeplitz */
	bool symmetric;
	uint8_t key[EMU_RSS_KEY_BYTES];
	struct emu_toeplitz *toeplitz; /* table for key, from emu_tir_prepare() */
	bool tunneled_offload; /* tunneled_offload_en: hash inner fields; see also struct emu_rq */
	uint32_t outer, inner; /* rx_hash_field_selector_*, host-endian dwords */
	uint8_t self_lb_block;
	uint64_t n_sqs_known; /* emu->n_sqs_made when a command set self_lb_block */
	struct prm_tirc ctx;
};

/**
 * emu_tir_prepare - compute the hash table of a TIR after a command has set its key
 *
 * Return: 0, or -ENOMEM
 */
int emu_tir_prepare(struct emu_tir *tir);
/** emu_tir_release - free what emu_tir_prepare() allocated, before the TIR is destroyed */
void emu_tir_release(struct emu_tir *tir);

/** emu_hash_fields - the part of emu_hash_frame() for a TIR that selects fields */
uint32_t emu_hash_fields(const struct emu_tir *tir, const struct emu_frame *f,
			 const struct emu_parsed *p, uint8_t *type);

/**
 * emu_hash_frame - hash a frame with the fields and the key that a TIR selects
 * @type: receives rss_hash_type for the CQE (0: not hashed)
 */
static inline uint32_t emu_hash_frame(const struct emu_tir *tir, const struct emu_frame *f,
				      const struct emu_parsed *p, uint8_t *type)
{
	*type = 0;
	return tir->outer | tir->inner ? emu_hash_fields(tir, f, p, type) : 0;
}

/** emu_tir_rq - the RQ that a TIR chooses for @hash; NULL if its RQT is empty */
static inline struct emu_rq *emu_tir_rq(const struct emu_tir *tir, uint32_t hash)
{
	if (!tir->indirect)
		return tir->rq;
	return tir->rqt && tir->rqt->n ? tir->rqt->rq[hash & (tir->rqt->n - 1)] : NULL;
}

#endif
