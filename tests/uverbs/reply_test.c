/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies that the kernel fills from the capabilities of the device: each field has the value of
 * its capability. Linux and emu answer alike.
 */
#include <errno.h>
#include <fcntl.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "prm/seg.h"
#include "verbs_rig.h"

FIXTURE(reply)
{
	struct ibv_context *ctx;
	struct prm_query_hca_cap_out general_out, eth_out, qos_out;
	const struct prm_cmd_hca_cap *general;
	const struct prm_per_protocol_networking_offload_caps *eth;
	const struct prm_qos_cap *qos;
};

FIXTURE_SETUP(reply)
{
	self->ctx = verbs_rig_open(true);
	ASSERT_NE(NULL, self->ctx);
	self->general =
		verbs_rig_query_caps(self->ctx, PRM_HCA_CAP_PAGE_GENERAL, &self->general_out);
	self->eth =
		verbs_rig_query_caps(self->ctx, PRM_HCA_CAP_PAGE_ETHERNET_OFFLOADS, &self->eth_out);
	self->qos = verbs_rig_query_caps(self->ctx, PRM_HCA_CAP_PAGE_QOS, &self->qos_out);
}

FIXTURE_TEARDOWN(reply)
{
	if (self->ctx)
		EXPECT_EQ(0, ibv_close_device(self->ctx));
}

/* ---- contexts ------------------------------------------------------------------------------ */

struct call {
	struct ib_uverbs_ioctl_hdr hdr;
	struct ib_uverbs_attr attr[5];
};

static struct call make_call(uint16_t object, uint16_t method)
{
	return (struct call){ .hdr = { .length = sizeof(struct ib_uverbs_ioctl_hdr),
				       .object_id = object,
				       .method_id = method,
				       .driver_id = RDMA_DRIVER_MLX5 } };
}

static void add_attr(struct call *c, uint16_t id, const void *data, size_t bytes)
{
	c->attr[c->hdr.num_attrs++] = (struct ib_uverbs_attr){ .attr_id = id,
							       .len = (uint16_t)bytes,
							       .data = (uintptr_t)data };
	c->hdr.length += sizeof(c->attr[0]);
}

static void expect_context(struct ct_fix_reply *self, const struct mlx5_ib_alloc_ucontext_resp *r)
{
	const struct prm_cmd_hca_cap *cap = self->general;
	const bool none =
		prm_get(self->eth, wqe_inline_mode) == PRM_ETH_CAP_WQE_INLINE_MODE_NOT_REQUIRED;

	EXPECT_EQ(1u << prm_get(cap, log_max_qp), r->qp_tab_size);
	if (r->bf_reg_size || emu_if_any()) /* 0: the machine does not combine writes */
		EXPECT_EQ(1u << prm_get(cap, log_bf_reg_size), r->bf_reg_size);
	EXPECT_EQ(64, r->cache_line_size);
	EXPECT_EQ(prm_get(cap, max_wqe_sz_sq), r->max_sq_desc_sz);
	EXPECT_EQ(prm_get(cap, max_wqe_sz_rq), r->max_rq_desc_sz);
	EXPECT_EQ(1u << prm_get(cap, log_max_qp_sz), r->max_send_wqebb);
	EXPECT_EQ(1u << prm_get(cap, log_max_qp_sz), r->max_recv_wr);
	EXPECT_EQ(1u << prm_get(cap, log_max_srq_sz), r->max_srq_recv_wr);
	EXPECT_EQ(prm_get(cap, num_ports), r->num_ports);
	EXPECT_EQ(prm_get(cap, cqe_version), r->cqe_version);
	EXPECT_TRUE(r->cmds_supp_uhw & MLX5_USER_CMDS_SUPP_UHW_QUERY_DEVICE);
	EXPECT_EQ(none ? MLX5_USER_INLINE_MODE_NONE : MLX5_USER_INLINE_MODE_L2, r->eth_min_inline);
	EXPECT_EQ(12, r->log_uar_size);
	EXPECT_EQ(1, r->num_uars_per_page);
	EXPECT_EQ(0, r->tot_bfregs);
	EXPECT_TRUE(r->comp_mask & MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_CORE_CLOCK_OFFSET);
	EXPECT_EQ(offsetof(struct prm_init_seg, internal_timer_h) % 4096, r->hca_core_clock_offset);
	EXPECT_GE(sizeof(*r), r->response_length);
	EXPECT_LT(offsetof(struct mlx5_ib_alloc_ucontext_resp, num_uars_per_page),
		  r->response_length);
}

