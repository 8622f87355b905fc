/* SPDX-License-Identifier: BSD-3-Clause
 *
 * UMR: a kernel changes an mkey without a firmware command. It first writes the list of pages, with
 * several WQEs if the list is long, and then the fields of the mkey.
 */
#include "emu/queue/wqe.h"

#include <string.h>

enum {
	UMR_DS = 1,
	MKC_DS = 4,
	LIST_DS = 8,
	MTT_BYTES = sizeof(prm_be64),
	MTTS_PER_OCTWORD = PRM_UMR_OCTOWORD_BYTES / sizeof(prm_be64),
	LOG_PAGE_MIN = 12,
	LOG_PAGE_MAX = 31, /* 5 bits; a sixth bit needs the capability umr_log_entity_size_5 */
};

/** struct umr - a copy of the fixed part of a UMR WQE, which may wrap in the ring */
struct umr {
	struct prm_ctrl_seg ctrl;
	struct prm_umr_seg umr;
	struct prm_mkc mkc;
};
static_assert(sizeof(struct umr) == LIST_DS * PRM_DS_BYTES,
	      "the segments of a UMR WQE are contiguous");

static enum emu_wqe_result refuse_umr(struct emu_tx *tx, const struct emu_wqe *w, const char *why)
{
	emu_wqe_refuse(tx, w, why);
	tx->syndrome = PRM_SYND_MW_BIND;
	return EMU_WQE_FAILED;
}

/*
 * Returns the address of byte @at of the list of pages, which is in the WQE or at its data segment.
 * Returns NULL if the list is shorter or its mkey does not cover it.
 *
 * PRM-MISSING: any mkey of the kernel may cover the list (Linux uses an mkey of the QP's PD,
 * mlx5r_umr_resource_init, and does not depend on this)
 */
static const uint8_t *find_list_entry(struct emu_tx *tx, const struct emu_wqe *w, bool in_wqe,
				      uint64_t at)
{
	const struct prm_data_seg *seg = emu_wqe_ds(w, LIST_DS);
	const unsigned ds = LIST_DS + (unsigned)(at / PRM_DS_BYTES);
	const struct emu_mkey *key;
	const uint8_t *entry;
	uint64_t run;

	if (in_wqe)
		return ds < w->n_ds ? (const uint8_t *)emu_wqe_ds(w, ds) + at % PRM_DS_BYTES : NULL;
	if (LIST_DS >= w->n_ds || at + MTT_BYTES > prm_be32_get(seg->byte_count))
		return NULL;
	key = emu_obj_at(&tx->emu->table[EMU_MKEY], prm_be32_get(seg->lkey) >> 8);
	if (!key || key->obj.uid)
		return NULL;
	entry = emu_mkey_at(tx->emu, prm_be32_get(seg->lkey), key->pd, prm_be64_get(seg->addr) + at,
			    MTT_BYTES, false, &run);
	return entry && run == MTT_BYTES ? entry : NULL;
}

/* Writes the list of pages into the mkey. Lists are padded to 64 bytes with zeros. */
static const char *write_list(struct emu_tx *tx, const struct emu_wqe *w, const struct umr *u,
			      struct emu_mkey *key)
{
	const uint64_t n = (uint64_t)prm_be16_get(u->umr.xlt_octowords) * MTTS_PER_OCTWORD;
	uint64_t first = 0;

	if (u->umr.flags & PRM_UMR_TRANSLATION_OFFSET)
		first = ((uint64_t)prm_be32_get(u->umr.xlt_offset_47_16) << 16 |
			 prm_be16_get(u->umr.xlt_offset_15_0)) *
			MTTS_PER_OCTWORD;
	for (uint64_t i = 0; i < n; i++) {
		const uint8_t *at =
			find_list_entry(tx, w, u->umr.flags & PRM_UMR_INLINE, i * MTT_BYTES);
		prm_be64 mtt;

		if (!at)
			return "xlt_octowords: the list of pages has fewer entries, or its lkey "
			       "does not cover them";
		memcpy(&mtt, at, sizeof(mtt));
		if (first + i < key->n_list)
			key->list[first + i] = prm_be64_get(mtt);
		else if (prm_be64_get(mtt))
			return "xlt_octowords: more pages than the list of the mkey can hold";
	}
	return NULL;
}

static bool is_masked(const struct umr *u, unsigned bit)
{
	return prm_be64_get(u->umr.mkey_mask) >> bit & 1;
}

#define BIT(field) (1ull << PRM_UMR_MASK_##field)

/*
 * Checks that a UMR changes only fields that the capabilities of the profiles allow. They do not
 * allow changes of atomics and relaxed ordering, or page sizes of 6 bits. emu supports neither
 * signatures nor indirect mkeys.
 */
