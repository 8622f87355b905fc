/* SPDX-License-Identifier: BSD-3-Clause */
#include "verbs_rig.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct ibv_context *verbs_rig_open(bool devx)
{
	struct mlx5dv_context_attr attr = { .flags = devx ? MLX5DV_CONTEXT_FLAGS_DEVX : 0 };
	struct ibv_device **list = ibv_get_device_list(NULL);
	const char *name = getenv("DEVX_TEST_IBDEV");
	struct ibv_device **dev = list;
	struct ibv_context *ctx;

	while (name && dev && *dev && strcmp(name, ibv_get_device_name(*dev)))
		dev++;
	ctx = dev && *dev ? mlx5dv_open_device(*dev, &attr) : NULL;

	if (list)
		ibv_free_device_list(list);
	return ctx;
}

int verbs_rig_open_again(const struct ibv_context *ctx, int flags)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "/dev/infiniband/%s", ctx->device->dev_name);
	return open(path, flags);
}

struct devx_emu_counters verbs_rig_read_counters(void)
{
	struct devx_emu_counters c = { 0 };
	const struct devx_emu_ctl *emu = emu_if_any();

	if (emu)
		emu->counters(0, &c, sizeof(c));
	return c;
}

const void *verbs_rig_query_caps(struct ibv_context *ctx, unsigned page,
				 struct prm_query_hca_cap_out *out)
{
	struct prm_query_hca_cap_in in = { 0 };

	*out = (struct prm_query_hca_cap_out){ 0 };
	prm_set(&in, opcode, PRM_OP_query_hca_cap);
	prm_set(&in, op_mod, page << 1 | PRM_HCA_CAP_OP_MOD_CURRENT);
	EXPECT_EQ(0, mlx5dv_devx_general_cmd(ctx, &in, sizeof(in), out, sizeof(*out)));
	return &out->dw[prm_bit(out, capability) / 32];
}

struct mlx5dv_devx_obj *verbs_rig_create_pd(struct ibv_context *ctx, uint32_t *pdn)
{
	struct prm_alloc_pd_in in = { 0 };
	struct prm_alloc_pd_out out = { 0 };
	struct mlx5dv_devx_obj *obj;

	prm_set(&in, opcode, PRM_OP_alloc_pd);
	obj = VERBS_RIG_CREATE(ctx, in, out);
	*pdn = (uint32_t)prm_get(&out, pd);
	return obj;
}

struct mlx5dv_devx_obj *verbs_rig_create_td(struct ibv_context *ctx, uint32_t *tdn)
{
	struct prm_alloc_transport_domain_in in = { 0 };
	struct prm_alloc_transport_domain_out out = { 0 };
	struct mlx5dv_devx_obj *obj;

	prm_set(&in, opcode, PRM_OP_alloc_transport_domain);
	obj = VERBS_RIG_CREATE(ctx, in, out);
	*tdn = (uint32_t)prm_get(&out, transport_domain);
	return obj;
}

void *verbs_rig_map_shared(size_t bytes, int *fd)
{
	void *at = MAP_FAILED;

	*fd = memfd_create("verbs_rig", MFD_CLOEXEC);
	if (*fd >= 0 && !ftruncate(*fd, (off_t)bytes))
		at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	return at == MAP_FAILED ? NULL : at;
}

int verbs_rig_alloc_queue(struct ibv_context *ctx, struct verbs_rig_queue *q)
{
	q->bytes = 2 * VERBS_RIG_RING_BYTES;
	q->buf = verbs_rig_map_shared(q->bytes, &q->fd);
	if (!q->buf)
		return ENOMEM;
	memset(q->buf, 0xff, VERBS_RIG_RING_BYTES); /* CQEs have owner bit 1 */
	memset(q->buf + VERBS_RIG_DBR, 0, q->bytes - VERBS_RIG_DBR);
	q->umem = mlx5dv_devx_umem_reg(ctx, q->buf, q->bytes, IBV_ACCESS_LOCAL_WRITE);
	return q->umem ? 0 : errno;
}

void verbs_rig_free_queue(struct verbs_rig_queue *q)
{
	if (q->buf) {
		munmap(q->buf, q->bytes);
		close(q->fd);
	}
	*q = (struct verbs_rig_queue){ 0 };
}

void verbs_rig_close_queue(struct verbs_rig_queue *q)
{
	if (q->obj)
		EXPECT_EQ(0, mlx5dv_devx_obj_destroy(q->obj));
	if (q->umem)
		EXPECT_EQ(0, mlx5dv_devx_umem_dereg(q->umem));
	verbs_rig_free_queue(q);
}

int verbs_rig_create_cq(struct ibv_context *ctx, struct verbs_rig_queue *cq, uint32_t uar)
{
	struct prm_create_cq_in in = { 0 };
	struct prm_create_cq_out out = { 0 };
	struct prm_cqc *cqc = prm_sub(&in, cq_context);
	uint32_t eqn;
	int rc = verbs_rig_alloc_queue(ctx, cq);

	if (!rc)
		rc = mlx5dv_devx_query_eqn(ctx, 0, &eqn);
	if (rc)
		return rc;
	prm_set(&in, opcode, PRM_OP_create_cq);
	prm_set(&in, cq_umem_id, cq->umem->umem_id);
	prm_set(cqc, log_cq_size, VERBS_RIG_LOG_CQ);
	prm_set(cqc, uar_page, uar);
	prm_set(cqc, c_eqn_or_apu_element, eqn);
	prm_set(cqc, dbr_umem_id, cq->umem->umem_id);
	prm_set(cqc, dbr_addr, VERBS_RIG_DBR);
	cq->obj = VERBS_RIG_CREATE(ctx, in, out);
	cq->number = (uint32_t)prm_get(&out, cqn);
	return cq->obj ? 0 : errno;
}

void verbs_rig_expect_nothing(void)
{
	const struct devx_emu_counters c = verbs_rig_read_counters();

	EXPECT_EQ(0, c.contexts);
	EXPECT_EQ(0, c.handles);
	EXPECT_EQ(0, c.flows);
	for (int i = 0; i < DEVX_EMU_N_OBJECTS; i++) {
		SCOPED_TRACE("objects of type %d", i);
		EXPECT_EQ(0, c.objects[i]);
	}
}
