/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ioctl framing: the answers of the kernel's uverbs core to malformed calls.
 */
#include <errno.h>
#include <fcntl.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "verbs_rig.h"

/* An ioctl. The fixture prepares QUERY_EQN: attribute 0 is an input, attribute 1 an output. */
struct frame {
	struct ib_uverbs_ioctl_hdr hdr;
	struct ib_uverbs_attr attr[4];
};

FIXTURE(frame)
{
	struct ibv_context *ctx;
	struct frame f;
	uint32_t eqn;
};

FIXTURE_SETUP(frame)
{
	self->ctx = verbs_rig_open(true);
	ASSERT_NE(NULL, self->ctx);
	self->f.hdr = (struct ib_uverbs_ioctl_hdr){
		.length = sizeof(self->f.hdr) + 2 * sizeof(self->f.attr[0]),
		.object_id = MLX5_IB_OBJECT_DEVX,
		.method_id = MLX5_IB_METHOD_DEVX_QUERY_EQN,
		.num_attrs = 2,
		.driver_id = RDMA_DRIVER_MLX5,
	};
	self->f.attr[0] = (struct ib_uverbs_attr){
		.attr_id = MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC,
		.len = 4,
		.flags = UVERBS_ATTR_F_MANDATORY,
	};
	self->f.attr[1] = (struct ib_uverbs_attr){
		.attr_id = MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN,
		.len = 4,
		.flags = UVERBS_ATTR_F_MANDATORY,
		.data = (uintptr_t)&self->eqn,
	};
}

FIXTURE_TEARDOWN(frame)
{
	EXPECT_EQ(0, ibv_close_device(self->ctx));
}

static int send_frame(struct ct_fix_frame *self)
{
	return ioctl(self->ctx->cmd_fd, RDMA_VERBS_IOCTL, &self->f) ? errno : 0;
}

static void add_attr(struct ct_fix_frame *self, struct ib_uverbs_attr attr)
{
	self->f.attr[self->f.hdr.num_attrs++] = attr;
	self->f.hdr.length += sizeof(attr);
}

TEST_F(frame, valid_call_fills_the_output_and_marks_it_valid)
{
	EXPECT_EQ(0, send_frame(self));
	EXPECT_NE(0, self->eqn);
	EXPECT_TRUE(self->f.attr[1].flags & UVERBS_ATTR_F_VALID_OUTPUT);
}

TEST_F(frame, the_length_must_be_exact)
{
	self->f.hdr.length++;
	EXPECT_EQ(EINVAL, send_frame(self));
	self->f.hdr.length = sizeof(self->f.hdr);
	EXPECT_EQ(EINVAL, send_frame(self));
}

TEST_F(frame, reserved_words_must_be_zero)
{
	self->f.hdr.reserved1 = 1;
	EXPECT_EQ(EPROTONOSUPPORT, send_frame(self));
	self->f.hdr.reserved1 = 0;
	self->f.hdr.reserved2 = 1;
	EXPECT_EQ(EPROTONOSUPPORT, send_frame(self));
}

TEST_F(frame, the_driver_must_be_mlx5)
{
	self->f.hdr.driver_id = RDMA_DRIVER_MLX4;
	EXPECT_EQ(EINVAL, send_frame(self));
}

TEST_F(frame, unknown_objects_and_methods_are_not_supported)
{
	self->f.hdr.method_id = 0x1fff;
	EXPECT_EQ(EPROTONOSUPPORT, send_frame(self));
	self->f.hdr.method_id = MLX5_IB_METHOD_DEVX_QUERY_EQN;
	self->f.hdr.object_id = 0x1fff;
	EXPECT_EQ(EPROTONOSUPPORT, send_frame(self));
}

TEST_F(frame, unknown_attribute_is_ignored_unless_mandatory)
{
	add_attr(self, (struct ib_uverbs_attr){ .attr_id = 0x1abc, .len = 4 });
	EXPECT_EQ(0, send_frame(self));
	self->f.attr[2].flags = UVERBS_ATTR_F_MANDATORY;
	EXPECT_EQ(EPROTONOSUPPORT, send_frame(self));
}

TEST_F(frame, repeated_attribute_is_einval)
{
	add_attr(self, self->f.attr[0]);
	EXPECT_EQ(EINVAL, send_frame(self));
}

