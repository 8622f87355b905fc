/* SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <pthread.h>
#include <sys/mman.h>

#include "ct.h"
#include "devx_rig.h"
#include "needs_emu.h"

/* Doorbell registers (uar.c). */

/* ---- a library that returns UARs without an address, as rdma-core before 29 did ---------- */

static void *missing_address; /* the address instead of the one of the page, if @hide is set */
static enum { HIDE_NOTHING, HIDE_REGISTER, HIDE_BASE } hide;
static struct mlx5dv_devx_uar hidden, *original;

struct mlx5dv_devx_uar *mlx5dv_devx_alloc_uar(struct ibv_context *context, uint32_t flags)
{
	struct mlx5dv_devx_uar *(*next)(struct ibv_context *, uint32_t);

	*(void **)&next = dlsym(RTLD_NEXT, "mlx5dv_devx_alloc_uar");
	original = next(context, flags);
	if (hide == HIDE_NOTHING || !original)
		return original;
	hidden = *original;
	*(hide == HIDE_BASE ? &hidden.base_addr : &hidden.reg_addr) = missing_address;
	return &hidden;
}

void mlx5dv_devx_free_uar(struct mlx5dv_devx_uar *uar)
{
	void (*next)(struct mlx5dv_devx_uar *);

	*(void **)&next = dlsym(RTLD_NEXT, "mlx5dv_devx_free_uar");
	next(uar == &hidden ? original : uar);
}

FIXTURE(uar)
{
	struct devx_rig rig;
};

FIXTURE_SETUP(uar)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
}

FIXTURE_TEARDOWN(uar)
{
	EXPECT_EQ(0, self->rig.dev.n_stuck);
	devx_rig_down(&self->rig);
}

TEST_F(uar, each_blueflame_uar_has_its_own_register)
{
	struct devx_uar other = { 0 };

	ASSERT_EQ(0, devx_uar_create(&other, &self->rig.dev, DEVX_UAR_BF));
	EXPECT_NE(self->rig.uar.reg, other.reg);
	EXPECT_EQ(256, other.bf_bytes); /* half of 1 << log_bf_reg_size */
	EXPECT_FALSE(other.shared);
	EXPECT_FALSE(other.nc);
	devx_uar_destroy(&other);
}

TEST_F(uar, non_cached_uars_share_one_register)
{
	struct devx_uar a = { 0 }, b = { 0 };

	ASSERT_EQ(0, devx_uar_create(&a, &self->rig.dev, DEVX_UAR_NC));
	ASSERT_EQ(0, devx_uar_create(&b, &self->rig.dev, DEVX_UAR_NC));
	EXPECT_EQ(a.reg, b.reg);
	EXPECT_EQ(0, a.bf_bytes);
	EXPECT_TRUE(a.shared);
	EXPECT_TRUE(a.nc);
	devx_uar_destroy(&b);
	devx_uar_destroy(&a);
}

/* rdma-core has dedicated non-cached pages from 45 on; an older one refuses them. */
TEST_F(uar, each_dedicated_uar_has_its_own_register)
{
	struct devx_uar a = { 0 }, b = { 0 };
	const int rc = devx_uar_create(&a, &self->rig.dev, DEVX_UAR_NC_DEDICATED);

#ifndef MLX5DV_UAR_ALLOC_TYPE_NC_DEDICATED
	devx_rig_expect_error(&self->rig.dev, -EOPNOTSUPP, "needed: rdma-core 45", rc);
	EXPECT_EQ(NULL, a.uar);
	return;
#endif
	ASSERT_EQ(0, rc);
	ASSERT_EQ(0, devx_uar_create(&b, &self->rig.dev, DEVX_UAR_NC_DEDICATED));
	EXPECT_NE(a.reg, b.reg);
	EXPECT_EQ(0, a.bf_bytes);
	EXPECT_FALSE(a.shared);
	EXPECT_TRUE(a.nc);
	devx_uar_destroy(&b);
	devx_uar_destroy(&a);
}

/* The shared register exists from open on. */
TEST_F(uar, page_limit_leaves_the_shared_register)
{
	const struct devx_emu_ctl *emu = emu_if_any();
	struct devx_uar a = { 0 }, b = { 0 };
	struct devx_emu_counters c;
	int64_t before;
	int rc;

	NEEDS_EMU("for a device with few UAR pages");
	emu->counters(0, &c, sizeof(c));
	before = emu->option("uar_pages", (uint32_t)c.objects[DEVX_EMU_UAR]);
	rc = devx_uar_create(&a, &self->rig.dev, DEVX_UAR_BF);
	devx_rig_expect_error(&self->rig.dev, -ENOMEM, "cannot allocate a BlueFlame UAR page", rc);
	EXPECT_EQ(0, devx_uar_create(&b, &self->rig.dev, DEVX_UAR_NC));
	EXPECT_TRUE(b.shared);
	devx_uar_destroy(&b);
	emu->option("uar_pages", (uint32_t)before);
}

