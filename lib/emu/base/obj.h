/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_OBJ_H
#define EMU_BASE_OBJ_H

#include <stdint.h>

#include "emu/emu.h"
#include "prm/prm.h"

/**
 * DOC: Firmware objects
 *
 * Each type has a table. An object starts with struct emu_obj: the uid of its creator, and the
 * number of objects that refer to it. DESTROY fails with BAD_RES_STATE while refs is not 0.
 * The numbers of most types start high, and a table reuses a number as late as possible. This
 * catches a driver that keeps a stale number or stores only 16 bits.
 */

struct emu_obj;

/** emu_drop_fn - release the references and memory of an object, just before it is freed */
typedef void emu_drop_fn(struct emu *emu, struct emu_obj *obj);

struct emu_obj {
	uint32_t id;
	uint16_t uid;
	uint8_t type; /* enum emu_type */
	uint32_t refs;
	emu_drop_fn *drop; /* NULL if the object refers to nothing */
};

/**
 * struct emu_table - objects of one type
 *
 * An object is in slot (number - first_id) % n_slots. The size of the table thus depends on how
 * many objects exist at a time, not on how large their numbers are.
 */
struct emu_table {
	struct emu_obj **slot;
	uint32_t n_slots; /* a power of two, or 0 */
	uint32_t n_used;
	uint32_t next;          /* number - first_id of the next object, if its slot is free */
	uint32_t first_id, max; /* numbers run from first_id to first_id + max - 1 */
};

/**
 * emu_obj_new - allocate a zeroed object and give it a number
 * @emu: the function
 * @type: type of the object
 * @uid: user context that owns the object; 0 is the kernel
 * @bytes: size of the struct that starts with struct emu_obj
 *
 * Return: the object, or NULL if the limit of the type is reached or memory is exhausted
 */
void *emu_obj_new(struct emu *emu, enum emu_type type, uint16_t uid, size_t bytes);

/** emu_obj_free - remove an object from its table and free it; its refs must be 0 */
void emu_obj_free(struct emu *emu, struct emu_obj *obj);

/**
 * emu_obj_find - find an object by its number, for a command of @uid
 *
 * Return: the object, or NULL if no object has the number or @uid may not use it. uid 0 (the
 * kernel) may use every object. Any other uid may use its own objects, and the UARs, EQs and queue
 * counters of the kernel. RQs of users refer to mlx5_ib's counter (mlx5_ib_modify_wq).
 */
void *emu_obj_find(struct emu *emu, enum emu_type type, uint32_t id, uint16_t uid);

/** emu_obj_at - find an object by its number, whatever its uid; fast enough for the data path */
static inline void *emu_obj_at(const struct emu_table *t, uint32_t id)
{
	struct emu_obj *obj = NULL;

	if (t->n_slots)
		obj = t->slot[(id - t->first_id) & (t->n_slots - 1)];
	return obj && obj->id == id ? obj : NULL;
}

#endif
