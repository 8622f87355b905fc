/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_OBJECT_H
#define EMU_FIRMWARE_OBJECT_H

#include "emu/base/dev.h"

/** struct emu_uctx - a user context: the uid that isolates a program's objects */
struct emu_uctx {
	struct emu_obj obj; /* its number is the uid */
	uint32_t cap;       /* PRM_UCTX_CAP_RAW_TX */
};

/**
 * emu_describe_objects - what objects there are, "UAR 1, EQ 2"
 *
 * Return: how many; @n_users of them are not of uid 0
 */
unsigned emu_describe_objects(const struct emu *emu, char *line, size_t bytes, unsigned *n_users);

/** emu_type_name - "CQ" */
const char *emu_type_name(enum emu_type type);

/** emu_use_object - emu_obj_find(), or refuse: the handler returns PRM_STATUS_BAD_RES then */
void *emu_use_object(struct emu *emu, enum emu_type type, uint32_t id, uint16_t uid);

/**
 * emu_make_object - emu_obj_new(), or refuse: the handler returns PRM_STATUS_LIM_ERR then
 * @drop: called before the object is freed; NULL: it refers to nothing
 *
 * Call it last, when nothing else can fail: an object that exists is whole.
 */
void *emu_make_object(struct emu *emu, enum emu_type type, uint16_t uid, size_t bytes,
		      emu_drop_fn *drop);

/** emu_destroy_object - free an object that nothing refers to, and drop what it refers to */
uint8_t emu_destroy_object(struct emu *emu, enum emu_type type, uint32_t id, uint16_t uid);

/** emu_release_all - power off: destroy every object, users before what they use */
void emu_release_all(struct emu *emu);

/** emu_ref - count a reference; NULL is none. Both return or take what embeds struct emu_obj */
static inline void emu_ref(void *obj)
{
	if (obj)
		((struct emu_obj *)obj)->refs++;
}
static inline void emu_unref(void *obj)
{
	if (obj)
		((struct emu_obj *)obj)->refs--;
}

#endif