static const struct no_address {
	const char *name;
	int hide;
	void *address;
	enum devx_uar_type type;
} no_addresses[] = {
	{ "register_null", HIDE_REGISTER, NULL, DEVX_UAR_BF },
	{ "register_not_mapped", HIDE_REGISTER, MAP_FAILED, DEVX_UAR_NC },
	{ "base_null", HIDE_BASE, NULL, DEVX_UAR_BF },
	{ "base_not_mapped", HIDE_BASE, MAP_FAILED, DEVX_UAR_NC },
};

TEST_F_EACH(uar, page_without_an_address_is_refused, struct no_address, no_addresses)
{
	static const struct devx_uar zero;
	struct devx_uar uar = { 0 };
	int rc;

	hide = row->hide;
	missing_address = row->address;
	rc = devx_uar_create(&uar, &self->rig.dev, row->type);
	hide = HIDE_NOTHING;
	devx_rig_expect_error(&self->rig.dev, -ENXIO, "update rdma-core", rc);
	EXPECT_MEMEQ(&zero, &uar, sizeof(zero));
}

/* ---- sending ------------------------------------------------------------------------------ */

struct sender {
	struct devx_rig rig; /* a copy of the fixture's, with a CQ and an SQ of its own */
	pthread_t thread;
	unsigned completed;
	bool whole_wqe;
};

enum { N_FRAMES = 200, FRAME_BYTES = 60 };

static int sender_up(struct sender *s, const struct devx_rig *rig, const struct devx_uar *uar)
{
	struct devx_cq_attr cq = { .log2_n = DEVX_RIG_LOG2_CQ, .uar = uar };
	struct devx_sq_attr sq = { .log2_n = DEVX_RIG_LOG2_SQ, .tis = &rig->tis, .uar = uar };
	int rc;

	s->rig = *rig;
	s->rig.send_cq = (struct devx_cq){ 0 };
	s->rig.sq = (struct devx_sq){ 0 };
	sq.cq = &s->rig.send_cq;
	rc = devx_cq_create(&s->rig.send_cq, (struct devx_dev *)&rig->dev, &cq);
	if (!rc)
		rc = devx_sq_create(&s->rig.sq, (struct devx_dev *)&rig->dev, &sq);
	return rc ? rc : devx_sq_ready(&s->rig.sq);
}

static void sender_down(struct sender *s)
{
	devx_sq_destroy(&s->rig.sq);
	devx_cq_destroy(&s->rig.send_cq);
}

/* Sends one frame at a time, so each doorbell must reach the device. */
static void *send_frames(void *arg)
{
	struct sender *s = arg;

	for (unsigned i = 0; i < N_FRAMES; i++) {
		uint8_t *frame = devx_rig_get_send_slot(&s->rig, 0);
		struct prm_ctrl_seg *ctrl =
			devx_rig_post_send(&s->rig, frame, FRAME_BYTES, s->rig.mr.lkey);
		const struct prm_cqe *cqe;

		if (s->whole_wqe)
			devx_sq_ring_wqe(&s->rig.sq, ctrl);
		else
			devx_sq_ring(&s->rig.sq, ctrl);
		cqe = devx_rig_wait_cqe(&s->rig.send_cq);
		if (!cqe || prm_cqe_opcode(cqe->op_own) != PRM_CQE_REQ)
			break;
		devx_rig_drop_cqe(&s->rig.send_cq);
		s->completed++;
	}
	return NULL;
}

static const struct way {
	const char *name;
	enum devx_uar_type type;
	bool whole_wqe;
} ways[] = {
	{ "blueflame", DEVX_UAR_BF, false },
	{ "whole_wqe", DEVX_UAR_BF, true },
	{ "non_cached", DEVX_UAR_NC, false },
	{ "dedicated", DEVX_UAR_NC_DEDICATED, false },
};

/* Two threads send at the same time; with DEVX_UAR_NC both write to the same register. */
TEST_F_EACH(uar, two_threads_send_through_their_registers, struct way, ways)
{
	struct devx_uar uar[2] = { { 0 } };
	struct sender s[2] = { { .completed = 0 } };
	int rc = devx_uar_create(&uar[0], &self->rig.dev, row->type);

	if (row->type == DEVX_UAR_NC_DEDICATED && rc == -EOPNOTSUPP)
		SKIP("rdma-core is older than 45: it has no dedicated non-cached UARs");
	ASSERT_EQ(0, rc);
	ASSERT_EQ(0, devx_uar_create(&uar[1], &self->rig.dev, row->type));
	EXPECT_EQ(row->type == DEVX_UAR_NC, uar[0].reg == uar[1].reg);
	devx_rig_write_frame(&self->rig, devx_rig_get_send_slot(&self->rig, 0), 1, FRAME_BYTES);
	for (int i = 0; i < 2; i++) {
		EXPECT_EQ(0, sender_up(&s[i], &self->rig, &uar[i]));
		s[i].whole_wqe = row->whole_wqe;
	}
	for (int i = 0; i < 2; i++)
		EXPECT_EQ(0, pthread_create(&s[i].thread, NULL, send_frames, &s[i]));
	for (int i = 0; i < 2; i++) {
		pthread_join(s[i].thread, NULL);
		EXPECT_EQ(N_FRAMES, s[i].completed);
		sender_down(&s[i]);
	}
	for (int i = 0; i < 2; i++)
		devx_uar_destroy(&uar[i]);
}