static const char *validate_umr(const struct umr *u)
{
	enum {
		FLAGS = PRM_UMR_TRANSLATION_OFFSET | PRM_UMR_CHECK_NOT_FREE | PRM_UMR_CHECK_FREE |
			PRM_UMR_INLINE,
	};
	static const struct prm_umr_seg zeros;
	const uint64_t fields = BIT(LEN) | BIT(PAGE_SIZE) | BIT(START_ADDR) | BIT(PD) | BIT(KEY) |
				BIT(LR) | BIT(LW) | BIT(RR) | BIT(RW) | BIT(FREE);

	if (u->umr.flags & ~FLAGS)
		return "flags: unsupported bit (valid: translation offset, check free, check not "
		       "free, inline)";
	if (prm_be64_get(u->umr.mkey_mask) & ~fields)
		return "mkey_mask: a field that cannot change according to the capabilities";
	if (memcmp(u->umr.rsvd01, zeros.rsvd01, sizeof(zeros.rsvd01)) ||
	    memcmp(u->umr.rsvd14, zeros.rsvd14, sizeof(zeros.rsvd14)))
		return "UMR segment: a reserved bit is set";
	if (is_masked(u, PRM_UMR_MASK_PAGE_SIZE) && prm_get(&u->mkc, log_page_size) > LOG_PAGE_MAX)
		return "log_page_size: above 31 (the capability umr_log_entity_size_5 is 0)";
	return NULL;
}

static const char *set_pd(struct emu *emu, struct emu_mkey *key, uint32_t pd)
{
	struct emu_obj *to = emu_obj_at(&emu->table[EMU_PD], pd);
	struct emu_obj *from = emu_obj_at(&emu->table[EMU_PD], key->pd);

	if (!to)
		return "pd: no such PD";
	to->refs++;
	if (from)
		from->refs--;
	key->pd = pd;
	prm_set(&key->ctx, pd, pd);
	return NULL;
}

#define TAKE(bit, field)                                                                           \
	do {                                                                                       \
		if (is_masked(u, PRM_UMR_MASK_##bit))                                              \
			prm_set(&key->ctx, field, prm_get(&u->mkc, field));                        \
	} while (0)

static const char *write_fields(struct emu *emu, const struct umr *u, struct emu_mkey *key)
{
	const char *fault = is_masked(u, PRM_UMR_MASK_PD)
				    ? set_pd(emu, key, (uint32_t)prm_get(&u->mkc, pd))
				    : NULL;

	if (fault)
		return fault;
	TAKE(LEN, len);
	TAKE(LEN, length64);
	TAKE(PAGE_SIZE, log_page_size);
	TAKE(START_ADDR, start_addr);
	TAKE(KEY, mkey_7_0);
	TAKE(LR, lr);
	TAKE(LW, lw);
	TAKE(RR, rr);
	TAKE(RW, rw);
	TAKE(FREE, free);
	key->start_addr = prm_get(&key->ctx, start_addr);
	key->bytes = prm_get(&key->ctx, len);
	key->tag = (uint8_t)prm_get(&key->ctx, mkey_7_0);
	key->lr = prm_get(&key->ctx, lr);
	key->lw = prm_get(&key->ctx, lw);
	key->rr = prm_get(&key->ctx, rr);
	key->rw = prm_get(&key->ctx, rw);
	key->free = prm_get(&key->ctx, free);
	return NULL;
}

static uint64_t get_listed_page(const void *list, uint32_t i)
{
	const struct emu_mkey *key = list;
	const uint64_t page = 1ull << prm_get(&key->ctx, log_page_size);

	if (i >= key->n_list || !(key->list[i] & PRM_MTT_READ))
		return EMU_DMA_ABSENT;
	return key->list[i] & ~(page - 1);
}

/* Maps the pages of the mkey's list. An access to a page that the list omits faults. */
static const char *translate_list(struct emu *emu, struct emu_mkey *key)
{
	const unsigned shift = (unsigned)prm_get(&key->ctx, log_page_size);
	const struct emu_span want = {
		.page_shift = (uint8_t)shift,
		.first = key->start_addr & ((1ull << shift) - 1),
		.bytes = key->bytes,
		.write = key->lw,
	};

	emu_span_drop(&key->span);
	if (key->free || !key->bytes)
		return NULL;
	if (shift < LOG_PAGE_MIN || (want.first + key->bytes - 1) >> shift >= key->n_list)
		return "len: more pages than the list of the mkey has, or log_page_size below 12";
	return emu_span_map(emu, &key->span, &want, get_listed_page, key)
		       ? "the host has not mapped every page in the list"
		       : NULL;
}

enum emu_wqe_result emu_wqe_umr(struct emu_tx *tx, const struct emu_wqe *w)
{
	struct emu_mkey *key;
	const char *fault;
	struct umr u;

	if (w->n_ds < LIST_DS)
		return refuse_umr(tx, w,
				  "ds: a UMR needs control, UMR and mkey segments (at least 8)");
	for (unsigned ds = 0; ds < LIST_DS; ds++)
		memcpy((uint8_t *)&u + ds * PRM_DS_BYTES, emu_wqe_ds(w, ds), PRM_DS_BYTES);
	key = emu_obj_at(&tx->emu->table[EMU_MKEY], prm_be32_get(u.ctrl.imm) >> 8);
	if (!key || !prm_get(&key->ctx, umr_en) || !key->list)
		return refuse_umr(tx, w, "imm: no such mkey, or its umr_en is 0");
	if ((u.umr.flags & PRM_UMR_CHECK_FREE && key->free) ||
	    (u.umr.flags & PRM_UMR_CHECK_NOT_FREE && !key->free))
		return refuse_umr(tx, w, key->free ? "the mkey is free" : "the mkey is not free");
	fault = validate_umr(&u);
	if (!fault)
		fault = write_list(tx, w, &u, key);
	if (!fault)
		fault = write_fields(tx->emu, &u, key);
	if (!fault)
		fault = translate_list(tx->emu, key);
	if (fault)
		return refuse_umr(tx, w, fault);
	tx->moved++;
	return EMU_WQE_DONE;
}
