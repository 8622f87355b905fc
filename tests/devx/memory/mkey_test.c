/* SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <string.h>

#include "ct.h"
#include "devx/mkey.h"
#include "devx_rig.h"
#include "prm/klm.h"
#include "prm/prm.h"

/* Indirect mkeys over the memory region of the rig (mkey.c). */

enum { START = 0x100000, FRAME = 200 };

FIXTURE(indirect)
{
	struct devx_rig rig;
	struct devx_mkey mkey;
	uint8_t *slot;
};

FIXTURE_SETUP(indirect)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
	self->slot = devx_rig_get_send_slot(&self->rig, 0);
	devx_rig_post_recv(&self->rig, 1 << DEVX_RIG_LOG2_RQ);
}

FIXTURE_TEARDOWN(indirect)
{
	devx_mkey_destroy(&self->mkey);
	EXPECT_EQ(0, self->rig.dev.n_stuck);
	devx_rig_down(&self->rig);
}

/* Sends the first FRAME bytes of the mkey, and expects frame @seq to arrive. */
static void expect_frame(struct ct_fix_indirect *self, uint32_t seq)
{
	struct devx_rig *rig = &self->rig;
	void *addr = (void *)(uintptr_t)self->mkey.addr;
	const struct prm_cqe *cqe;

	devx_sq_ring(&rig->sq, devx_rig_post_send(rig, addr, FRAME, self->mkey.lkey));
	cqe = devx_rig_wait_cqe(&rig->send_cq);
	ASSERT_TRUE(cqe);
	EXPECT_EQ(PRM_CQE_REQ, prm_cqe_opcode(cqe->op_own));
	devx_rig_drop_cqe(&rig->send_cq);
	cqe = devx_rig_wait_cqe(&rig->recv_cq);
	ASSERT_TRUE(cqe);
	EXPECT_EQ(PRM_CQE_RESP_SEND, prm_cqe_opcode(cqe->op_own));
	EXPECT_EQ(seq, devx_rig_read_seq(rig, devx_rig_get_recv_slot(rig, 0),
					 prm_be32_get(cqe->byte_cnt)));
	devx_rig_drop_cqe(&rig->recv_cq);
}

static struct devx_mkey_piece piece_at(struct ct_fix_indirect *self, const uint8_t *at,
				       uint32_t bytes)
{
	return (struct devx_mkey_piece){ self->rig.mr.lkey, bytes, (uintptr_t)at };
}

TEST_F(indirect, list_of_pieces_is_sent_as_one_frame)
{
	uint8_t *second = devx_rig_get_send_slot(&self->rig, 3);
	const struct devx_mkey_piece pieces[] = { piece_at(self, self->slot, 50),
						  piece_at(self, second, FRAME) };

	devx_rig_write_frame(&self->rig, self->slot, 41, FRAME);
	memcpy(second, self->slot + 50, FRAME - 50);
	ASSERT_EQ(0, devx_mkey_create_list(&self->mkey, &self->rig.dev, START, pieces, 2));
	EXPECT_EQ(START, self->mkey.addr);
	EXPECT_EQ(50 + FRAME, self->mkey.bytes);
	expect_frame(self, 41);
}

TEST_F(indirect, list_shows_a_list)
{
	struct devx_mkey inner = { 0 };
	const struct devx_mkey_piece piece = piece_at(self, self->slot, FRAME);
	struct devx_mkey_piece outer = { .bytes = FRAME - 10, .addr = 20 };

	devx_rig_write_frame(&self->rig, self->slot, 42, FRAME);
	ASSERT_EQ(0, devx_mkey_create_list(&inner, &self->rig.dev, 20, &piece, 1));
	outer.lkey = inner.lkey;
	ASSERT_EQ(0, devx_mkey_create_list(&self->mkey, &self->rig.dev, START,
					   (struct devx_mkey_piece[]){
						   outer, { inner.lkey, 10, 20 + FRAME - 10 } },
					   2));
	expect_frame(self, 42);
	devx_mkey_destroy(&inner);
}

