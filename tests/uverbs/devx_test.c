/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "verbs_rig.h"

FIXTURE(devx)
{
	struct ibv_context *ctx;
};

FIXTURE_SETUP(devx)
{
	self->ctx = verbs_rig_open(true);
	ASSERT_NE(NULL, self->ctx);
}

FIXTURE_TEARDOWN(devx)
{
	const struct devx_emu_ctl *emu = emu_if_any();

	if (self->ctx)
		EXPECT_EQ(0, ibv_close_device(self->ctx));
	EXPECT_EQ(0, verbs_rig_read_counters().handles);
	if (emu)
		emu->reset_mistakes(); /* some tests make protocol mistakes on purpose */
}

/* ---- the kernel's lists --------------------------------------------------------------- */

static const struct refused {
	const char *name;
	uint16_t opcode;
} refused[] = {
	{ "create_eq", 0x301 },
	{ "set_flow_table_root", 0x92f },
	{ "modify_nic_vport_context", 0x755 },
	{ "modify_vport_state", 0x751 },
	{ "access_register", 0x805 },
	{ "set_rate_limit", 0x780 },
	{ "dealloc_pd", 0x801 },
	{ "destroy_cq", 0x401 },
	{ "alloc_uar", 0x802 },
	{ "create_umem", 0xa08 },
	{ "create_uctx", 0xa04 },
	{ "query_special_contexts", 0x203 },
	{ "set_hca_cap", 0x109 },
};

/* The kernel refuses these opcodes in create and in general commands; firmware never sees them. */
TEST_EACH(devx_list, refuses, struct refused, refused)
{
	struct ibv_context *ctx = verbs_rig_open(true);
	struct prm_general_obj_in_cmd_hdr in = { 0 };
	struct prm_general_obj_out_cmd_hdr out = { 0 };
	uint64_t before;

	ASSERT_NE(NULL, ctx);
	before = verbs_rig_read_counters().commands;
	prm_set(&in, opcode, row->opcode);
	EXPECT_EQ(NULL, VERBS_RIG_CREATE(ctx, in, out));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(EINVAL, mlx5dv_devx_general_cmd(ctx, &in, sizeof(in), &out, sizeof(out)));
	EXPECT_EQ(before, verbs_rig_read_counters().commands);
	ibv_close_device(ctx);
}

TEST_F(devx, firmware_refuses_an_allowed_command_that_it_does_not_know)
{
	struct prm_general_obj_in_cmd_hdr in = { 0 };
	struct prm_general_obj_out_cmd_hdr out = { 0 };

	prm_set(&in, opcode,
		PRM_OP_create_dct); /* the kernel allows it, the firmware of emu does not know it */
	EXPECT_EQ(NULL, VERBS_RIG_CREATE(self->ctx, in, out));
	EXPECT_EQ(EREMOTEIO, errno);
	EXPECT_EQ(PRM_STATUS_BAD_OP, prm_get(&out, status));
}

TEST_F(devx, mailbox_shorter_than_a_header_is_refused)
{
	struct prm_general_obj_in_cmd_hdr in = { 0 };
	struct prm_general_obj_out_cmd_hdr out = { 0 };

	prm_set(&in, opcode, PRM_OP_alloc_pd);
	EXPECT_EQ(NULL, mlx5dv_devx_obj_create(self->ctx, &in, sizeof(in) - 4, &out, sizeof(out)));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(NULL, mlx5dv_devx_obj_create(self->ctx, &in, sizeof(in), &out, sizeof(out) - 4));
	EXPECT_EQ(EINVAL, errno);
}

TEST_F(devx, mailbox_that_ends_before_the_object_number_is_refused)
{
	struct prm_alloc_q_counter_in create = { 0 };
	struct prm_alloc_q_counter_out created = { 0 };
	struct prm_query_q_counter_in in = { 0 };
	struct prm_query_q_counter_out out = { 0 };
	struct mlx5dv_devx_obj *counter;

	NEEDS_EMU("because Linux reads the memory behind the mailbox");
	prm_set(&create, opcode, PRM_OP_alloc_q_counter);
	counter = VERBS_RIG_CREATE(self->ctx, create, created);
	ASSERT_NE(NULL, counter);
	prm_set(&in, opcode, PRM_OP_query_q_counter);
	prm_set(&in, counter_set_id, prm_get(&created, counter_set_id));
	EXPECT_EQ(0, mlx5dv_devx_obj_query(counter, &in, sizeof(in), &out, sizeof(out)));
	EXPECT_EQ(EINVAL,
		  mlx5dv_devx_obj_query(counter, &in, sizeof(struct prm_general_obj_in_cmd_hdr),
					&out, sizeof(out)));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(counter));
}

