/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_CQ_H
#define EMU_UVERBS_OBJECTS_CQ_H

#include <rdma/mlx5-abi.h>

#include "emu/uverbs/events/channel.h"
#include "emu/uverbs/memory/pin.h"

/* Linux: MLX5_MAX_CQ_COUNT, MLX5_MAX_CQ_PERIOD */
enum { UV_MAX_CQ_COUNT = (1 << 16) - 1, UV_MAX_CQ_PERIOD = (1 << 12) - 1 };

/** struct uv_cq - a verbs CQ */
struct uv_cq {
	struct uv_obj obj;
	struct uv_pin ring, dbr;
	struct uv_channel *channel; /* counted in channel->obj.users */
	bool made;
	uint32_t cqn, n_cqes;
};

extern const struct uv_type uv_type_cq;

/** uv_cq_make - CREATE_CQ over the pins of @cq. Return: 0, -ENOMEM, firmware's */
int uv_cq_make(struct uv_cq *cq, const struct mlx5_ib_create_cq *u, int eqn, uint32_t flags);
/** uv_cq_subscribe - completions go to the CQ's channel, if it has one. Return: 0 or -ENOMEM */
int uv_cq_subscribe(struct uv_cq *cq, uint64_t cookie);

/** uv_cq_get_number - firmware's number of a verbs CQ */
uint32_t uv_cq_get_number(const struct uv_obj *obj);

#endif
