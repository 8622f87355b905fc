/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_UVERBS_VERBS_RIG_H
#define TESTS_UVERBS_VERBS_RIG_H

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>

#include "ct.h"
#include "needs_emu.h"
#include "prm/prm.h"

/**
 * DOC: Rig for tests of the uverbs front by unmodified libmlx5, without lib/devx
 *
 * The tests run on emu, and in a guest on the real kernel. Both must give the same answers.
 */

/**
 * verbs_rig_open - open the RDMA device to test
 * @devx: request DEVX
 *
 * The environment variable DEVX_TEST_IBDEV names the device; without it, the first one.
 *
 * Return: NULL on failure.
 */
struct ibv_context *verbs_rig_open(bool devx);
/** verbs_rig_open_again - open the device of @ctx. Return: a descriptor, or -1 with errno */
int verbs_rig_open_again(const struct ibv_context *ctx, int flags);
/** verbs_rig_read_counters - counters of port 0 of emu; all 0 on a real kernel */
struct devx_emu_counters verbs_rig_read_counters(void);
/**
 * verbs_rig_query_caps - read a page of capabilities (PRM_HCA_CAP_PAGE_*) as they are in use
 *
 * Return: the page, in @out
 */
const void *verbs_rig_query_caps(struct ibv_context *ctx, unsigned page,
				 struct prm_query_hca_cap_out *out);
/** verbs_rig_expect_nothing - expect that emu has no context, handle, flow or object of a user */
void verbs_rig_expect_nothing(void);

/** VERBS_RIG_CREATE - create a DEVX object by command @in. Return: NULL with errno on failure */
#define VERBS_RIG_CREATE(ctx, in, out)                                                             \
	mlx5dv_devx_obj_create((ctx), &(in), sizeof(in), &(out), sizeof(out))

/** verbs_rig_create_pd - create a PD by DEVX; @pdn receives its number. Return: NULL on failure */
struct mlx5dv_devx_obj *verbs_rig_create_pd(struct ibv_context *ctx, uint32_t *pdn);
/** verbs_rig_create_td - as verbs_rig_create_pd(), for a transport domain and its number @tdn */
struct mlx5dv_devx_obj *verbs_rig_create_td(struct ibv_context *ctx, uint32_t *tdn);

/** verbs_rig_map_shared - map memory of a new memfd. @fd receives it. Return: NULL on failure */
void *verbs_rig_map_shared(size_t bytes, int *fd);

/** struct verbs_rig_queue - a queue and its memory: ring, then doorbell record, in one umem */
struct verbs_rig_queue {
	int fd; /* file of the memory, which emu needs in a process that does not own the adapter */
	uint8_t *buf;
	size_t bytes;
	struct mlx5dv_devx_umem *umem;
	struct mlx5dv_devx_obj *obj;
	uint32_t number;
};
enum {
	VERBS_RIG_RING_BYTES = 4096,
	VERBS_RIG_DBR = VERBS_RIG_RING_BYTES,
	VERBS_RIG_LOG_CQ = 6,
	VERBS_RIG_LOG_SQ = 6
};

/** verbs_rig_alloc_queue - allocate and register the memory of a queue. Return: 0, or errno */
int verbs_rig_alloc_queue(struct ibv_context *ctx, struct verbs_rig_queue *q);
/** verbs_rig_close_queue - destroy the object of a queue, its umem and its memory */
void verbs_rig_close_queue(struct verbs_rig_queue *q);
/** verbs_rig_free_queue - free the memory of a queue that is destroyed */
void verbs_rig_free_queue(struct verbs_rig_queue *q);
/** verbs_rig_create_cq - create a CQ of 64 entries on UAR @uar. Return: 0, or errno */
int verbs_rig_create_cq(struct ibv_context *ctx, struct verbs_rig_queue *cq, uint32_t uar);

#endif