/* Vectors have the numbers below @n, which is in no reply but the one that says so. */
static void expect_vectors(struct ct_fix_reply *self, uint32_t n)
{
	uint32_t eqn;

	EXPECT_EQ(self->ctx->num_comp_vectors, n);
	EXPECT_EQ(0, mlx5dv_devx_query_eqn(self->ctx, n - 1, &eqn));
	EXPECT_NE(0, mlx5dv_devx_query_eqn(self->ctx, n, &eqn));
}

TEST_F(reply, query_context_has_the_capabilities_of_the_device)
{
	struct call c = make_call(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_CONTEXT);
	struct mlx5_ib_alloc_ucontext_resp r = { 0 };
	uint64_t support = 0;
	uint32_t n = 0;

	add_attr(&c, UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS, &n, sizeof(n));
	add_attr(&c, UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT, &support, sizeof(support));
	add_attr(&c, MLX5_IB_ATTR_QUERY_CONTEXT_RESP_UCTX, &r, sizeof(r));
	ASSERT_EQ(0, ioctl(self->ctx->cmd_fd, RDMA_VERBS_IOCTL, &c));
	expect_context(self, &r);
	expect_vectors(self, n);
	EXPECT_TRUE(support & IB_UVERBS_CORE_SUPPORT_OPTIONAL_MR_ACCESS);
}

static const struct mlx5_ib_alloc_ucontext_req_v2 request = {
	.max_cqe_version = 1,
	.lib_caps = MLX5_LIB_CAP_4K_UAR | MLX5_LIB_CAP_DYN_UAR,
};

TEST_F(reply, get_context_has_the_capabilities_of_the_device)
{
	struct call c = make_call(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT);
	const int fd = verbs_rig_open_again(self->ctx, O_RDWR | O_CLOEXEC);
	struct mlx5_ib_alloc_ucontext_resp r = { 0 };
	uint64_t support = 0;
	uint32_t n = 0;

	ASSERT_NE(-1, fd);
	add_attr(&c, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, &n, sizeof(n));
	add_attr(&c, UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, &support, sizeof(support));
	add_attr(&c, UVERBS_ATTR_UHW_IN, &request, sizeof(request));
	add_attr(&c, UVERBS_ATTR_UHW_OUT, &r, sizeof(r));
	ASSERT_EQ(0, ioctl(fd, RDMA_VERBS_IOCTL, &c));
	expect_context(self, &r);
	expect_vectors(self, n);
	EXPECT_TRUE(support & IB_UVERBS_CORE_SUPPORT_OPTIONAL_MR_ACCESS);
	close(fd);
}

/*
 * libibverbs of rdma-core 57 and later opens contexts by this command where method GET_CONTEXT has
 * no attribute FD_ARR. Linux 7.2 has it, and takes WRITE_CMD of this command, whose number is the
 * same, for an array of descriptors (ib_init_ucontext).
 */
TEST_F(reply, command_get_context_also_opens_an_asynchronous_event_file)
{
	struct call c = make_call(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE);
	const int fd = verbs_rig_open_again(self->ctx, O_RDWR | O_CLOEXEC);
	const struct ib_uverbs_get_context in = { 0 };
	struct ib_uverbs_get_context_resp core = { 0 };
	struct mlx5_ib_alloc_ucontext_resp r = { 0 };
	char byte;
	int rc;

	ASSERT_NE(-1, fd);
	add_attr(&c, UVERBS_ATTR_CORE_IN, &in, sizeof(in));
	add_attr(&c, UVERBS_ATTR_CORE_OUT, &core, sizeof(core));
	add_attr(&c, UVERBS_ATTR_WRITE_CMD, NULL, 8); /* IB_USER_VERBS_CMD_GET_CONTEXT is 0 */
	add_attr(&c, UVERBS_ATTR_UHW_IN, &request, sizeof(request));
	add_attr(&c, UVERBS_ATTR_UHW_OUT, &r, sizeof(r));
	rc = ioctl(fd, RDMA_VERBS_IOCTL, &c);
	if (rc && errno == EBADF && !emu_if_any()) {
		close(fd);
		SKIP("this kernel takes the attribute WRITE_CMD for FD_ARR");
	}
	ASSERT_EQ(0, rc);
	expect_context(self, &r);
	expect_vectors(self, core.num_comp_vectors);
	ASSERT_EQ(0, fcntl((int)core.async_fd, F_SETFL, O_NONBLOCK));
	EXPECT_EQ(-1, read((int)core.async_fd, &byte, 1));
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(0, close((int)core.async_fd));
	close(fd);
}

