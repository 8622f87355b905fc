/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_METHODS_FLOW_H
#define EMU_UVERBS_METHODS_FLOW_H

#include <rdma/mlx5_user_ioctl_cmds.h>

#include "emu/uverbs/calls/call.h"

extern const struct uv_method uv_methods_matcher[], uv_methods_flow[];

enum { UV_MATCH_BYTES = sizeof(((struct mlx5_ib_match_params *)0)->match_params) };

/**
 * uv_copy_match - copy a match mask or value, attribute @id, to @m
 *
 * Linux accepts up to 640 bytes, and crashes when a flow copies more than 512 of them into its
 * match structure. emu refuses such a flow; a valid flow needs 512 bytes at most.
 *
 * Return: false if the attribute is longer than *@m, whose 512 bytes are copied all the same
 */
bool uv_copy_match(struct uv_call *c, uint16_t id, struct prm_fte_match_param *m);

#endif
