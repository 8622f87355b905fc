/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_OBJECT_H
#define EMU_FIRMWARE_OBJECT_H

#include "emu/base/dev.h"

/** struct emu_uctx - a user context; its number is the uid that isolates a program's objects */
struct emu_uctx {
	struct emu_obj obj;
	uint32_t cap; /* PRM_UCTX_CAP_RAW_TX or 0 */
};

/**
 * emu_describe_objects - write the number of objects per type to @line, such as "UAR 1, EQ 2"
 *
 * Return: the number of objects; @n_users receives how many of them have a uid other than 0
 */
unsigned emu_describe_objects(const struct emu *emu, char *line, size_t bytes, unsigned *n_users);

/** emu_type_name - name of a type for messages, such as "CQ" */
const char *emu_type_name(enum emu_type type);

/**
 * emu_use_object - find the object with number @id, or refuse the command
 * @field: name of the field with the number, for the message
 *
 * Return: the object, or NULL; the handler then returns PRM_STATUS_BAD_RES
 */
void *emu_use_object(struct emu *emu, enum emu_type type, const char *field, uint32_t id,
		     uint16_t uid);

/** emu_use_field - emu_use_object() with the number in @field of @layout */
#define emu_use_field(emu, type, layout, field, uid)                                               \
	emu_use_object((emu), (type), #field, (uint32_t)prm_get((layout), field), (uid))

/**
 * emu_make_object - allocate an object with emu_obj_new(), or refuse the command
 * @drop: called before the object is freed; NULL if the object refers to nothing
 *
 * A handler calls this as late as possible, because a later failure would have to free the object.
 *
 * Return: the object, or NULL; the handler then returns PRM_STATUS_LIM_ERR
 */
void *emu_make_object(struct emu *emu, enum emu_type type, uint16_t uid, size_t bytes,
		      emu_drop_fn *drop);

/** emu_destroy_object - free object @id; refuse if @uid owns no such object, or it is in use */
uint8_t emu_destroy_object(struct emu *emu, enum emu_type type, const char *field, uint32_t id,
			   uint16_t uid);

/** emu_destroy_field - emu_destroy_object() with the number in @field of @layout */
#define emu_destroy_field(emu, type, layout, field, uid)                                           \
	emu_destroy_object((emu), (type), #field, (uint32_t)prm_get((layout), field), (uid))

/** emu_release_all - free every object of the function, each after all that refer to it */
void emu_release_all(struct emu *emu);

/** emu_ref, emu_unref - add or remove a reference to @obj, which starts with emu_obj, or is NULL */
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