/* ---- devices ------------------------------------------------------------------------------- */

TEST_F(reply, query_device_has_the_limits_of_the_device)
{
	const struct prm_cmd_hca_cap *cap = self->general;
	struct ibv_device_attr_ex ex = { 0 };
	const struct ibv_device_attr *a = &ex.orig_attr;

	ASSERT_EQ(0, ibv_query_device_ex(self->ctx, NULL, &ex));
	EXPECT_EQ(UINT64_MAX, a->max_mr_size);
	EXPECT_EQ(0, a->page_size_cap & 4095);
	EXPECT_EQ(0x2c9, a->vendor_id);
	EXPECT_EQ(1u << prm_get(cap, log_max_qp), a->max_qp);
	EXPECT_EQ(1u << prm_get(cap, log_max_cq), a->max_cq);
	EXPECT_EQ((1u << prm_get(cap, log_max_cq_sz)) - 1, a->max_cqe);
	EXPECT_EQ(1u << prm_get(cap, log_max_mkey), a->max_mr);
	EXPECT_EQ(1u << prm_get(cap, log_max_pd), a->max_pd);
	EXPECT_EQ(1u << prm_get(cap, log_max_srq), a->max_srq);
	EXPECT_EQ(prm_get(cap, num_ports), a->phys_port_cnt);
	EXPECT_NE(0, a->node_guid);
	if (emu_if_any()) { /* Linux has more rules for these */
		EXPECT_EQ(a->node_guid, a->sys_image_guid);
		EXPECT_EQ(1u << prm_get(cap, log_max_qp_sz), a->max_qp_wr);
		EXPECT_EQ(prm_get(cap, max_wqe_sz_rq) / 16, a->max_sge);
		EXPECT_EQ(prm_get(cap, max_wqe_sz_rq) / 16, a->max_sge_rd);
	}
	EXPECT_TRUE(a->device_cap_flags & IBV_DEVICE_MANAGED_FLOW_STEERING);
	EXPECT_TRUE(a->device_cap_flags & IBV_DEVICE_RAW_IP_CSUM);
	EXPECT_EQ(prm_get(cap, device_frequency_khz), ex.hca_core_clock);
	EXPECT_EQ(UINT64_MAX >> 1, ex.completion_timestamp_mask);
	EXPECT_EQ(1u << IBV_QPT_RAW_PACKET, ex.rss_caps.supported_qpts & 1u << IBV_QPT_RAW_PACKET);
	EXPECT_EQ(1u << prm_get(cap, log_max_rqt), ex.rss_caps.max_rwq_indirection_tables);
	EXPECT_EQ(1u << prm_get(cap, log_max_rqt_size), ex.rss_caps.max_rwq_indirection_table_size);
	EXPECT_EQ(1u << prm_get(cap, log_max_rq), ex.max_wq_type_rq);
	EXPECT_EQ(1u << prm_get(self->eth, max_lso_cap), ex.tso_caps.max_tso);
	EXPECT_EQ(prm_get(self->eth, vlan_cap),
		  !!(ex.raw_packet_caps & IBV_RAW_PACKET_CAP_CVLAN_STRIPPING));
	EXPECT_EQ(prm_get(self->eth, scatter_fcs),
		  !!(ex.raw_packet_caps & IBV_RAW_PACKET_CAP_SCATTER_FCS));
	EXPECT_EQ(prm_get(self->eth, csum_cap),
		  !!(ex.raw_packet_caps & IBV_RAW_PACKET_CAP_IP_CSUM));
	EXPECT_EQ(prm_get(self->qos, packet_pacing_min_rate),
		  ex.packet_pacing_caps.qp_rate_limit_min);
	EXPECT_EQ(prm_get(self->qos, packet_pacing_max_rate),
		  ex.packet_pacing_caps.qp_rate_limit_max);
}

