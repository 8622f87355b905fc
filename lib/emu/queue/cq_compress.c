/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/queue/cq_compress.h"

#include <stdint.h>
#include <string.h>

#include "emu/base/profile.h"
#include "emu/queue/cq_ring.h"

enum { LOG_CQE_64 = 6, LAYOUT_BASIC = 0, MINIS_OF_SLOT = sizeof(struct prm_cqe) / 8 };

_Static_assert(sizeof(struct prm_mini_cqe) * MINIS_OF_SLOT == sizeof(struct prm_cqe),
	       "8 mini CQEs fill a slot");

void emu_cq_init_compression(struct emu *emu, struct emu_cq *cq)
{
	const struct emu_options *o = &emu->adapter->profile->options;
	const unsigned format = (unsigned)prm_get(&cq->ctx, mini_cqe_res_format);
	const unsigned most = (unsigned)emu_cap(emu, cqe_compression_max_num);

	cq->emu = emu;
	cq->compress = EMU_COMPRESS_NEVER;
	if (!prm_get(&cq->ctx, cqe_comp_en) || cq->cc || cq->log_cqe != LOG_CQE_64 ||
	    prm_get(&cq->ctx, cqe_compression_layout) != LAYOUT_BASIC)
		return;
	if (format != PRM_CQC_MINI_CQE_RES_FORMAT_HASH &&
	    format != PRM_CQC_MINI_CQE_RES_FORMAT_CSUM)
		return;
	if (most < 2)
		return;
	cq->compress = (uint8_t)o->compress;
	cq->sum_in_minis = format == PRM_CQC_MINI_CQE_RES_FORMAT_CSUM;
	cq->max_session = (uint16_t)most;
	cq->chance = o->compress_seed * 2654435761u + cq->obj.id;
}

/* Returns a number that depends on the seed, and on how often this was called for the CQ. */
static uint32_t draw_number(struct emu_cq *cq)
{
	cq->chance = cq->chance * 1664525u + 1013904223u;
	return cq->chance >> 8;
}

/* Returns the longest session that may begin now; 1: none. */
static unsigned choose_length(struct emu_cq *cq)
{
	if (cq->compress == EMU_COMPRESS_ALWAYS)
		return cq->max_session;
	return draw_number(cq) & 1 ? 1 : 2 + draw_number(cq) % (cq->max_session - 1u);
}

static struct prm_cqe *get_cqe(struct emu_held_cqe *h)
{
	return (struct prm_cqe *)h->cqe;
}

/* Returns a CQE without the fields that may differ within a session. */
static struct prm_cqe mask_cqe(const struct prm_cqe *from, uint16_t n_before)
{
	struct prm_cqe cqe = *from;

	cqe.rss_hash_result = cqe.byte_cnt = prm_be32_of(0);
	cqe.check_sum = prm_be16_of(0);
	cqe.timestamp = prm_be64_of(0);
	cqe.wqe_counter = prm_be16_of((uint16_t)(prm_be16_get(cqe.wqe_counter) - n_before));
	return cqe;
}

static bool may_compress(const struct prm_cqe *cqe)
{
	return (cqe->op_own & ~PRM_CQE_OWNER) == PRM_CQE_RESP_SEND << 4;
}

/*
 * Finds the CQEs behind held CQE @first, in the next slots, that may share its session. @member:
 * receives their places in held[], with @first. Returns their number, at most @most.
 */
static unsigned find_members(struct emu_adapter *a, unsigned first, unsigned most,
			     uint8_t member[EMU_MAX_HELD])
{
	struct emu_held_cqe *const title = &a->held[first];
	const struct prm_cqe want = mask_cqe(get_cqe(title), 0);
	unsigned n = 0;

	for (unsigned i = first; i < a->n_held && n < most; i++) {
		struct emu_held_cqe *h = &a->held[i];
		struct prm_cqe is;

		if (h->cq != title->cq)
			continue;
		is = mask_cqe(get_cqe(h), (uint16_t)n);
		/* the slots are in a row, also at the end of the ring */
		if (h->at != (uint8_t *)title->at + n * sizeof(struct prm_cqe) ||
		    memcmp(&is, &want, sizeof(is)) != 0)
			break;
		member[n++] = (uint8_t)i;
	}
	return n;
}

/* Makes a session of @n CQEs, at least 2. */
static void join_members(struct emu_adapter *a, const uint8_t *member, unsigned n)
{
	struct prm_mini_cqe minis[EMU_MAX_HELD] = { 0 };
	struct prm_cqe *title = get_cqe(&a->held[member[0]]);
	struct emu_cq *cq = a->held[member[0]].cq;
	const unsigned n_slots = (n + MINIS_OF_SLOT - 1) / MINIS_OF_SLOT;

	for (unsigned i = 0; i < n; i++) {
		struct emu_held_cqe *h = &a->held[member[i]];
		const struct prm_cqe *cqe = get_cqe(h);

		minis[i].byte_cnt = cqe->byte_cnt;
		minis[i].result =
			cq->sum_in_minis ? prm_be32_of((uint32_t)prm_be16_get(cqe->check_sum) << 16)
					 : cqe->rss_hash_result;
		h->kind = i ? EMU_HELD_HOLE : EMU_HELD_CQE;
	}
	for (unsigned i = 0; i < n_slots; i++) {
		struct emu_held_cqe *h = &a->held[member[i ? i * MINIS_OF_SLOT : 1]];

		h->kind = EMU_HELD_MINIS;
		memcpy(h->cqe, minis + i * MINIS_OF_SLOT, sizeof(h->cqe));
	}
	title->byte_cnt = prm_be32_of(n);
	title->op_own |= PRM_CQE_COMPRESSED << PRM_CQE_FORMAT_SHIFT;
	cq->emu->pcie.cqe_writes -= n - 1 - n_slots;
}

void emu_cq_compress(struct emu_adapter *a)
{
	uint8_t member[EMU_MAX_HELD];

	for (; a->n_compressed < a->n_held; a->n_compressed++) {
		struct emu_held_cqe *h = &a->held[a->n_compressed];
		unsigned n;

		if (!h->cq->compress || h->kind != EMU_HELD_CQE || !may_compress(get_cqe(h)))
			continue;
		n = choose_length(h->cq);
		if (n > 1)
			n = find_members(a, a->n_compressed, n, member);
		if (n > 1)
			join_members(a, member, n);
	}
}
