/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/obj.h"

#include <stdlib.h>
#include <string.h>

#include "emu/base/dev.h"

enum { FIRST_SLOTS = 64 };

/* Doubles the number of slots. Objects in different slots stay in different slots. */
static bool grow_table(struct emu_table *t)
{
	const uint32_t n = t->n_slots ? t->n_slots * 2 : FIRST_SLOTS;
	struct emu_obj **slot = calloc(n, sizeof(*slot));

	if (!slot)
		return false;
	for (uint32_t i = 0; i < t->n_slots; i++)
		if (t->slot[i])
			slot[(t->slot[i]->id - t->first_id) & (n - 1)] = t->slot[i];
	free(t->slot);
	t->slot = slot;
	t->n_slots = n;
	return true;
}

/*
 * Picks the first number with a free slot, after the one that the previous object received. A
 * long-lived object thus blocks all numbers of its slot. The search is short: half of the slots are
 * free, or each number has its own slot.
 */
static bool pick_number(struct emu_table *t, uint32_t *number)
{
	if (t->n_used >= t->max)
		return false;
	if (t->n_used >= t->n_slots / 2 && t->n_slots < t->max && !grow_table(t))
		return false;
	for (uint32_t k = 0; k < t->max; k++) {
		*number = (uint32_t)(((uint64_t)t->next + k) % t->max);
		if (!t->slot[*number & (t->n_slots - 1)])
			return true;
	}
	return false;
}

void *emu_obj_new(struct emu *emu, enum emu_type type, uint16_t uid, size_t bytes)
{
	struct emu_table *t = &emu->table[type];
	struct emu_obj *obj;
	uint32_t number;

	if (!pick_number(t, &number))
		return NULL;
	obj = calloc(1, bytes);
	if (!obj)
		return NULL;
	*obj = (struct emu_obj){ .id = t->first_id + number, .uid = uid, .type = type };
	t->slot[number & (t->n_slots - 1)] = obj;
	t->n_used++;
	t->next = number + 1;
	return obj;
}

void emu_obj_free(struct emu *emu, struct emu_obj *obj)
{
	struct emu_table *t = &emu->table[obj->type];

	t->slot[(obj->id - t->first_id) & (t->n_slots - 1)] = NULL;
	t->n_used--;
	free(obj);
}

void *emu_obj_find(struct emu *emu, enum emu_type type, uint32_t id, uint16_t uid)
{
	struct emu_obj *obj = emu_obj_at(&emu->table[type], id);

	if (!obj || uid == 0 || obj->uid == uid)
		return obj;
	return obj->uid == 0 && (type == EMU_UAR || type == EMU_EQ || type == EMU_Q_COUNTER) ? obj
											     : NULL;
}