TEST_F(indirect, pieces_of_a_fixed_length_follow_each_other)
{
	enum { PAGE = 4096 };
	uint8_t *second = self->slot + 8192;
	const struct devx_mkey_piece pieces[] = { piece_at(self, self->slot, 0),
						  piece_at(self, second, 0) };

	devx_rig_write_frame(&self->rig, second + PAGE - 100, 43, FRAME);
	memcpy(self->slot + PAGE - 100, second + PAGE - 100, 100);
	memcpy(second, second + PAGE, FRAME - 100);
	ASSERT_EQ(0, devx_mkey_create_fixed(&self->mkey, &self->rig.dev, START, 12, pieces, 2));
	EXPECT_EQ(2 * PAGE, self->mkey.bytes);
	self->mkey.addr += PAGE - 100;
	expect_frame(self, 43);
}

TEST_F(indirect, strided_pattern_is_sent_as_one_frame)
{
	enum { A = 30, B = 20, A_STRIDE = 64, B_STRIDE = 100, CYCLES = FRAME / (A + B) };
	uint8_t frame[FRAME], *b = devx_rig_get_send_slot(&self->rig, 1);
	const struct devx_mkey_stride strides[] = {
		{ self->rig.mr.lkey, A, A_STRIDE, (uintptr_t)self->slot },
		{ self->rig.mr.lkey, B, B_STRIDE, (uintptr_t)b },
	};

	devx_rig_write_frame(&self->rig, frame, 44, FRAME);
	for (int i = 0; i < CYCLES; i++) {
		memcpy(self->slot + i * A_STRIDE, frame + i * (A + B), A);
		memcpy(b + i * B_STRIDE, frame + i * (A + B) + A, B);
	}
	ASSERT_EQ(0,
		  devx_mkey_create_strided(&self->mkey, &self->rig.dev, START, CYCLES, strides, 2));
	EXPECT_EQ(FRAME, self->mkey.bytes);
	expect_frame(self, 44);
}

/* Stands before libmlx5's function, to see the length of the input. */
static size_t last_in_bytes;

struct mlx5dv_devx_obj *mlx5dv_devx_obj_create(struct ibv_context *ctx, const void *in,
					       size_t in_bytes, void *out, size_t out_bytes)
{
	static __typeof__(mlx5dv_devx_obj_create) *next;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "mlx5dv_devx_obj_create");
	last_in_bytes = in_bytes;
	return next(ctx, in, in_bytes, out, out_bytes);
}

/* libdpcp announces a multiple of four entries, and sends one more. */
TEST_F(indirect, strided_list_is_as_long_as_that_of_libdpcp)
{
	const struct devx_mkey_stride stride = { self->rig.mr.lkey, 64, 64, (uintptr_t)self->slot };

	ASSERT_EQ(0, devx_mkey_create_strided(&self->mkey, &self->rig.dev, START, 2, &stride, 1));
	EXPECT_EQ(sizeof(struct prm_create_mkey_in) + 5 * PRM_KLM_BYTES, last_in_bytes);
}

TEST_F(indirect, longest_list_fits_a_command)
{
	static struct devx_mkey_piece pieces[DEVX_MKEY_PIECES_MAX];

	for (int i = 0; i < DEVX_MKEY_PIECES_MAX; i++)
		pieces[i] = piece_at(self, self->slot + i % 64, 1);
	EXPECT_EQ(0, devx_mkey_create_list(&self->mkey, &self->rig.dev, START, pieces,
					   DEVX_MKEY_PIECES_MAX));
	EXPECT_EQ(DEVX_MKEY_PIECES_MAX, self->mkey.bytes);
}

static void expect_refused(struct ct_fix_indirect *self, int want, const char *says, int rc)
{
	static const struct devx_mkey zero;

	devx_rig_expect_error(&self->rig.dev, want, says, rc);
	EXPECT_MEMEQ(&zero, &self->mkey, sizeof(zero));
}