TEST_F(devx, length_that_is_not_a_multiple_of_4_is_refused)
{
	struct {
		struct prm_nop_in in;
		uint8_t more;
	} in = { 0 };
	struct prm_nop_out out = { 0 };
	uint64_t before;

	prm_set(&in.in, opcode, PRM_OP_nop);
	before = verbs_rig_read_counters().commands;
	EXPECT_EQ(ENOMSG,
		  mlx5dv_devx_general_cmd(self->ctx, &in, sizeof(in.in) + 1, &out, sizeof(out)));
	EXPECT_EQ(before, verbs_rig_read_counters().commands);
}

TEST_F(devx, xrc_domain_can_be_created_and_destroyed)
{
	struct prm_alloc_xrcd_in in = { 0 };
	struct prm_alloc_xrcd_out out = { 0 };
	struct mlx5dv_devx_obj *xrcd;

	prm_set(&in, opcode, PRM_OP_alloc_xrcd);
	xrcd = VERBS_RIG_CREATE(self->ctx, in, out);
	ASSERT_NE(NULL, xrcd);
	EXPECT_EQ_ON_EMU(1, verbs_rig_read_counters().objects[DEVX_EMU_XRCD]);
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(xrcd));
	EXPECT_EQ(0, verbs_rig_read_counters().objects[DEVX_EMU_XRCD]);
}

TEST_F(devx, a_tunnel_to_another_function_is_refused)
{
	struct prm_general_obj_in_cmd_hdr in = { 0 };
	struct prm_general_obj_out_cmd_hdr out = { 0 };

	prm_set(&in, opcode, PRM_OP_alloc_pd);
	prm_set(&in, vhca_tunnel_id, 1);
	EXPECT_EQ(NULL, VERBS_RIG_CREATE(self->ctx, in, out));
	EXPECT_EQ(EINVAL, errno);
}

TEST_F(devx, reply_has_the_status_of_a_refused_command)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct prm_alloc_pd_in in = { 0 };
	struct prm_alloc_pd_out out = { 0 };

	NEEDS_EMU("to make a command fail");
	prm_set(&in, opcode, PRM_OP_alloc_pd);
	emu->fail(DEVX_EMU_FAIL_COMMAND, 0, PRM_STATUS_LIM_ERR);
	EXPECT_EQ(NULL, VERBS_RIG_CREATE(self->ctx, in, out));
	EXPECT_EQ(EREMOTEIO, errno);
	EXPECT_EQ(PRM_STATUS_LIM_ERR, prm_get(&out, status));
	EXPECT_EQ(-1, emu->fail_pending(DEVX_EMU_FAIL_COMMAND));
}

/* ---- objects --------------------------------------------------------------------------- */

TEST_F(devx, modify_and_query_must_name_the_object_of_the_handle)
{
	struct verbs_rig_queue a = { 0 }, b = { 0 };
	struct prm_query_cq_in in = { 0 };
	struct prm_query_cq_out out = { 0 };
	struct mlx5dv_devx_uar *uar = mlx5dv_devx_alloc_uar(self->ctx, MLX5DV_UAR_ALLOC_TYPE_NC);

	ASSERT_NE(NULL, uar);
	ASSERT_EQ(0, verbs_rig_create_cq(self->ctx, &a, uar->page_id));
	ASSERT_EQ(0, verbs_rig_create_cq(self->ctx, &b, uar->page_id));
	prm_set(&in, opcode, PRM_OP_query_cq);
	prm_set(&in, cqn, a.number);
	EXPECT_EQ(0, mlx5dv_devx_obj_query(a.obj, &in, sizeof(in), &out, sizeof(out)));
	EXPECT_EQ(VERBS_RIG_LOG_CQ, prm_get(prm_sub(&out, cq_context), log_cq_size));
	EXPECT_EQ(1, prm_get(prm_sub(&out, cq_context), dbr_umem_valid)); /* the kernel set it */
	EXPECT_EQ(EINVAL, mlx5dv_devx_obj_query(b.obj, &in, sizeof(in), &out, sizeof(out)));
	EXPECT_EQ(EINVAL, mlx5dv_devx_obj_modify(a.obj, &in, sizeof(in), &out, sizeof(out)));
	verbs_rig_close_queue(&a);
	verbs_rig_close_queue(&b);
	mlx5dv_devx_free_uar(uar);
}

TEST_F(devx, a_cq_needs_a_completion_eq)
{
	struct prm_create_cq_in in = { 0 };
	struct prm_create_cq_out out = { 0 };
	uint32_t eqn;

	EXPECT_EQ(EINVAL, mlx5dv_devx_query_eqn(self->ctx, 1000, &eqn));
	prm_set(&in, opcode, PRM_OP_create_cq);
	prm_set(prm_sub(&in, cq_context), c_eqn_or_apu_element, 0xff);
	EXPECT_EQ(NULL, VERBS_RIG_CREATE(self->ctx, in, out));
	EXPECT_EQ(ENOENT, errno);
}