TEST_F(frame, a_missing_attribute_is_einval)
{
	self->f.hdr.num_attrs = 1;
	self->f.hdr.length -= sizeof(self->f.attr[0]);
	EXPECT_EQ(EINVAL, send_frame(self));
}

TEST_F(frame, a_number_of_the_wrong_length_is_einval)
{
	self->f.attr[0].len = 2;
	EXPECT_EQ(EINVAL, send_frame(self));
	self->f.attr[0].len = 8;
	EXPECT_EQ(EINVAL, send_frame(self));
}

TEST_F(frame, unmapped_address_is_efault)
{
	self->f.attr[1].data = 8;
	EXPECT_EQ(EFAULT, send_frame(self));
	EXPECT_EQ(-1, ioctl(self->ctx->cmd_fd, RDMA_VERBS_IOCTL, (void *)8));
	EXPECT_EQ(EFAULT, errno);
}

TEST_F(frame, unknown_ioctl_number_is_enotty)
{
	EXPECT_EQ(-1, ioctl(self->ctx->cmd_fd, 0x1234, NULL));
	EXPECT_EQ(ENOTTY, errno);
}

TEST_F(frame, armed_ioctl_fails_once)
{
	const struct devx_emu_ctl *emu = emu_if_any();

	NEEDS_EMU("to make an ioctl fail");
	emu->fail(DEVX_EMU_FAIL_IOCTL, 1, ENOSPC);
	EXPECT_EQ(0, send_frame(self));
	EXPECT_EQ(ENOSPC, send_frame(self));
	EXPECT_EQ(0, send_frame(self));
}

TEST_F(frame, handle_of_another_type_is_einval_and_unknown_handle_enoent)
{
	struct ibv_pd *pd = ibv_alloc_pd(self->ctx);
	const struct ib_uverbs_attr attr = { .attr_id = UVERBS_ATTR_DESTROY_MR_HANDLE,
					     .flags = UVERBS_ATTR_F_MANDATORY,
					     .data = pd->handle };

	self->f.hdr.object_id = UVERBS_OBJECT_MR;
	self->f.hdr.method_id = UVERBS_METHOD_MR_DESTROY;
	self->f.hdr.num_attrs = 1;
	self->f.hdr.length = sizeof(self->f.hdr) + sizeof(attr);
	self->f.attr[0] = attr;
	EXPECT_EQ(EINVAL, send_frame(self));
	for (self->f.attr[0].data = 8; self->f.attr[0].data <= 4096; self->f.attr[0].data *= 2)
		EXPECT_EQ(ENOENT, send_frame(self)); /* ends of a table that doubles */
	EXPECT_EQ(0, ibv_dealloc_pd(pd));
}

/* ---- contexts without DEVX, which libmlx5 never opens ---------------------------------- */

static int get_context(int fd, uint32_t flags)
{
	struct mlx5_ib_alloc_ucontext_req_v2 req = {
		.flags = flags,
		.max_cqe_version = 1,
		.lib_caps = MLX5_LIB_CAP_4K_UAR | MLX5_LIB_CAP_DYN_UAR,
	};
	struct mlx5_ib_alloc_ucontext_resp resp = { 0 };
	struct frame f = {
		.hdr = { .length = sizeof(f.hdr) + 2 * sizeof(f.attr[0]),
			 .object_id = UVERBS_OBJECT_DEVICE,
			 .method_id = UVERBS_METHOD_GET_CONTEXT,
			 .num_attrs = 2,
			 .driver_id = RDMA_DRIVER_MLX5 },
		.attr = { { .attr_id = UVERBS_ATTR_UHW_IN,
			    .len = sizeof(req),
			    .data = (uintptr_t)&req },
			  { .attr_id = UVERBS_ATTR_UHW_OUT,
			    .len = sizeof(resp),
			    .data = (uintptr_t)&resp } },
	};

	if (ioctl(fd, RDMA_VERBS_IOCTL, &f))
		return errno;
	EXPECT_EQ(0, resp.tot_bfregs); /* all UARs are objects */
	EXPECT_EQ(1, resp.cqe_version);
	return 0;
}

