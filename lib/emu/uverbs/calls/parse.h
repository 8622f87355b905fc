/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_CALLS_PARSE_H
#define EMU_UVERBS_CALLS_PARSE_H

#include "emu/uverbs/calls/call.h"

/**
 * uv_call_parse - check the attributes of a call against its method, and fetch what they name
 * @attrs: a copy of @user
 * @user: the user's, where outputs are marked later
 * @n: how many
 *
 * Return: 0 or -errno; either way uv_call_release() frees what was fetched
 */
int uv_call_parse(struct uv_call *c, const struct ib_uverbs_attr *attrs,
		  struct ib_uverbs_attr *user, unsigned n);
/** uv_call_release - free the copies of inputs */
void uv_call_release(struct uv_call *c);

#endif
