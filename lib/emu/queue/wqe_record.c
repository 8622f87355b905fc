/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A record of executed send WQEs, for tests that compare drivers.
 */
#include "emu/queue/wqe_record.h"

#include <string.h>

#include "emu/control.h"

void emu_wqe_copy(struct emu_wqe_record *record, const struct emu_wqe *w)
{
	const size_t bytes = (size_t)w->n_ds * PRM_DS_BYTES;

	if (bytes > record->room - record->used) {
		record->room = record->used; /* no later, shorter one either */
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
