/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "ct.h"
#include "devx/mkey.h"
#include "devx_rig.h"
#include "emu/uverbs/emu_ctl.h"
#include "wait_limit.h"

/*
 * Mistakes of a driver, made on purpose. emu counts them, so devx-emu exits with 125: mistake.sh
 * runs this program apart from the other tests and expects that status.
 */

FIXTURE(mistake)
{
	struct devx_rig rig;
	uint64_t mistakes; /* emu's count when the test began */
};

static uint64_t count_mistakes(void)
{
	const struct devx_emu_ctl *emu = devx_emu_ctl_find();
	struct devx_emu_counters c = { 0 };

	if (emu)
		emu->counters(0, &c, sizeof(c));
	return c.mistakes;
}

FIXTURE_SETUP(mistake)
{
	ASSERT_EQ(0, devx_rig_up(&self->rig));
	devx_rig_post_recv(&self->rig, 1 << DEVX_RIG_LOG2_RQ);
	self->mistakes = count_mistakes();
}

FIXTURE_TEARDOWN(mistake)
{
	devx_rig_down(&self->rig);
}

static struct prm_ctrl_seg *post_frame(struct devx_rig *rig, uint32_t seq, uint32_t lkey)
{
	uint8_t *slot = devx_rig_get_send_slot(rig, seq);

	devx_rig_write_frame(rig, slot, seq, 64);
	return devx_rig_post_send(rig, slot, 64, lkey);
}

static void expect_error(struct devx_rig *rig, uint16_t index, uint8_t syndrome)
{
	const struct prm_cqe *cqe = devx_rig_wait_cqe(&rig->send_cq);
	const struct prm_err_cqe *err = (const struct prm_err_cqe *)cqe;

	ASSERT_TRUE(err);
	EXPECT_EQ(PRM_CQE_REQ_ERR, prm_cqe_opcode(err->op_own));
	EXPECT_EQ(syndrome, err->syndrome);
	EXPECT_EQ(index, prm_be16_get(err->wqe_counter));
	devx_rig_drop_cqe(&rig->send_cq);
}

/* WQE 0 is valid, 1 has an unknown lkey, 2 and 3 are flushed; a reset makes the queue usable. */
TEST_F(mistake, bad_lkey_puts_the_sq_into_err_until_a_reset)
{
	struct devx_rig *rig = &self->rig;
	enum prm_wq_state state = PRM_WQ_STATE_RDY;
	struct prm_ctrl_seg *last;

	post_frame(rig, 0, rig->mr.lkey);
	post_frame(rig, 1, rig->mr.lkey ^ 0x5500);
	post_frame(rig, 2, rig->mr.lkey);
	last = post_frame(rig, 3, rig->mr.lkey);
	devx_sq_ring(&rig->sq, last);
	ASSERT_TRUE(devx_rig_wait_cqe(&rig->send_cq));
	EXPECT_EQ(PRM_CQE_REQ, prm_cqe_opcode(devx_cq_peek(&rig->send_cq)->op_own));
	devx_rig_drop_cqe(&rig->send_cq);
	expect_error(rig, 1, PRM_SYND_LOCAL_PROT);
	expect_error(rig, 2, PRM_SYND_WR_FLUSH);
	expect_error(rig, 3, PRM_SYND_WR_FLUSH);
	ASSERT_EQ(0, devx_sq_query_state(&rig->sq, &state));
	EXPECT_EQ(PRM_WQ_STATE_ERR, state);
	EXPECT_LT(self->mistakes, count_mistakes());

	ASSERT_EQ(0, devx_sq_reset(&rig->sq));
	ASSERT_EQ(0, devx_sq_ready(&rig->sq));
	ASSERT_EQ(0, devx_sq_query_state(&rig->sq, &state));
	EXPECT_EQ(PRM_WQ_STATE_RDY, state);
	devx_rig_drop_cqe(&rig->recv_cq); /* the frame of WQE 0 */
	for (uint32_t n = 0; n < 10; n++) {
		const struct prm_cqe *cqe;

		devx_sq_ring(&rig->sq, post_frame(rig, 100 + n, rig->mr.lkey));
		cqe = devx_rig_wait_cqe(&rig->send_cq);
		ASSERT_TRUE(cqe);
		EXPECT_EQ(PRM_CQE_REQ, prm_cqe_opcode(cqe->op_own));
		EXPECT_EQ(n, prm_be16_get(cqe->wqe_counter));
		devx_rig_drop_cqe(&rig->send_cq);
		cqe = devx_rig_wait_cqe(&rig->recv_cq);
		ASSERT_TRUE(cqe);
		EXPECT_EQ(100 + n, devx_rig_read_seq(rig, devx_rig_get_recv_slot(rig, n + 1), 64));
		devx_rig_drop_cqe(&rig->recv_cq);
	}
}

/* Waits until emu has counted one mistake more than at the start of the test. */
static void expect_one_mistake(const struct ct_fix_mistake *self)
{
	for (unsigned i = 0; i < WAIT_LIMIT_MS && count_mistakes() == self->mistakes; i++)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	EXPECT_EQ(self->mistakes + 1, count_mistakes());
}

