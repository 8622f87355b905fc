/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_METHODS_FLOW_H
#define EMU_UVERBS_METHODS_FLOW_H

#include "emu/uverbs/methods/methods.h"

enum { UV_MATCH_BYTES = sizeof(((struct mlx5_ib_match_params *)0)->match_params) };

/** struct uv_matcher - a mask and a priority */
struct uv_matcher {
	struct uv_obj obj;
	struct prm_fte_match_param mask;
	uint16_t priority;
	uint8_t criteria_enable;
	uint8_t flow_type;
	uint32_t table_type;        /* enum mlx5_ib_uapi_flow_table_type */
	bool usable;                /* by flows: see uv_copy_match */
};

/**
 * uv_copy_match - a mask or value of the user's, as far as the device has it
 *
 * Return: false if there is more. Linux takes up to 640 bytes, and copies them to where 512
 * are: it BUGs when a flow is made of them, and no good flow needs them.
 */
bool uv_copy_match(struct uv_call *c, uint16_t id, struct prm_fte_match_param *m);

#endif
