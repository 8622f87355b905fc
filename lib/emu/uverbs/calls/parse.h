/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_CALLS_PARSE_H
#define EMU_UVERBS_CALLS_PARSE_H

#include "emu/uverbs/calls/call.h"

/**
 * uv_call_parse - check the attributes of a call, copy its inputs and find its objects
 * @attrs: copy of the array @user
 * @user: array in user memory, in which uv_attr_write() later marks outputs as valid
 * @n: number of attributes
 *
 * Return: 0 or -errno; call uv_call_release() after both
 */
int uv_call_parse(struct uv_call *c, const struct ib_uverbs_attr *attrs,
		  struct ib_uverbs_attr *user, unsigned n);
/** uv_call_release - free the copies of inputs that uv_call_parse() made */
void uv_call_release(struct uv_call *c);

#endif