/* Sends a command of 16 bytes as general command (DEVX_OTHER). Return: 0 or errno */
static int send_devx_other(int fd, uint16_t opcode, uint16_t op_mod, size_t out_bytes)
{
	struct prm_general_obj_in_cmd_hdr in = { 0 };
	struct prm_query_hca_cap_out out;
	struct frame f = {
		.hdr = { .length = sizeof(f.hdr) + 2 * sizeof(f.attr[0]),
			 .object_id = MLX5_IB_OBJECT_DEVX,
			 .method_id = MLX5_IB_METHOD_DEVX_OTHER,
			 .num_attrs = 2,
			 .driver_id = RDMA_DRIVER_MLX5 },
		.attr = { { .attr_id = MLX5_IB_ATTR_DEVX_OTHER_CMD_IN,
			    .len = sizeof(in),
			    .data = (uintptr_t)&in },
			  { .attr_id = MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT,
			    .len = (uint16_t)out_bytes,
			    .data = (uintptr_t)&out } },
	};

	prm_set(&in, opcode, opcode);
	prm_set(&in, obj_type, op_mod);
	return ioctl(fd, RDMA_VERBS_IOCTL, &f) ? errno : 0;
}

TEST(frame_context, context_without_devx_queries_capabilities_only)
{
	const int fd = open("/dev/infiniband/uverbs0", O_RDWR | O_CLOEXEC);

	ASSERT_NE(-1, fd);
	EXPECT_EQ(EINVAL, send_devx_other(fd, PRM_OP_query_hca_cap, 1,
					  sizeof(struct prm_query_hca_cap_out)));
	ASSERT_EQ(0, get_context(fd, 0));
	EXPECT_EQ(EINVAL, get_context(fd, 0)); /* a file has one context */
	EXPECT_EQ(0, send_devx_other(fd, PRM_OP_query_hca_cap, 1,
				     sizeof(struct prm_query_hca_cap_out)));
	EXPECT_EQ(EINVAL, send_devx_other(fd, PRM_OP_nop, 0, sizeof(struct prm_nop_out)));
	close(fd);
}

/* The first context exists, so the second one turns local loopback on. */
TEST_F(frame, each_failed_command_of_a_second_context_refuses_it)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct devx_emu_counters before, now;
	int rc = -1, k;

	NEEDS_EMU("to make a command fail");
	before = verbs_rig_read_counters();
	for (k = 0; rc && k < 20; k++) {
		const int fd = verbs_rig_open_again(self->ctx, O_RDWR | O_CLOEXEC);

		SCOPED_TRACE("command %d", k);
		emu->fail(DEVX_EMU_FAIL_COMMAND, k, PRM_STATUS_LIM_ERR);
		rc = get_context(fd, MLX5_IB_ALLOC_UCTX_DEVX);
		EXPECT_EQ(rc ? -1 : 0, emu->fail_pending(DEVX_EMU_FAIL_COMMAND));
		emu->fail(DEVX_EMU_FAIL_COMMAND, -1, 0);
		EXPECT_EQ(0, close(fd));
		now = verbs_rig_read_counters();
		EXPECT_EQ(before.contexts, now.contexts);
		EXPECT_EQ(before.objects[DEVX_EMU_UCTX], now.objects[DEVX_EMU_UCTX]);
		EXPECT_EQ(before.objects[DEVX_EMU_TD], now.objects[DEVX_EMU_TD]);
	}
	EXPECT_EQ(4, k); /* user context, transport domain, loopback; then no failure */
}

/* Returns disable_uc_local_lb, or -1 if disable_mc_local_lb differs. */
static int get_blocked_loopback(struct ibv_context *ctx)
{
	struct prm_query_nic_vport_context_in in = { 0 };
	struct prm_query_nic_vport_context_out out = { 0 };
	const struct prm_nic_vport_context *c = prm_sub(&out, nic_vport_context);

	prm_set(&in, opcode, PRM_OP_query_nic_vport_context);
	EXPECT_EQ(0, mlx5dv_devx_general_cmd(ctx, &in, sizeof(in), &out, sizeof(out)));
	return prm_get(c, disable_uc_local_lb) == prm_get(c, disable_mc_local_lb)
		       ? (int)prm_get(c, disable_uc_local_lb)
		       : -1;
}

TEST_F(frame, second_context_turns_local_loopback_on)
{
	NEEDS_EMU("because other programs may have contexts of an adapter");
	for (unsigned i = 0; i < 3; i++) {
		int fd[2];

		EXPECT_EQ(1, get_blocked_loopback(self->ctx));
		for (unsigned k = 0; k < 2; k++) {
			fd[k] = verbs_rig_open_again(self->ctx, O_RDWR | O_CLOEXEC);
			EXPECT_EQ(0, get_context(fd[k], MLX5_IB_ALLOC_UCTX_DEVX));
			EXPECT_EQ(0, get_blocked_loopback(self->ctx));
		}
		EXPECT_EQ(0, close(fd[i & 1]));
		EXPECT_EQ(0, get_blocked_loopback(self->ctx));
		EXPECT_EQ(0, close(fd[!(i & 1)]));
	}
	EXPECT_EQ(1, get_blocked_loopback(self->ctx));
}

