/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/methods/methods.h"

#include <errno.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <string.h>

#include "emu/uverbs/base/object.h"
#include "emu/uverbs/calls/attr.h"
#include "emu/uverbs/device/eq.h"
#include "emu/uverbs/events/event.h"
#include "emu/uverbs/files/file.h"
#include "emu/uverbs/objects/uar.h"
#include "prm/seg.h"

enum { CLOCK_PAGE = 4096, MLX5_NON_FP_BFREGS_PER_UAR = 2 }; /* Linux mlx5/device.h */

/* Source: Linux drivers/infiniband/hw/mlx5/main.c, set_ucontext_resp; rdma/mlx5-abi.h. */
static void fill_context_resp(const struct uv_dev *dev, struct mlx5_ib_alloc_ucontext_resp *r)
{
	*r = (struct mlx5_ib_alloc_ucontext_resp){
		.qp_tab_size = 1u << prm_get(&dev->general, log_max_qp),
		.bf_reg_size = uv_uar_combines_writes(dev)
				       ? 1u << prm_get(&dev->general, log_bf_reg_size)
				       : 0,
		.tot_bfregs = 0, /* a context contains no UARs; all of them are objects */
		.cache_line_size = 64,
		.max_sq_desc_sz = (__u16)prm_get(&dev->general, max_wqe_sz_sq),
		.max_rq_desc_sz = (__u16)prm_get(&dev->general, max_wqe_sz_rq),
		.max_send_wqebb = 1u << prm_get(&dev->general, log_max_qp_sz),
		.max_recv_wr = 1u << prm_get(&dev->general, log_max_qp_sz),
		.max_srq_recv_wr = 1u << prm_get(&dev->general, log_max_srq_sz),
		.num_ports = (__u16)prm_get(&dev->general, num_ports),
		.cqe_version = (__u8)prm_get(&dev->general, cqe_version),
		.cmds_supp_uhw = MLX5_USER_CMDS_SUPP_UHW_QUERY_DEVICE,
		.eth_min_inline = prm_get(&dev->eth, wqe_inline_mode) ==
						  PRM_ETH_CAP_WQE_INLINE_MODE_NOT_REQUIRED
					  ? MLX5_USER_INLINE_MODE_NONE
					  : MLX5_USER_INLINE_MODE_L2,
		.log_uar_size = 12,
		.num_uars_per_page = 1,
		.comp_mask = MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_CORE_CLOCK_OFFSET,
		.hca_core_clock_offset =
			offsetof(struct prm_init_seg, internal_timer_h) % CLOCK_PAGE,
	};
	r->response_length = sizeof(*r);
}

static int respond_context(struct uv_call *c, uint16_t vectors_id, uint16_t support_id,
			   uint16_t resp_id)
{
	const uint32_t n_vectors = UV_N_COMP_VECTORS;
	const uint64_t support = IB_UVERBS_CORE_SUPPORT_OPTIONAL_MR_ACCESS;
	struct mlx5_ib_alloc_ucontext_resp resp;
	int rc;

	fill_context_resp(c->dev, &resp);
	rc = uv_attr_write(c, vectors_id, &n_vectors, sizeof(n_vectors));
	if (!rc || rc == -ENOENT)
		rc = uv_attr_write(c, support_id, &support, sizeof(support));
	if (!rc || rc == -ENOENT)
		rc = uv_attr_write(c, resp_id, &resp, sizeof(resp));
	return rc == -ENOENT ? 0 : rc;
}