/* A reset sets doorbell record and pi to 0, so the device executes WQEs posted after ready. */
TEST_F(mistake, doorbell_before_ready_sends_nothing)
{
	struct devx_rig *rig = &self->rig;
	struct devx_cq_attr cq_attr = { .log2_n = 3, .uar = &rig->uar };
	struct devx_sq_attr sq_attr = { .log2_n = 3, .tis = &rig->tis, .uar = &rig->uar };

	/* replaces the SQ of the rig, which is in RDY, by a new one in RST */
	devx_sq_destroy(&rig->sq);
	devx_cq_destroy(&rig->send_cq);
	ASSERT_EQ(0, devx_cq_create(&rig->send_cq, &rig->dev, &cq_attr));
	sq_attr.cq = &rig->send_cq;
	ASSERT_EQ(0, devx_sq_create(&rig->sq, &rig->dev, &sq_attr));

	devx_sq_ring(&rig->sq, post_frame(rig, 0, rig->mr.lkey));
	expect_one_mistake(self);
	EXPECT_EQ(NULL, devx_cq_peek(&rig->send_cq));
	EXPECT_EQ(NULL, devx_cq_peek(&rig->recv_cq));

	ASSERT_EQ(0, devx_sq_reset(&rig->sq));
	ASSERT_EQ(0, devx_sq_ready(&rig->sq));
	devx_sq_ring(&rig->sq, post_frame(rig, 1, rig->mr.lkey));
	ASSERT_TRUE(devx_rig_wait_cqe(&rig->send_cq));
	devx_rig_drop_cqe(&rig->send_cq);
	ASSERT_TRUE(devx_rig_wait_cqe(&rig->recv_cq));
	EXPECT_EQ(1, devx_rig_read_seq(rig, devx_rig_get_recv_slot(rig, 0),
				       64)); /* frame 0 is never sent */
}

TEST_F(mistake, device_ignores_a_doorbell_on_another_page)
{
	struct devx_rig *rig = &self->rig;
	struct devx_uar other = { 0 };
	struct prm_ctrl_seg *last = post_frame(rig, 0, rig->mr.lkey);

	ASSERT_EQ(0, devx_uar_create(&other, &rig->dev, DEVX_UAR_NC));
	rig->sq.dbrec[PRM_DBR_SND] = prm_be32_of(rig->sq.pi);
	devx_uar_ring(&other, last);
	expect_one_mistake(self);
	EXPECT_EQ(NULL, devx_cq_peek(&rig->send_cq));

	devx_sq_ring(&rig->sq, last); /* on the page that the SQ names */
	EXPECT_TRUE(devx_rig_wait_cqe(&rig->send_cq));
	devx_uar_destroy(&other);
}

TEST_F(mistake, doorbell_without_doorbell_record_sends_nothing)
{
	struct devx_rig *rig = &self->rig;
	struct prm_ctrl_seg *last = post_frame(rig, 0, rig->mr.lkey);

	devx_uar_ring(&rig->uar, last);
	expect_one_mistake(self);
	EXPECT_EQ(NULL, devx_cq_peek(&rig->send_cq));
}

/* ---- memory that the program takes away ------------------------------------------------- */

static void unmap_memory(uint8_t *at, size_t bytes, int fd)
{
	(void)fd;
	EXPECT_EQ(0, munmap(at, bytes));
}

static void truncate_memory(uint8_t *at, size_t bytes, int fd)
{
	(void)at;
	(void)bytes;
	EXPECT_EQ(0, ftruncate(fd, 0));
}

static const struct taken {
	const char *name;
	void (*take)(uint8_t *at, size_t bytes, int fd);
} taken[] = {
	{ "unmapped", unmap_memory },
	{ "truncated", truncate_memory },
};

/* emu keeps no memory alive; Linux does, and sends the frame. */
TEST_F_EACH(mistake, memory_taken_away_fails_the_wqe_and_not_the_program, struct taken, taken)
{
	const struct devx_emu_ctl *emu = devx_emu_ctl_find();
	const size_t bytes = 4096;
	const int fd = memfd_create("taken", MFD_CLOEXEC);
	struct devx_mr mr = { 0 };
	uint8_t *at;

	if (!emu)
		SKIP("needs emu, because Linux keeps registered memory alive");
	ASSERT_EQ(0, ftruncate(fd, (off_t)bytes));
	at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ASSERT_EQ(0, devx_mr_create(&mr, &self->rig.dev, at, bytes));
	devx_rig_write_frame(&self->rig, at, 1, 64);
	row->take(at, bytes, fd);
	devx_sq_ring(&self->rig.sq, devx_rig_post_send(&self->rig, at, 64, mr.lkey));
	expect_error(&self->rig, 0, PRM_SYND_LOCAL_PROT);
	EXPECT_EQ(self->mistakes + 1, count_mistakes());
	devx_mr_destroy(&mr);
	close(fd);
	munmap(at, bytes);
}

/* Sends @bytes through an indirect mkey with one piece, and expects the SQ to fail. */
static void expect_protection_error(struct devx_rig *rig, uint32_t lkey, unsigned bytes)
{
	enum { START = 0x100000 };
	const struct devx_mkey_piece piece = { lkey, 200,
					       (uintptr_t)devx_rig_get_send_slot(rig, 0) };
	struct devx_mkey mkey = { 0 };
	const uint16_t index = rig->sq.pi;

	ASSERT_EQ(0, devx_mkey_create_list(&mkey, &rig->dev, START, &piece, 1));
	devx_sq_ring(&rig->sq, devx_rig_post_send(rig, (void *)(uintptr_t)START, bytes, mkey.lkey));
	expect_error(rig, index, PRM_SYND_LOCAL_PROT);
	devx_mkey_destroy(&mkey);
}

TEST_F(mistake, access_beyond_an_indirect_mkey_fails_the_sq)
{
	expect_protection_error(&self->rig, self->rig.mr.lkey, 201);
}

TEST_F(mistake, access_to_a_piece_without_an_mkey_fails_the_sq)
{
	expect_protection_error(&self->rig, self->rig.mr.lkey ^ 1, 200);
}
