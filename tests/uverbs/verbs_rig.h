/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_UVERBS_VERBS_RIG_H
#define TESTS_UVERBS_VERBS_RIG_H

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>

#include "ct.h"
#include "needs_emu.h"
#include "prm/prm.h"

/**
 * DOC: unmodified libmlx5, without lib/devx
 *
 * On emu, or on the kernel in a guest, whose answers are those that emu has to give.
 */

/** rig_open - open port 0. @devx: with a DEVX context. Return: the context, or NULL */
struct ibv_context *rig_open(bool devx);
/** rig_counters - of port 0 of emu; beside a kernel all zero */
struct devx_emu_counters rig_counters(void);

/** rig_create - DEVX object of a command whose head is filled in. NULL: errno */
#define RIG_CREATE(ctx, in, out) \
	mlx5dv_devx_obj_create((ctx), &(in), sizeof(in), &(out), sizeof(out))

/** rig_pd - a DEVX protection domain; @pdn receives its number */
struct mlx5dv_devx_obj *rig_pd(struct ibv_context *ctx, uint32_t *pdn);
/** rig_td - a transport domain */
struct mlx5dv_devx_obj *rig_td(struct ibv_context *ctx, uint32_t *tdn);

/** struct rig_queue - memory of a queue: ring, then doorbell record, in one umem */
struct rig_queue {
	uint8_t *buf;
	size_t bytes;
	struct mlx5dv_devx_umem *umem;
	struct mlx5dv_devx_obj *obj;
	uint32_t number;
};
enum { RIG_RING_BYTES = 4096, RIG_DBR = RIG_RING_BYTES, RIG_LOG_CQ = 6, RIG_LOG_SQ = 6 };

int rig_queue_memory(struct ibv_context *ctx, struct rig_queue *q);
void rig_queue_close(struct rig_queue *q);
/** rig_cq - a CQ of 64 entries. Return: 0, or errno */
int rig_cq(struct ibv_context *ctx, struct rig_queue *cq, uint32_t uar);

#endif
