/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Methods of the device: contexts, port, GIDs.
 */
#include "emu/uverbs/methods/device.h"

#include <errno.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <string.h>

#include "emu/uverbs/calls/attr.h"
#include "emu/uverbs/device/eq.h"
#include "emu/uverbs/files/context.h"
#include "emu/uverbs/objects/uar.h"

enum { MLX5_NON_FP_BFREGS_PER_UAR = 2 }; /* Linux mlx5/device.h */

/* ---- contexts -------------------------------------------------------------------- */

/* Source: Linux drivers/infiniband/hw/mlx5/main.c, set_ucontext_resp; rdma/mlx5-abi.h. */
static void fill_context_resp(const struct uv_dev *dev, struct mlx5_ib_alloc_ucontext_resp *r)
{
	*r = (struct mlx5_ib_alloc_ucontext_resp){
		.qp_tab_size = 1u << prm_get(&dev->general, log_max_qp),
		.bf_reg_size = uv_uar_combines_writes(dev)
				       ? 1u << prm_get(&dev->general, log_bf_reg_size)
				       : 0,
		.tot_bfregs = 0, /* no UARs in the context itself: all of them are objects */
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

static int get_context(struct uv_call *c)
{
	struct mlx5_ib_alloc_ucontext_req_v2 req = { 0 };
	size_t bytes = 0;
	const void *uhw = uv_attr_get_bytes(c, UVERBS_ATTR_UHW_IN, &bytes);
	uint32_t n_registers;
	int rc;

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
	/* Refuses a library that cannot allocate UARs as objects; every supported libmlx5 can. */
	if (!(req.lib_caps & MLX5_LIB_CAP_DYN_UAR) || !(req.lib_caps & MLX5_LIB_CAP_4K_UAR))
		return -EOPNOTSUPP;
	rc = uv_context_open(c->file, req.flags & MLX5_IB_ALLOC_UCTX_DEVX);
	if (rc)
		return rc;
	rc = respond_context(c, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS,
			     UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, UVERBS_ATTR_UHW_OUT);
	if (rc)
		uv_context_close(c->file);
	return rc;
}

static int query_context(struct uv_call *c)
{
	return respond_context(c, UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS,
			       UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT,
			       MLX5_IB_ATTR_QUERY_CONTEXT_RESP_UCTX);
}

/* ---- port ------------------------------------------------------------------------ */

/*
 * Returns the code of the largest RoCE MTU that fits into the port's MTU with all headers, at least
 * the code of 256 bytes.
 * Source: InfiniBand specification, PortInfo.
 */
static uint8_t encode_mtu(uint16_t mtu)
{
	enum { ROCE_HEADERS = 84, MTU_256 = 1, MTU_4096 = 5 };
	uint8_t code = MTU_256;

	while (code < MTU_4096 && (256u << code) + ROCE_HEADERS <= mtu)
		code++;
	return code;
}

static int query_port(struct uv_call *c)
{
	enum {
		ACTIVE = 4,
		DOWN = 1,
		PHYS_UP = 5,
		PHYS_DISABLED = 3,
		MTU_4096 = 5,
		WIDTH_4X = 2,
		SPEED_EDR = 32,
		ETHERNET = 2
	};
	struct ib_uverbs_query_port_resp_ex resp = { 0 };
	struct emu_link link;

	if (uv_attr_get_number(c, UVERBS_ATTR_QUERY_PORT_PORT_NUM, 0) != 1)
		return -EINVAL;
	emu_get_link(c->dev->emu, &link);
	resp.legacy_resp = (struct ib_uverbs_query_port_resp){
		.max_msg_sz = 1u << prm_get(&c->dev->general, log_max_msg),
		.pkey_tbl_len = 1,
		.state = link.up ? ACTIVE : DOWN,
		.max_mtu = MTU_4096,
		.active_mtu = encode_mtu(link.mtu),
		.active_width = WIDTH_4X,
		.active_speed = SPEED_EDR,
		.phys_state = link.up ? PHYS_UP : PHYS_DISABLED,
		.link_layer = ETHERNET,
	};
	return uv_attr_write_struct(c, UVERBS_ATTR_QUERY_PORT_RESP, &resp, sizeof(resp));
}

/* Answers mlx5's QUERY_PORT with 0 in every field: emu has no eswitch to report. */
static int query_vport(struct uv_call *c)
{
	const struct mlx5_ib_uapi_query_port resp = { 0 };

	if (uv_attr_get_number(c, MLX5_IB_ATTR_QUERY_PORT_PORT_NUM, 0) != 1)
		return -EINVAL;
	return uv_attr_write_struct(c, MLX5_IB_ATTR_QUERY_PORT, &resp, sizeof(resp));
}

/* ---- GIDs ------------------------------------------------------------------------ */

/* Refuses every index: a port without RoCE has no GIDs. */
static int query_gid_entry(struct uv_call *c)
{
	(void)c;
	return -EINVAL;
}

static int query_gid_table(struct uv_call *c)
{
	static const uint64_t n;
	uint64_t flags;
	const int rc = uv_attr_get_flags(c, UVERBS_ATTR_QUERY_GID_TABLE_FLAGS, 0, &flags);

	if (rc)
		return rc;
	/* Only one entry size exists today. ib_core would pad or cut entries of other sizes. */
	if (uv_attr_get_number(c, UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE, 0) !=
		    sizeof(struct ib_uverbs_gid_entry) ||
	    uv_attr_find(c, UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES)->bytes <
		    sizeof(struct ib_uverbs_gid_entry))
		return -EINVAL;
	return uv_attr_write(c, UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, &n, sizeof(n));
}

const struct uv_method uv_methods_device[] = {
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
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT, .run = query_port,
	  .attrs = { UV_ATTR_CONST(UVERBS_ATTR_QUERY_PORT_PORT_NUM),
		     UV_ATTR_OUT_MIN(UVERBS_ATTR_QUERY_PORT_RESP,
				     sizeof(struct ib_uverbs_query_port_resp)) } },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_ENTRY, .run = query_gid_entry,
	  .attrs = { UV_ATTR_CONST(UVERBS_ATTR_QUERY_GID_ENTRY_PORT),
		     UV_ATTR_CONST(UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX),
		     UV_ATTR_FLAGS(UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS),
		     UV_ATTR_OUT_MIN(UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY,
				     sizeof(struct ib_uverbs_gid_entry)) } },
	{ UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_TABLE, .run = query_gid_table,
	  .attrs = { UV_ATTR_CONST(UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE),
		     UV_ATTR_OPT_FLAGS(UVERBS_ATTR_QUERY_GID_TABLE_FLAGS),
		     UV_ATTR_OUT_MIN(UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES, 0),
		     UV_ATTR_OUT(UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, 8) } },
	{ UVERBS_OBJECT_DEVICE, MLX5_IB_METHOD_QUERY_PORT, .run = query_vport,
	  .attrs = { UV_ATTR_IN(MLX5_IB_ATTR_QUERY_PORT_PORT_NUM, 4),
		     UV_ATTR_OUT_MIN(MLX5_IB_ATTR_QUERY_PORT, sizeof(uint64_t)) } },
	{ .run = NULL },
};
