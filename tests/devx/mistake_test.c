/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include <time.h>

#include "ct.h"
#include "emu/uverbs/emu_ctl.h"
#include "devx_rig.h"

/*
 * What a driver may not do, done on purpose. emu counts each as a mistake, so the launcher
 * ends in 125: this program has a test of its own, which expects that.
 */

FIXTURE(mistake) {
	struct stack s;
	uint64_t mistakes; /* before */
};

static uint64_t n_mistakes(void)
{
	const struct devx_emu_ctl *emu = devx_emu_ctl_find();
	struct devx_emu_counters c = {0};

	if (emu)
		emu->counters(0, &c, sizeof(c));
	return c.mistakes;
}

FIXTURE_SETUP(mistake)
{
	ASSERT_EQ(0, stack_up(&self->s));
	stack_post_recv(&self->s, 1 << STACK_LOG2_RQ);
	self->mistakes = n_mistakes();
}

FIXTURE_TEARDOWN(mistake)
{
	stack_down(&self->s);
}

static struct prm_ctrl_seg *post(struct stack *s, uint32_t seq, uint32_t lkey)
{
	uint8_t *slot = stack_send_slot(s, seq);

	stack_frame(s, slot, seq, 64);
	return stack_post_send(s, slot, 64, lkey);
}

static void expect_error(struct stack *s, uint16_t index, uint8_t syndrome)
{
	const struct prm_err_cqe *err = (const struct prm_err_cqe *)stack_wait(&s->send_cq);

	ASSERT_TRUE(err);
	EXPECT_EQ(PRM_CQE_REQ_ERR, prm_cqe_opcode(err->op_own));
	EXPECT_EQ(syndrome, err->syndrome);
	EXPECT_EQ(index, prm_be16_get(err->wqe_counter));
	stack_drop(&s->send_cq);
}

/* WQE 0 is good, 1 has a foreign lkey, 2 and 3 are flushed behind it; then a reset mends it. */
TEST_F(mistake, bad_lkey_ends_in_err_and_a_reset_mends_it)
{
	struct stack *s = &self->s;
	enum devx_wq_state state = DEVX_WQ_RDY;
	struct prm_ctrl_seg *last;

	post(s, 0, s->mr.lkey);
	post(s, 1, s->mr.lkey ^ 0x5500);
	post(s, 2, s->mr.lkey);
	last = post(s, 3, s->mr.lkey);
	devx_sq_ring(&s->sq, last);
	ASSERT_TRUE(stack_wait(&s->send_cq));
	EXPECT_EQ(PRM_CQE_REQ, prm_cqe_opcode(devx_cq_peek(&s->send_cq)->op_own));
	stack_drop(&s->send_cq);
	expect_error(s, 1, PRM_SYND_LOCAL_PROT);
	expect_error(s, 2, PRM_SYND_WR_FLUSH);
	expect_error(s, 3, PRM_SYND_WR_FLUSH);
	ASSERT_EQ(0, devx_sq_query_state(&s->sq, &state));
	EXPECT_EQ(DEVX_WQ_ERR, state);
	EXPECT_LT(self->mistakes, n_mistakes());

	ASSERT_EQ(0, devx_sq_reset(&s->sq));
	ASSERT_EQ(0, devx_sq_ready(&s->sq));
	ASSERT_EQ(0, devx_sq_query_state(&s->sq, &state));
	EXPECT_EQ(DEVX_WQ_RDY, state);
	stack_drop(&s->recv_cq); /* WQE 0 */
	for (uint32_t n = 0; n < 10; n++) {
		const struct prm_cqe *cqe;

		devx_sq_ring(&s->sq, post(s, 100 + n, s->mr.lkey));
		cqe = stack_wait(&s->send_cq);
		ASSERT_TRUE(cqe);
		EXPECT_EQ(PRM_CQE_REQ, prm_cqe_opcode(cqe->op_own));
		EXPECT_EQ(n, prm_be16_get(cqe->wqe_counter));
		stack_drop(&s->send_cq);
		cqe = stack_wait(&s->recv_cq);
		ASSERT_TRUE(cqe);
		EXPECT_EQ(100 + n, stack_frame_seq(s, stack_recv_slot(s, n + 1), 64));
		stack_drop(&s->recv_cq);
	}
}

/* Waits up to a second for a mistake after those of the fixture. */
static void expect_one_mistake(const struct ct_fix_mistake *self)
{
	for (unsigned i = 0; i < 1000 && n_mistakes() == self->mistakes; i++)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	EXPECT_EQ(self->mistakes + 1, n_mistakes());
}

/* After a reset the record is 0 and pi too, so the device finds what is posted after ready. */
TEST_F(mistake, doorbell_before_ready_sends_nothing)
{
	struct stack *s = &self->s;
	struct devx_cq_attr cq_attr = { .log2_n = 3, .uar = &s->uar };
	struct devx_sq_attr sq_attr = { .log2_n = STACK_LOG2_SQ, .tis = &s->tis, .uar = &s->uar };

	/* a new queue in place of the one that the rig made ready */
	devx_sq_destroy(&s->sq);
	devx_cq_destroy(&s->send_cq);
	ASSERT_EQ(0, devx_cq_create(&s->send_cq, &s->dev, &cq_attr));
	sq_attr.cq = &s->send_cq;
	ASSERT_EQ(0, devx_sq_create(&s->sq, &s->dev, &sq_attr));

	devx_sq_ring(&s->sq, post(s, 0, s->mr.lkey));
	expect_one_mistake(self);
	EXPECT_EQ(NULL, devx_cq_peek(&s->send_cq));
	EXPECT_EQ(NULL, devx_cq_peek(&s->recv_cq));

	ASSERT_EQ(0, devx_sq_reset(&s->sq));
	ASSERT_EQ(0, devx_sq_ready(&s->sq));
	devx_sq_ring(&s->sq, post(s, 1, s->mr.lkey));
	ASSERT_TRUE(stack_wait(&s->send_cq));
	stack_drop(&s->send_cq);
	ASSERT_TRUE(stack_wait(&s->recv_cq));
	EXPECT_EQ(1, stack_frame_seq(s, stack_recv_slot(s, 0), 64)); /* not frame 0 */
}

TEST_F(mistake, doorbell_on_another_page_is_not_heard)
{
	struct stack *s = &self->s;
	struct devx_uar other = {0};
	struct prm_ctrl_seg *last = post(s, 0, s->mr.lkey);

	ASSERT_EQ(0, devx_uar_create(&other, &s->dev, DEVX_UAR_NC));
	s->sq.dbrec[PRM_DBR_SND] = prm_be32_of(s->sq.pi);
	devx_uar_ring(&other, last);
	expect_one_mistake(self);
	EXPECT_EQ(NULL, devx_cq_peek(&s->send_cq));

	devx_sq_ring(&s->sq, last); /* on its own page it is */
	EXPECT_TRUE(stack_wait(&s->send_cq));
	devx_uar_destroy(&other);
}

TEST_F(mistake, doorbell_without_its_record_sends_nothing)
{
	struct stack *s = &self->s;
	struct prm_ctrl_seg *last = post(s, 0, s->mr.lkey);

	devx_uar_ring(&s->uar, last);
	expect_one_mistake(self);
	EXPECT_EQ(NULL, devx_cq_peek(&s->send_cq));
}
