/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_CALLS_ATTR_H
#define EMU_UVERBS_CALLS_ATTR_H

#include "emu/uverbs/calls/call.h"

/** uv_attr_find - attribute @id if it came, else NULL */
struct uv_attr *uv_attr_find(struct uv_call *c, uint16_t id);
/** uv_attr_get_bytes - bytes of an IN attribute; NULL if it did not come */
void *uv_attr_get_bytes(struct uv_call *c, uint16_t id, size_t *bytes);
/** uv_attr_get_number - a number of 1, 2, 4 or 8 bytes; @absent if it did not come */
uint64_t uv_attr_get_number(struct uv_call *c, uint16_t id, uint64_t absent);
/** uv_attr_get_flags - flags: 0 if they did not come. Return: 0, or -EINVAL: not among @allowed */
int uv_attr_get_flags(struct uv_call *c, uint16_t id, uint64_t allowed, uint64_t *flags);
/** uv_attr_get_obj - object of an IDR or FD attribute; NULL if it did not come */
void *uv_attr_get_obj(struct uv_call *c, uint16_t id);
/**
 * uv_attr_write - fill an OUT attribute as far as it goes
 *
 * Return: 0, -ENOENT: it did not come, -EFAULT
 */
int uv_attr_write(struct uv_call *c, uint16_t id, const void *src, size_t bytes);
/** uv_attr_write_struct - as uv_attr_write, and zero what is left of the user's room */
int uv_attr_write_struct(struct uv_call *c, uint16_t id, const void *src, size_t bytes);
/**
 * uv_attr_publish_obj - give a finished object its handle and tell the user
 *
 * Return: 0; on failure -errno, and the object is destroyed
 */
int uv_attr_publish_obj(struct uv_call *c, uint16_t id, struct uv_obj *obj);
/** uv_attr_publish_fd - hand descriptor @fd to the user. Return: 0 or -EFAULT */
int uv_attr_publish_fd(struct uv_call *c, uint16_t id, int fd);

#endif