TEST_F(devx, object_in_use_cannot_be_destroyed)
{
	struct prm_create_tis_in in = { 0 };
	struct prm_create_tis_out out = { 0 };
	uint32_t tdn;
	struct mlx5dv_devx_obj *td = verbs_rig_create_td(self->ctx, &tdn), *tis;

	prm_set(&in, opcode, PRM_OP_create_tis);
	prm_set(prm_sub(&in, ctx), transport_domain, tdn);
	tis = VERBS_RIG_CREATE(self->ctx, in, out);
	ASSERT_NE(NULL, tis);
	EXPECT_EQ(EINVAL, mlx5dv_devx_obj_destroy(td)); /* BAD_RES_STATE */
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(tis));
	EXPECT_EQ(0, mlx5dv_devx_obj_destroy(td));
}

/*
 * Closing the context destroys the CQ before the UAR and the umem that it uses, whichever was
 * created first. libmlx5 does not unmap the UAR, and a mapping keeps the context open.
 */
TEST_F(devx, close_destroys_objects_that_use_each_other)
{
	struct verbs_rig_queue cq = { 0 };
	struct mlx5dv_devx_uar *uar = mlx5dv_devx_alloc_uar(self->ctx, MLX5DV_UAR_ALLOC_TYPE_BF);
	void *page;

	ASSERT_NE(NULL, uar);
	page = uar->base_addr;
	ASSERT_EQ(0, verbs_rig_create_cq(self->ctx, &cq, uar->page_id));
	EXPECT_EQ(0, ibv_close_device(self->ctx));
	self->ctx = NULL;
	EXPECT_EQ_ON_EMU(1, verbs_rig_read_counters().objects[DEVX_EMU_CQ]);
	EXPECT_EQ(0, munmap(page, 4096));
	EXPECT_EQ(0, verbs_rig_read_counters().objects[DEVX_EMU_CQ]);
	EXPECT_EQ(0, verbs_rig_read_counters().objects[DEVX_EMU_UMEM]);
	EXPECT_EQ(0, verbs_rig_read_counters().objects[DEVX_EMU_UAR]);
	free(cq.umem);
	free(cq.obj);
	verbs_rig_free_queue(&cq);
}

/* ---- asynchronous query ----------------------------------------------------------------- */

TEST_F(devx, async_query_writes_its_reply_to_the_event_file)
{
	struct mlx5dv_devx_cmd_comp *comp = mlx5dv_devx_create_cmd_comp(self->ctx);
	struct {
		struct mlx5dv_devx_async_cmd_hdr hdr;
		struct prm_query_cq_out out;
	} reply = { 0 };
	struct prm_query_cq_in in = { 0 };
	struct verbs_rig_queue cq = { 0 };
	struct mlx5dv_devx_uar *uar = mlx5dv_devx_alloc_uar(self->ctx, MLX5DV_UAR_ALLOC_TYPE_NC);

	ASSERT_NE(NULL, comp);
	ASSERT_EQ(0, verbs_rig_create_cq(self->ctx, &cq, uar->page_id));
	prm_set(&in, opcode, PRM_OP_query_cq);
	prm_set(&in, cqn, cq.number);
	ASSERT_EQ(0, mlx5dv_devx_obj_query_async(cq.obj, &in, sizeof(in), sizeof(reply.out), 77,
						 comp));
	ASSERT_EQ(0, mlx5dv_devx_get_async_cmd_comp(comp, &reply.hdr, sizeof(reply)));
	EXPECT_EQ(77, reply.hdr.wr_id);
	EXPECT_EQ(PRM_STATUS_OK, prm_get(&reply.out, status));
	EXPECT_EQ(VERBS_RIG_LOG_CQ, prm_get(prm_sub(&reply.out, cq_context), log_cq_size));
	verbs_rig_close_queue(&cq);
	mlx5dv_devx_free_uar(uar);
	mlx5dv_devx_destroy_cmd_comp(comp);
}

TEST_F(devx, async_query_fails_with_eagain_while_replies_are_unread)
{
	struct mlx5dv_devx_cmd_comp *comp = mlx5dv_devx_create_cmd_comp(self->ctx);
	struct prm_query_cq_in in = { 0 };
	struct verbs_rig_queue cq = { 0 };
	struct mlx5dv_devx_uar *uar = mlx5dv_devx_alloc_uar(self->ctx, MLX5DV_UAR_ALLOC_TYPE_NC);
	int rc = 0;

	ASSERT_EQ(0, verbs_rig_create_cq(self->ctx, &cq, uar->page_id));
	prm_set(&in, opcode, PRM_OP_query_cq);
	prm_set(&in, cqn, cq.number);
	for (int i = 0; !rc && i < 64; i++)
		rc = mlx5dv_devx_obj_query_async(cq.obj, &in, sizeof(in), 32768, 0, comp);
	EXPECT_EQ(EAGAIN, rc);
	verbs_rig_close_queue(&cq);
	mlx5dv_devx_free_uar(uar);
	mlx5dv_devx_destroy_cmd_comp(comp);
}
