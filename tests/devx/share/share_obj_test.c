/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <unistd.h>

#include "ct.h"
#include "devx/async.h"
#include "devx/cmd.h"
#include "devx/share.h"
#include "devx_rig.h"
#include "prm/prm.h"

/* Objects of a device, imported into a second device over the same context (share_obj.c). */

FIXTURE(share_obj)
{
	struct devx_rig rig;
	struct devx_dev other;
	struct devx_share share; /* export of the SQ */
	struct devx_import import;
};

FIXTURE_SETUP(share_obj)
{
	struct devx_share share;
	int fd;

	ASSERT_EQ(0, devx_rig_up(&self->rig));
	ASSERT_EQ(0, devx_dev_export(&self->rig.dev, &share, &fd));
	EXPECT_EQ(0, devx_dev_import(&self->other, fd, &share));
	close(fd);
}

FIXTURE_TEARDOWN(share_obj)
{
	EXPECT_EQ(0, self->other.n_stuck);
	EXPECT_EQ(0, self->rig.dev.n_stuck);
	devx_obj_unimport(&self->import);
	devx_dev_close(&self->other);
	devx_rig_down(&self->rig);
}

#ifndef DEVX_HAS_OBJ_EXPORT

TEST_F(share_obj, old_rdma_core_is_named_in_one_line)
{
	const char *says = "object: export and import need rdma-core 63 or newer; found ";

	devx_rig_expect_error(&self->rig.dev, -ENOTSUP, says,
			      devx_obj_export(&self->rig.dev, self->rig.sq.obj, &self->share));
	devx_rig_expect_error(&self->other, -ENOTSUP, says,
			      devx_obj_import(&self->import, &self->other, &self->share));
	EXPECT_EQ(NULL, self->import.obj);
}

#else

static int query_sq(struct devx_dev *dev, struct mlx5dv_devx_obj *obj, uint32_t sqn,
		    unsigned *state)
{
	struct prm_query_sq_in in = { 0 };
	struct prm_query_sq_out out = { 0 };
	int rc;

	prm_set(&in, opcode, PRM_OP_query_sq);
	prm_set(&in, sqn, sqn);
	rc = devx_cmd_query(dev, obj, &in, sizeof(in), &out, sizeof(out));
	*state = (unsigned)prm_get(prm_sub(&out, sq_context), state);
	return rc;
}

static void import_sq(struct ct_fix_share_obj *self)
{
	ASSERT_EQ(0, devx_obj_export(&self->rig.dev, self->rig.sq.obj, &self->share));
	ASSERT_EQ(0, devx_obj_import(&self->import, &self->other, &self->share));
}

TEST_F(share_obj, import_queries_and_modifies_the_object)
{
	struct prm_modify_sq_in in = { 0 };
	struct prm_modify_sq_out out = { 0 };
	const uint32_t sqn = self->rig.sq.sqn;
	unsigned state = 99;

	import_sq(self);
	ASSERT_EQ(0, query_sq(&self->other, self->import.obj, sqn, &state));
	EXPECT_EQ(PRM_WQ_STATE_RDY, state);
	prm_set(&in, opcode, PRM_OP_modify_sq);
	prm_set(&in, sqn, sqn);
	prm_set(&in, sq_state, PRM_WQ_STATE_RDY);
	prm_set(prm_sub(&in, ctx), state, PRM_WQ_STATE_ERR);
	ASSERT_EQ(0, devx_cmd_modify(&self->other, self->import.obj, &in, sizeof(in), &out,
				     sizeof(out)));
	ASSERT_EQ(0, query_sq(&self->rig.dev, self->rig.sq.obj, sqn, &state));
	EXPECT_EQ(PRM_WQ_STATE_ERR, state);
}

TEST_F(share_obj, import_names_no_other_object)
{
	unsigned state;

	import_sq(self);
	devx_rig_expect_error(
		&self->other, -EINVAL, "the kernel did not execute QUERY_SQ",
		query_sq(&self->other, self->import.obj, self->rig.sq.sqn + 1, &state));
}

