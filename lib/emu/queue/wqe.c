/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A send WQE: finds it in the ring, and refuses an invalid one.
 */
#include "emu/queue/wqe.h"

#include <string.h>

#include "emu/base/dev.h"
#include "emu/control.h"

/* Returns false if a segment is on a page that the host has unmapped. */
static bool is_mapped(const struct emu_wqe *w)
{
	for (unsigned ds = 0; !w->sq->ring.flat && ds < w->n_ds; ds++)
		if (!emu_wqe_ds(w, ds))
			return false;
	return true;
}

const struct prm_ctrl_seg *emu_wqe_fetch(struct emu_sq *sq, struct emu_wqe *w)
{
	const struct prm_ctrl_seg *ctrl;

	*w = (struct emu_wqe){ .sq = sq };
	w->at = (uint32_t)(sq->cc & ((1u << sq->log_size) - 1)) * PRM_WQEBB_BYTES;
	if (sq->has_bf && prm_ctrl_index(&sq->bf) == sq->cc)
		w->copy = sq->bf_wqebb;
	ctrl = sq->lost ? NULL : emu_wqe_ds(w, 0);
	if (ctrl) {
		w->opcode = prm_ctrl_opcode(ctrl);
		w->ce = prm_ctrl_ce(ctrl);
		w->n_ds = prm_ctrl_ds(ctrl);
	}
	return ctrl && is_mapped(w) ? ctrl : NULL;
}

enum emu_wqe_result emu_wqe_refuse(struct emu_tx *tx, const struct emu_wqe *w, const char *why)
{
	if (!w->sq->lost) /* else already counted as memory_lost */
		emu_count_mistake(tx->emu, EMU_MISTAKE_bad_wqe,
				  "SQ 0x%x WQE 0x%x opcode 0x%02x ds %u: %s", w->sq->obj.id,
				  w->sq->cc, w->opcode, w->n_ds, why);
	tx->syndrome = PRM_SYND_LOCAL_QP_OP;
	return EMU_WQE_FAILED;
}

enum emu_wqe_result emu_wqe_refuse_lkey(struct emu_tx *tx, const struct emu_wqe *w,
					const struct prm_data_seg *seg)
{
	tx->syndrome = PRM_SYND_LOCAL_PROT;
	if (!tx->emu->adapter->has_blocked) /* else already counted as memory_lost */
		emu_count_mistake(
			tx->emu, EMU_MISTAKE_bad_lkey,
			"SQ 0x%x WQE 0x%x: lkey 0x%x does not allow reading %u bytes at 0x%llx",
			w->sq->obj.id, w->sq->cc, prm_be32_get(seg->lkey),
			prm_be32_get(seg->byte_count), (unsigned long long)prm_be64_get(seg->addr));
	return EMU_WQE_FAILED;
}

void emu_wqe_copy(struct emu_wqe_record *record, const struct emu_wqe *w)
{
	const size_t bytes = (size_t)w->n_ds * PRM_DS_BYTES;

	if (bytes > record->room - record->used) {
		record->room = record->used; /* prevents the copy of a later, shorter WQE */
		return;
	}
	for (unsigned i = 0; i < w->n_ds; i++, record->used += PRM_DS_BYTES)
		memcpy(record->to + record->used, emu_wqe_ds(w, i), PRM_DS_BYTES);
}

size_t emu_record_wqes(struct emu *emu, void *to, size_t bytes)
{
	size_t used;

	emu_lock(emu->adapter);
	used = emu->wqes.used;
	emu->wqes = (struct emu_wqe_record){ .to = to, .room = bytes };
	emu_unlock(emu->adapter);
	return used;
}