TEST(frame_context, flags_of_a_later_kernel_are_refused)
{
	const int fd = open("/dev/infiniband/uverbs0", O_RDWR | O_CLOEXEC);

	ASSERT_NE(-1, fd);
	EXPECT_EQ(EOPNOTSUPP, get_context(fd, 1u << 7));
	close(fd);
}

/* ---- UARs ---------------------------------------------------------------------------------- */

/*
 * Allocates a UAR by ioctl: libmlx5 would keep a freed one. Return: the handle, or UINT32_MAX with
 * errno
 */
static uint32_t alloc_uar(int fd, uint64_t type, uint32_t *page_id)
{
	uint64_t offset;
	uint32_t bytes;
	struct {
		struct ib_uverbs_ioctl_hdr hdr;
		struct ib_uverbs_attr attr[5];
	} f = {
		.hdr = { .length = sizeof(f),
			 .object_id = MLX5_IB_OBJECT_UAR,
			 .method_id = MLX5_IB_METHOD_UAR_OBJ_ALLOC,
			 .num_attrs = 5,
			 .driver_id = RDMA_DRIVER_MLX5 },
		.attr = { { .attr_id = MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE },
			  { .attr_id = MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE, .len = 8, .data = type },
			  { .attr_id = MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET,
			    .len = 8,
			    .data = (uintptr_t)&offset },
			  { .attr_id = MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH,
			    .len = 4,
			    .data = (uintptr_t)&bytes },
			  { .attr_id = MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID,
			    .len = 4,
			    .data = (uintptr_t)page_id } },
	};

	return ioctl(fd, RDMA_VERBS_IOCTL, &f) ? UINT32_MAX : (uint32_t)f.attr[0].data;
}

static int free_uar(int fd, uint32_t handle)
{
	struct frame f = {
		.hdr = { .length = sizeof(f.hdr) + sizeof(f.attr[0]),
			 .object_id = MLX5_IB_OBJECT_UAR,
			 .method_id = MLX5_IB_METHOD_UAR_OBJ_DESTROY,
			 .num_attrs = 1,
			 .driver_id = RDMA_DRIVER_MLX5 },
		.attr = { { .attr_id = MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE, .data = handle } },
	};

	return ioctl(fd, RDMA_VERBS_IOCTL, &f) ? errno : 0;
}

TEST_F(frame, type_of_a_uar_is_a_number_of_32_bits)
{
	uint32_t page_id;

	EXPECT_EQ(UINT32_MAX, alloc_uar(self->ctx->cmd_fd, UINT32_MAX, &page_id));
	EXPECT_EQ(EOPNOTSUPP, errno);
	EXPECT_EQ(UINT32_MAX, alloc_uar(self->ctx->cmd_fd, 1ull << 32, &page_id));
	EXPECT_EQ(EINVAL, errno);
}

TEST(frame_context, uar_in_use_loses_its_handle)
{
	struct ibv_context *ctx;
	struct verbs_rig_queue cq = { 0 };
	uint32_t page_id, handle;
	uint64_t before;

	NEEDS_EMU("because a real device would keep the UAR and its user context");
	before = verbs_rig_read_counters().objects[DEVX_EMU_UAR];
	ctx = verbs_rig_open(true);
	ASSERT_NE(NULL, ctx);
	handle = alloc_uar(ctx->cmd_fd, MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC, &page_id);
	ASSERT_NE(UINT32_MAX, handle);
	ASSERT_EQ(0, verbs_rig_create_cq(ctx, &cq, page_id));
	EXPECT_EQ(0, free_uar(ctx->cmd_fd, handle));
	EXPECT_EQ(ENOENT, free_uar(ctx->cmd_fd, handle));
	verbs_rig_close_queue(&cq);
	EXPECT_EQ(0, ibv_close_device(ctx));
	EXPECT_EQ(before + 1, verbs_rig_read_counters().objects[DEVX_EMU_UAR]);
}
