/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/obj.h"

#include <stdlib.h>
#include <string.h>

#include "emu/base/dev.h"

enum { FIRST_SLOTS = 64 };

static bool grow_table(struct emu_table *t)
{
	uint32_t n = t->n_slots ? t->n_slots * 2 : FIRST_SLOTS;
	struct emu_obj **slot;

	if (n > t->max)
		n = t->max;
	slot = realloc(t->slot, n * sizeof(*slot));
	if (!slot)
		return false;
	memset(slot + t->n_slots, 0, (n - t->n_slots) * sizeof(*slot));
	t->slot = slot;
	t->n_slots = n;
	return true;
}

/* Finds the next free slot after the last one used, and starts over only when all were used. */
static bool pick_slot(struct emu_table *t, uint32_t *at)
{
	if (t->n_used >= t->max)
		return false;
	if (t->next >= t->n_slots && t->n_slots < t->max && !grow_table(t))
		return false;
	for (uint32_t k = 0; k < t->n_slots; k++) {
		*at = (t->next + k) % t->n_slots;
		if (!t->slot[*at])
			return true;
	}
	return false;
}

void *emu_obj_new(struct emu *emu, enum emu_type type, uint16_t uid, size_t bytes)
{
	struct emu_table *t = &emu->table[type];
	struct emu_obj *obj;
	uint32_t at;

	if (!pick_slot(t, &at))
		return NULL;
	obj = calloc(1, bytes);
	if (!obj)
		return NULL;
	*obj = (struct emu_obj){ .id = t->first_id + at, .uid = uid, .type = type };
	t->slot[at] = obj;
	t->n_used++;
	t->next = at + 1;
	return obj;
}

void emu_obj_free(struct emu *emu, struct emu_obj *obj)
{
	struct emu_table *t = &emu->table[obj->type];

	t->slot[obj->id - t->first_id] = NULL;
	t->n_used--;
	free(obj);
}

void *emu_obj_find(struct emu *emu, enum emu_type type, uint32_t id, uint16_t uid)
{
	struct emu_obj *obj = emu_obj_at(&emu->table[type], id);

	if (!obj || uid == 0 || obj->uid == uid)
		return obj;
	return obj->uid == 0 && (type == EMU_UAR || type == EMU_EQ) ? obj : NULL;
}
