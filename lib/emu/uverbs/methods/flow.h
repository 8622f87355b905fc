/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_METHODS_FLOW_H
#define EMU_UVERBS_METHODS_FLOW_H

#include <rdma/mlx5_user_ioctl_cmds.h>

#include "emu/uverbs/calls/call.h"

extern const struct uv_method uv_methods_matcher[], uv_methods_flow[];

enum { UV_MATCH_BYTES = sizeof(((struct mlx5_ib_match_params *)0)->match_params) };

/**
 * uv_copy_match - a mask or value of the user's, as far as the device has it
 *
 * Return: false if there is more. Linux takes up to 640 bytes, and copies them to where 512
 * are: it BUGs when a flow is made of them, and no good flow needs them.
 */
bool uv_copy_match(struct uv_call *c, uint16_t id, struct prm_fte_match_param *m);

#endif