TEST_F(share_obj, second_import_is_refused)
{
	struct devx_import again = { 0 };

	import_sq(self);
	devx_rig_expect_error(&self->other, -EEXIST, "has imported this object already",
			      devx_obj_import(&again, &self->other, &self->share));
	EXPECT_EQ(NULL, again.obj);
	devx_rig_expect_error(&self->other, -EINVAL, "import: in use",
			      devx_obj_import(&self->import, &self->other, &self->share));
	devx_obj_unimport(&self->import);
	EXPECT_EQ(NULL, self->other.imports);
	ASSERT_EQ(0, devx_obj_import(&again, &self->other, &self->share));
	devx_obj_unimport(&again);
}

TEST_F(share_obj, destroy_of_an_import_is_refused)
{
	char line[DEVX_TEXT_BYTES];
	unsigned state;

	import_sq(self);
	devx_cmd_destroy(&self->other, self->import.obj);
	EXPECT_EQ(-EPERM, self->other.refusal.rc);
	EXPECT_SUBSTR("only the device that created it can destroy it",
		      devx_strerror(&self->other, -EPERM, line, sizeof(line)));
	EXPECT_EQ(0, query_sq(&self->other, self->import.obj, self->rig.sq.sqn, &state));
}

TEST_F(share_obj, owner_destroys_the_object_after_the_import_ended)
{
	unsigned state;

	import_sq(self);
	devx_obj_unimport(&self->import);
	EXPECT_EQ(0, query_sq(&self->rig.dev, self->rig.sq.obj, self->rig.sq.sqn, &state));
	devx_sq_destroy(&self->rig.sq);
	devx_obj_unimport(&self->import);
}

TEST_F(share_obj, import_ends_after_the_owner_destroyed_the_object)
{
	const uint32_t sqn = self->rig.sq.sqn;
	unsigned state;

	import_sq(self);
	devx_sq_destroy(&self->rig.sq);
	devx_rig_expect_error(&self->other, -ENOENT, "; the owner destroyed the imported object",
			      query_sq(&self->other, self->import.obj, sqn, &state));
	devx_obj_unimport(&self->import);
	EXPECT_EQ(NULL, self->import.dev);
}

TEST_F(share_obj, close_ends_the_imports)
{
	struct devx_import tir = { 0 };
	struct devx_share share;

	import_sq(self);
	ASSERT_EQ(0, devx_obj_export(&self->rig.dev, self->rig.tir.obj, &share));
	ASSERT_EQ(0, devx_obj_import(&tir, &self->other, &share));
	devx_dev_close(&self->other);
	EXPECT_EQ(NULL, tir.obj);
	EXPECT_EQ(NULL, self->import.obj);
	devx_obj_unimport(&tir);
}

TEST_F(share_obj, asynchronous_query_works_through_an_import)
{
	struct prm_query_sq_in in = { 0 };
	struct {
		uint64_t wr_id;
		struct prm_query_sq_out out;
	} reply = { .wr_id = 0 };
	struct devx_async async = { 0 };
	int rc;

	import_sq(self);
	ASSERT_EQ(0, devx_async_create(&async, &self->other));
	prm_set(&in, opcode, PRM_OP_query_sq);
	prm_set(&in, sqn, self->rig.sq.sqn);
	ASSERT_EQ(0, devx_async_query(&async, self->import.obj, &in, sizeof(in), sizeof(reply.out),
				      7));
	do
		rc = devx_async_take(&async, &reply, sizeof(reply));
	while (rc == -EAGAIN);
	EXPECT_EQ(0, rc);
	EXPECT_EQ(7, reply.wr_id);
	EXPECT_EQ(PRM_WQ_STATE_RDY, prm_get(prm_sub(&reply.out, sq_context), state));
	devx_async_destroy(&async);
}

TEST_F(share_obj, foreign_context_and_missing_handle_are_refused)
{
	struct devx_dev foreign = { 0 };

	ASSERT_EQ(0, devx_dev_open(&foreign, devx_rig_get_ibdev()));
	ASSERT_EQ(0, devx_obj_export(&self->rig.dev, self->rig.sq.obj, &self->share));
	devx_rig_expect_error(&foreign, -EXDEV, "from another context",
			      devx_obj_import(&self->import, &foreign, &self->share));
	EXPECT_EQ(NULL, self->import.obj);
	devx_dev_close(&foreign);
	devx_rig_expect_error(&self->rig.dev, -EINVAL, "object: no handle",
			      devx_obj_export(&self->rig.dev, NULL, &self->share));
}

#endif
