/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_OBJECTS_CQ_H
#define EMU_UVERBS_OBJECTS_CQ_H

#include <rdma/mlx5-abi.h>

#include "emu/uverbs/events/channel.h"
#include "emu/uverbs/memory/pin.h"

/* Limits of CQ moderation; Linux: MLX5_MAX_CQ_COUNT, MLX5_MAX_CQ_PERIOD. */
enum { UV_MAX_CQ_COUNT = (1 << 16) - 1, UV_MAX_CQ_PERIOD = (1 << 12) - 1 };

/** struct uv_cq - a verbs CQ */
struct uv_cq {
	struct uv_obj obj;
	struct uv_pin ring, dbr;
	struct uv_channel *channel; /* or NULL; channel->obj.users counts this CQ */
	bool made;                  /* exists in firmware */
	uint32_t cqn, n_cqes;
};

extern const struct uv_type uv_type_cq;

/**
 * uv_cq_make - send CREATE_CQ for the pinned ring and doorbell record of @cq
 *
 * Return: 0, -ENOMEM, or firmware's status as -errno
 */
int uv_cq_make(struct uv_cq *cq, const struct mlx5_ib_create_cq *u, int eqn, uint32_t flags);
/**
 * uv_cq_subscribe - subscribe the CQ's channel to completion events; without a channel do nothing
 * @cookie: content of each message
 *
 * Return: 0 or -ENOMEM
 */
int uv_cq_subscribe(struct uv_cq *cq, uint64_t cookie);

/** uv_cq_get_number - return the number that firmware uses for a verbs CQ */
uint32_t uv_cq_get_number(const struct uv_obj *obj);

#endif
