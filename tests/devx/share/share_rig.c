/* SPDX-License-Identifier: BSD-3-Clause */
#include "share_rig.h"

#include <unistd.h>

#include "ct.h"

enum { FRAME_BYTES = 64 };

void share_rig_up(struct share_rig *s)
{
	s->fd = -1;
	ASSERT_EQ(0, devx_rig_up(&s->rig));
	ASSERT_EQ(0, devx_dev_export(&s->rig.dev, &s->share, &s->fd));
	ASSERT_EQ(0, devx_dev_import(&s->other, s->fd, &s->share));
}

void share_rig_down(struct share_rig *s)
{
	EXPECT_EQ(0, s->other.n_stuck);
	EXPECT_EQ(0, s->rig.dev.n_stuck);
	devx_dev_close(&s->other);
	devx_rig_down(&s->rig);
	if (s->fd >= 0)
		close(s->fd);
}

void share_rig_expect_frame(struct devx_rig *from, struct devx_rig *rig, uint32_t seq)
{
	uint8_t *frame = devx_rig_get_send_slot(rig, seq);
	const uint32_t slot = rig->rq.pi;
	const struct prm_cqe *cqe;

	devx_rig_write_frame(rig, frame, seq, FRAME_BYTES);
	devx_rig_post_recv(rig, slot + 1);
	devx_sq_ring(&from->sq, devx_rig_post_send(from, frame, FRAME_BYTES, rig->mr.lkey));
	cqe = devx_rig_wait_cqe(&from->send_cq);
	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(PRM_CQE_REQ, prm_cqe_opcode(cqe->op_own));
	devx_rig_drop_cqe(&from->send_cq);
	cqe = devx_rig_wait_cqe(&rig->recv_cq);
	ASSERT_NE(NULL, cqe);
	devx_rig_drop_cqe(&rig->recv_cq);
	EXPECT_EQ(seq, devx_rig_read_seq(rig, devx_rig_get_recv_slot(rig, slot), FRAME_BYTES));
}

int share_rig_create_sender(struct devx_rig *sender, struct devx_dev *dev,
			    const struct devx_tis *tis, const struct devx_uar *uar)
{
	const struct devx_cq_attr cq = { .log2_n = DEVX_RIG_LOG2_CQ, .uar = uar };
	const struct devx_sq_attr sq = {
		.log2_n = DEVX_RIG_LOG2_SQ, .cq = &sender->send_cq, .tis = tis, .uar = uar
	};
	int rc = devx_cq_create(&sender->send_cq, dev, &cq);

	if (!rc)
		rc = devx_sq_create(&sender->sq, dev, &sq);
	return rc ? rc : devx_sq_ready(&sender->sq);
}

void share_rig_destroy_sender(struct devx_rig *sender)
{
	devx_sq_destroy(&sender->sq);
	devx_cq_destroy(&sender->send_cq);
}