TEST_F(indirect, create_rejects_bad_lists)
{
	struct devx_dev *dev = &self->rig.dev;
	struct devx_mkey_piece two[2] = { piece_at(self, self->slot, 1),
					  piece_at(self, self->slot, 1u << 31) };

	expect_refused(self, -EINVAL, "0 pieces",
		       devx_mkey_create_list(&self->mkey, dev, 0, two, 0));
	expect_refused(self, -EINVAL, "4077 pieces are invalid (valid: 1 to 4076)",
		       devx_mkey_create_list(&self->mkey, dev, 0, two, DEVX_MKEY_PIECES_MAX + 1));
	expect_refused(self, -EINVAL, "wrap at 2^64",
		       devx_mkey_create_list(&self->mkey, dev, UINT64_MAX - 100, two, 2));
	two[1].bytes++;
	expect_refused(self, -EINVAL, "piece 1 has 2147483649 bytes",
		       devx_mkey_create_list(&self->mkey, dev, 0, two, 2));
	two[0].bytes = 0;
	expect_refused(self, -EINVAL, "piece 0 has 0 bytes",
		       devx_mkey_create_list(&self->mkey, dev, 0, two, 2));
}

TEST_F(indirect, create_rejects_bad_fixed_and_strided_lists)
{
	struct devx_dev *dev = &self->rig.dev;
	struct devx_mkey_piece piece = piece_at(self, self->slot, 0);
	struct devx_mkey_stride stride = { self->rig.mr.lkey, 1, 1, (uintptr_t)self->slot };

	expect_refused(self, -EINVAL, "2^11",
		       devx_mkey_create_fixed(&self->mkey, dev, 0, 11, &piece, 1));
	expect_refused(self, -EINVAL, "2^32",
		       devx_mkey_create_fixed(&self->mkey, dev, 0, 32, &piece, 1));
	expect_refused(self, -EINVAL, "aligned",
		       devx_mkey_create_fixed(&self->mkey, dev, 512, 12, &piece, 1));
	expect_refused(self, -EINVAL, "wrap at 2^64",
		       devx_mkey_create_fixed(&self->mkey, dev, -4096ull, 12, &piece, 1));
	piece.bytes = 1;
	expect_refused(self, -EINVAL, "piece 0 has 1 bytes",
		       devx_mkey_create_fixed(&self->mkey, dev, 0, 12, &piece, 1));
	expect_refused(self, -EINVAL, "0 cycles",
		       devx_mkey_create_strided(&self->mkey, dev, 0, 0, &stride, 1));
	expect_refused(self, -EINVAL, "0 pieces",
		       devx_mkey_create_strided(&self->mkey, dev, 0, 1, &stride, 0));
	expect_refused(
		self, -EINVAL, "4076 pieces are invalid (valid: 1 to 4075)",
		devx_mkey_create_strided(&self->mkey, dev, 0, 1, &stride, DEVX_MKEY_PIECES_MAX));
	expect_refused(self, -EINVAL, "wrap at 2^64",
		       devx_mkey_create_strided(&self->mkey, dev, UINT64_MAX, 2, &stride, 1));
	stride.bytes = 0;
	expect_refused(self, -EINVAL, "piece 0 has 0 bytes",
		       devx_mkey_create_strided(&self->mkey, dev, 0, 1, &stride, 1));
}

TEST_F(indirect, create_needs_capabilities)
{
	struct devx_dev *dev = &self->rig.dev;
	const struct devx_mkey_piece piece = piece_at(self, self->slot, 0);
	const struct devx_mkey_piece five[5] = { { .bytes = 1 } };

	dev->caps.log_max_klm_list_size = 2;
	expect_refused(self, -EINVAL, "5 pieces are invalid (valid: 1 to 4)",
		       devx_mkey_create_list(&self->mkey, dev, 0, five, 5));
	dev->caps.fixed_buffer_size = false;
	expect_refused(self, -ENOTSUP, "capability fixed_buffer_size is 0",
		       devx_mkey_create_fixed(&self->mkey, dev, 0, 12, &piece, 1));
	dev->caps.max_indirection = 0;
	expect_refused(self, -ENOTSUP, "capability max_indirection is 0",
		       devx_mkey_create_list(&self->mkey, dev, 0, &piece, 1));
}