static int open_context(struct uv_call *c)
{
	struct mlx5_ib_alloc_ucontext_req_v2 req = { 0 };
	size_t bytes = 0;
	const void *uhw = uv_attr_get_bytes(c, UVERBS_ATTR_UHW_IN, &bytes);
	uint32_t n_registers;

	if (c->file->ready)
		return -EINVAL;
	if (bytes < offsetof(struct mlx5_ib_alloc_ucontext_req_v2, max_cqe_version))
		return -EINVAL;
	memcpy(&req, uhw, bytes < sizeof(req) ? bytes : sizeof(req));
	if (req.flags & ~(uint32_t)MLX5_IB_ALLOC_UCTX_DEVX || req.comp_mask || req.reserved0 ||
	    req.reserved1 || req.reserved2)
		return -EOPNOTSUPP;
	n_registers = (req.total_num_bfregs + MLX5_NON_FP_BFREGS_PER_UAR - 1) &
		      ~(MLX5_NON_FP_BFREGS_PER_UAR - 1);
	if (req.num_low_latency_bfregs > n_registers - 1)
		return -EINVAL;
	/* Every supported libmlx5 can allocate UARs as objects. */
	if (!(req.lib_caps & MLX5_LIB_CAP_DYN_UAR) || !(req.lib_caps & MLX5_LIB_CAP_4K_UAR))
		return -EOPNOTSUPP;
	return uv_context_open(c->file, req.flags & MLX5_IB_ALLOC_UCTX_DEVX);
}

static int get_context(struct uv_call *c)
{
	int rc = open_context(c);

	if (rc)
		return rc;
	rc = respond_context(c, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS,
			     UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, UVERBS_ATTR_UHW_OUT);
	if (rc)
		uv_context_close(c->file);
	return rc;
}

static int answer_write(struct uv_call *c, int async_fd)
{
	const struct ib_uverbs_get_context_resp core = { .async_fd = (unsigned)async_fd,
							 .num_comp_vectors = UV_N_COMP_VECTORS };
	struct mlx5_ib_alloc_ucontext_resp resp;
	int rc = uv_attr_write(c, UVERBS_ATTR_CORE_OUT, &core, sizeof(core));

	fill_context_resp(c->dev, &resp);
	if (!rc)
		rc = uv_attr_write(c, UVERBS_ATTR_UHW_OUT, &resp, sizeof(resp));
	return rc == -ENOENT ? 0 : rc;
}

/*
 * Opens a context and its asynchronous event file. libibverbs of rdma-core 57 and later falls back
 * to this command when method GET_CONTEXT refuses attribute FD_ARR, as in Linux 6.12.
 */
int uv_write_get_context(struct uv_write *w)
{
	struct uv_call *c = w->call;
	struct uv_channel *ch;
	int fd, rc = open_context(c);

	if (rc)
		return rc;
	rc = uv_channel_open(c->file, &uv_type_async, UV_QUEUE_ASYNC, &ch, &fd);
	if (rc) {
		uv_context_close(c->file);
		return rc;
	}
	rc = uv_obj_add(&ch->obj);
	if (!rc)
		rc = answer_write(c, fd);
	if (rc) {
		uv_channel_discard(ch, fd);
		uv_context_close(c->file);
	}
	return rc;
}

static int query_context(struct uv_call *c)
{
	return respond_context(c, UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS,
			       UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT,
			       MLX5_IB_ATTR_QUERY_CONTEXT_RESP_UCTX);
}

const struct uv_method uv_methods_context[] = {
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT, .no_context = true, .run = get_context,
	  .attrs = { { UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, UV_OUT, .min = 4, .max = 4,
		       UV_OPTIONAL },
		     { UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, UV_OUT, .min = 8, .max = 8,
		       UV_OPTIONAL },
		     UV_ATTR_UHW } },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_CONTEXT, .run = query_context,
	  .attrs = { { UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS, UV_OUT, .min = 4, .max = 4,
		       UV_OPTIONAL },
		     { UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT, UV_OUT, .min = 8, .max = 8,
		       UV_OPTIONAL },
		     UV_ATTR_OUT_MIN(
			     MLX5_IB_ATTR_QUERY_CONTEXT_RESP_UCTX,
			     offsetof(struct mlx5_ib_alloc_ucontext_resp, dump_fill_mkey)) } },
	{ .run = NULL },
};
