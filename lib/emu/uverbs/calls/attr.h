/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_CALLS_ATTR_H
#define EMU_UVERBS_CALLS_ATTR_H

#include "emu/uverbs/calls/call.h"

/** uv_attr_find - find attribute @id of a call. Return: NULL if the user did not pass it */
struct uv_attr *uv_attr_find(struct uv_call *c, uint16_t id);
/**
 * uv_attr_get_bytes - contents of an IN attribute. Return: NULL if the user did not pass it
 * @bytes: receives the length; may be NULL
 */
void *uv_attr_get_bytes(struct uv_call *c, uint16_t id, size_t *bytes);
/** uv_attr_get_number - value of 1, 2, 4 or 8 bytes; @absent if the user did not pass it */
uint64_t uv_attr_get_number(struct uv_call *c, uint16_t id, uint64_t absent);
/**
 * uv_attr_get_flags - flags of 4 or 8 bytes; 0 if the user did not pass them
 *
 * Return: 0, or -EINVAL: wrong length, or a flag outside @allowed
 */
int uv_attr_get_flags(struct uv_call *c, uint16_t id, uint64_t allowed, uint64_t *flags);
/** uv_attr_get_obj - object of an IDR or FD attribute; NULL if the user did not pass it */
void *uv_attr_get_obj(struct uv_call *c, uint16_t id);
/**
 * uv_attr_write - write an OUT attribute; truncates @src to the length that the user passed
 *
 * Return: 0; -ENOENT: the user did not pass the attribute; -EFAULT: bad address
 */
int uv_attr_write(struct uv_call *c, uint16_t id, const void *src, size_t bytes);
/** uv_attr_write_struct - like uv_attr_write(), but also zero the rest of the user's buffer */
int uv_attr_write_struct(struct uv_call *c, uint16_t id, const void *src, size_t bytes);
/**
 * uv_attr_publish_obj - assign a handle to a complete object, and write it to attribute @id
 *
 * Return: 0, or -errno; a failure destroys the object
 */
int uv_attr_publish_obj(struct uv_call *c, uint16_t id, struct uv_obj *obj);
/** uv_attr_publish_fd - write the number @fd to attribute @id. Return: 0 or -EFAULT */
int uv_attr_publish_fd(struct uv_call *c, uint16_t id, int fd);

#endif
