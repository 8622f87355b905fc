/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_OBJ_H
#define EMU_BASE_OBJ_H

#include <stdint.h>

#include "emu/emu.h"
#include "prm/prm.h"

/**
 * DOC: Firmware objects
 *
 * One table a type. An object embeds struct emu_obj first, carries the uid that created it
 * and counts the objects that refer to it: while refs is not 0 it cannot be destroyed
 * (BAD_RES_STATE). Numbers start high and are reused as late as possible, so that a driver
 * that keeps a stale number, or assumes 16 bits, is caught.
 */

struct emu_obj;

/** emu_drop_fn - what a type does before its object is freed: give back what it refers to */
typedef void emu_drop_fn(struct emu *emu, struct emu_obj *obj);

struct emu_obj {
	uint32_t id;
	uint16_t uid;
	uint8_t type; /* enum emu_type */
	uint32_t refs;
	emu_drop_fn *drop; /* or NULL: it refers to nothing */
};

/** struct emu_table - objects of one type by number */
struct emu_table {
	struct emu_obj **slot;
	uint32_t n_slots, n_used, next;
	uint32_t first_id, max; /* numbers are first_id .. first_id + max - 1 */
};

/**
 * emu_obj_new - allocate a zeroed object and give it a number
 * @emu: the function
 * @type: what it is
 * @uid: whose it is
 * @bytes: size of the struct that starts with struct emu_obj
 *
 * Return: the object, or NULL when the type's limit or memory is exhausted (LIM_ERR)
 */
void *emu_obj_new(struct emu *emu, enum emu_type type, uint16_t uid, size_t bytes);

/** emu_obj_free - take it out of its table and free it; refs must be 0 */
void emu_obj_free(struct emu *emu, struct emu_obj *obj);

/**
 * emu_obj_find - by number
 *
 * Return: the object, or NULL if there is none or @uid may not use it. uid 0 (the kernel)
 * uses everything; others their own, and the kernel's UARs and EQs.
 */
void *emu_obj_find(struct emu *emu, enum emu_type type, uint32_t id, uint16_t uid);

/** emu_obj_at - by number, whoever owns it; for the data path. One bounds check and a load */
static inline void *emu_obj_at(const struct emu_table *t, uint32_t id)
{
	const uint32_t i = id - t->first_id;

	return i < t->n_slots ? t->slot[i] : NULL;
}

#endif
