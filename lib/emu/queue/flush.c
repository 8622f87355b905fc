/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/queue/flush.h"

#include <stdlib.h>

#include "emu/base/clock.h"
#include "emu/base/profile.h"

static void write_cqe(struct emu *emu, const struct emu_flush *f)
{
	emu_cq_push_error(
		emu, f->cq,
		(struct emu_cq_error){ .user_index = f->user_index, .syndrome = PRM_SYND_WR_FLUSH },
		f->tail);
}

void emu_flush_add(struct emu *emu, const struct emu_flush *f)
{
	const uint64_t late_ns = 1000ull * emu->profile->options.late_flush_us;
	struct emu_flush *late = late_ns ? malloc(sizeof(*late)) : NULL;
	if (!late) {
		write_cqe(emu, f);
		return;
	}
	*late = *f;
	late->next = NULL;
	late->due_ns = emu_clock_read(emu->adapter) + late_ns;
	if (emu->flushes)
		emu->last_flush->next = late;
	else
		emu->flushes = late;
	emu->last_flush = late;
}

void emu_flush_write_due(struct emu *emu)
{
	struct emu_flush *f;

	while ((f = emu->flushes) && f->due_ns <= emu->adapter->now_ns) {
		emu->flushes = f->next;
		write_cqe(emu, f);
		free(f);
	}
}

uint64_t emu_flush_find_due(const struct emu *emu, uint64_t due_ns)
{
	return emu->flushes && emu->flushes->due_ns < due_ns ? emu->flushes->due_ns : due_ns;
}

void emu_flush_forget(struct emu *emu, const struct emu_obj *queue)
{
	struct emu_flush **at = &emu->flushes, *f;

	while ((f = *at)) {
		if (f->queue != queue) {
			emu->last_flush = f;
			at = &f->next;
			continue;
		}
		*at = f->next;
		free(f);
	}
}