TEST_F(reply, query_device_has_the_formats_of_the_device)
{
	struct mlx5dv_context dv = { .comp_mask = MLX5DV_CONTEXT_MASK_CQE_COMPRESION |
						  MLX5DV_CONTEXT_MASK_SWP |
						  MLX5DV_CONTEXT_MASK_STRIDING_RQ };
	const uint32_t swp = (prm_get(self->eth, swp) ? MLX5DV_SW_PARSING : 0) |
			     (prm_get(self->eth, swp_csum) ? MLX5DV_SW_PARSING_CSUM : 0) |
			     (prm_get(self->eth, swp_lso) ? MLX5DV_SW_PARSING_LSO : 0);

	ASSERT_EQ(0, mlx5dv_query_device(self->ctx, &dv));
	EXPECT_EQ(prm_get(self->general, cqe_compression_max_num), dv.cqe_comp_caps.max_num);
	EXPECT_EQ(swp, dv.sw_parsing_caps.sw_parsing_offloads);
	EXPECT_EQ(prm_get(self->general, striding_rq) ? 1u << IBV_QPT_RAW_PACKET : 0,
		  dv.striding_rq_caps.supported_qpts & 1u << IBV_QPT_RAW_PACKET);
	if (!prm_get(self->general, striding_rq))
		return;
	EXPECT_EQ(6, dv.striding_rq_caps.min_single_stride_log_num_of_bytes);
	EXPECT_EQ(13, dv.striding_rq_caps.max_single_stride_log_num_of_bytes);
	EXPECT_GE(9, dv.striding_rq_caps.min_single_wqe_log_num_of_strides);
	if (emu_if_any())
		EXPECT_EQ(9, dv.striding_rq_caps.min_single_wqe_log_num_of_strides);
	EXPECT_EQ(16, dv.striding_rq_caps.max_single_wqe_log_num_of_strides);
}

TEST_F(reply, query_port_has_the_largest_message_of_the_device)
{
	struct ibv_port_attr port;

	ASSERT_EQ(0, ibv_query_port(self->ctx, 1, &port));
	EXPECT_EQ(1u << prm_get(self->general, log_max_msg), port.max_msg_sz);
	EXPECT_EQ(IBV_MTU_4096, port.max_mtu);
	EXPECT_EQ(1, port.pkey_tbl_len);
}

/* The queues of each completion vector get the events of its EQ. */
TEST_F(reply, each_vector_has_an_eq_that_a_cq_may_use)
{
	struct mlx5dv_devx_uar *uar = mlx5dv_devx_alloc_uar(self->ctx, MLX5DV_UAR_ALLOC_TYPE_NC);
	uint32_t eqn, last = 0;

	ASSERT_NE(NULL, uar);
	for (int v = 0; v < self->ctx->num_comp_vectors; v++) {
		struct prm_create_cq_in in = { 0 };
		struct prm_create_cq_out out = { 0 };
		struct prm_cqc *cqc = prm_sub(&in, cq_context);
		struct verbs_rig_queue q = { 0 };

		SCOPED_TRACE("vector %d", v);
		ASSERT_EQ(0, mlx5dv_devx_query_eqn(self->ctx, (uint32_t)v, &eqn));
		EXPECT_NE(last, eqn);
		last = eqn;
		ASSERT_EQ(0, verbs_rig_alloc_queue(self->ctx, &q));
		prm_set(&in, opcode, PRM_OP_create_cq);
		prm_set(&in, cq_umem_id, q.umem->umem_id);
		prm_set(cqc, log_cq_size, VERBS_RIG_LOG_CQ);
		prm_set(cqc, uar_page, uar->page_id);
		prm_set(cqc, c_eqn_or_apu_element, eqn);
		prm_set(cqc, dbr_umem_id, q.umem->umem_id);
		prm_set(cqc, dbr_addr, VERBS_RIG_DBR);
		q.obj = VERBS_RIG_CREATE(self->ctx, in, out);
		EXPECT_NE(NULL, q.obj);
		verbs_rig_close_queue(&q);
	}
	mlx5dv_devx_free_uar(uar);
}
