/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "core_rig_post.h"
#include "emu/base/dev.h"
#include "emu/queue/sq.h"
#include "prm/cqe.h"
#include "prm/wqe.h"

enum { FRAME = 64, USER_INDEX = 0xabcdef };

/* Tests of SQs with an invalid WQE. The wire is a sink. */
FIXTURE(sq_error)
{
	struct core_rig r;
	struct core_rig_cq cq;
	struct core_rig_sq sq;
	uint8_t *mem;
	uint32_t lkey;
};

static void make_sq(struct ct_fix_sq_error *self)
{
	struct emu_sq *sq;

	self->sq = core_rig_make_sq(&self->r, 4, self->cq.cqn);
	sq = emu_obj_at(&self->r.emu->table[EMU_SQ], self->sq.sqn);
	sq->user_index = USER_INDEX;
}

static void open_profile(struct ct_fix_sq_error *self, const char *profile)
{
	core_rig_open(&self->r, &(struct core_rig_config){ .wire = "sink", .profile = profile });
	self->cq = core_rig_make_cq(&self->r, 6);
	make_sq(self);
	self->mem = core_rig_alloc(&self->r, 65536);
	self->lkey = core_rig_make_mkey(&self->r, self->mem, 65536, false);
	memcpy(self->mem, "\x02\0\0\0\0\x01\x02\0\0\0\0\x02\x88\xb5", 14);
}

FIXTURE_SETUP(sq_error)
{
	open_profile(self, NULL);
}

FIXTURE_TEARDOWN(sq_error)
{
	core_rig_close(&self->r);
}

/* Expects the next CQE to be an error CQE with this syndrome and WQE. */
static void expect_error(struct ct_fix_sq_error *self, uint8_t syndrome, uint16_t wqe_counter)
{
	const struct prm_err_cqe *cqe = (const struct prm_err_cqe *)core_rig_take_cqe(&self->cq);

	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(PRM_CQE_REQ_ERR, prm_cqe_opcode(cqe->op_own));
	EXPECT_EQ(syndrome, cqe->syndrome);
	EXPECT_EQ(USER_INDEX, prm_be32_get(cqe->srqn));
	EXPECT_EQ(wqe_counter, prm_be16_get(cqe->wqe_counter));
}

/* Each of these functions breaks a SEND that has one data segment. */
static void set_unknown_opcode(struct core_rig_wqe *p)
{
	p->opcode = PRM_WQE_DUMP;
}
static void clear_ds(struct core_rig_wqe *p)
{
	p->ds = 0;
}
static void claim_more_ds(struct core_rig_wqe *p)
{
	p->ds = 63;
}
static void ask_software_parser(struct core_rig_wqe *p)
{
	((struct prm_eth_seg *)(p->ctrl + 1))->swp_flags = 0x10;
}
static void spoil_lkey(struct core_rig_wqe *p)
{
	((struct prm_data_seg *)(p->ctrl + 2))->lkey.raw ^= 1;
}
static void clear_lkey(struct core_rig_wqe *p)
{
	((struct prm_data_seg *)(p->ctrl + 2))->lkey.raw = 0;
}
static void lower_address(struct core_rig_wqe *p)
{
	((struct prm_data_seg *)(p->ctrl + 2))->addr.raw = 0;
}
static void shorten_frame(struct core_rig_wqe *p)
{
	((struct prm_data_seg *)(p->ctrl + 2))->byte_count = prm_be32_of(13);
}
static void shorten_tagged_frame(struct core_rig_wqe *p)
{
	((struct prm_eth_seg *)(p->ctrl + 1))->insert_type = prm_be16_of(PRM_ETH_INSERT_VLAN);
	((struct prm_data_seg *)(p->ctrl + 2))->byte_count = prm_be32_of(17);
}
static void lengthen_frame(struct core_rig_wqe *p)
{
	((struct prm_data_seg *)(p->ctrl + 2))->byte_count = prm_be32_of(65537);
}
static void lengthen_inline(struct core_rig_wqe *p)
{
	((struct prm_data_seg *)(p->ctrl + 2))->byte_count = prm_be32_of(PRM_INLINE_SEG | 13);
}
static void lengthen_header(struct core_rig_wqe *p)
{
	((struct prm_eth_seg *)(p->ctrl + 1))->inline_hdr_sz = prm_be16_of(19);
}

static const struct broken {
	const char *name;
	void (*breaks)(struct core_rig_wqe *);
	uint8_t syndrome;
	enum emu_mistake mistake;
} broken[] = {
	{ "unknown_opcode", set_unknown_opcode, PRM_SYND_LOCAL_QP_OP, EMU_MISTAKE_bad_wqe },
	{ "ds_0", clear_ds, PRM_SYND_LOCAL_QP_OP, EMU_MISTAKE_bad_wqe },
	{ "longer_than_posted", claim_more_ds, PRM_SYND_LOCAL_QP_OP, EMU_MISTAKE_bad_wqe },
	{ "software_parser", ask_software_parser, PRM_SYND_LOCAL_QP_OP, EMU_MISTAKE_bad_wqe },
	{ "inline_beyond_end", lengthen_inline, PRM_SYND_LOCAL_QP_OP, EMU_MISTAKE_bad_wqe },
	{ "header_beyond_end", lengthen_header, PRM_SYND_LOCAL_QP_OP, EMU_MISTAKE_bad_wqe },
	{ "runt", shorten_frame, PRM_SYND_LOCAL_QP_OP, EMU_MISTAKE_bad_wqe },
	{ "runt_with_tag", shorten_tagged_frame, PRM_SYND_LOCAL_QP_OP, EMU_MISTAKE_bad_wqe },
	{ "wrong_tag", spoil_lkey, PRM_SYND_LOCAL_PROT, EMU_MISTAKE_bad_lkey },
	{ "no_such_key", clear_lkey, PRM_SYND_LOCAL_PROT, EMU_MISTAKE_bad_lkey },
	{ "address_below", lower_address, PRM_SYND_LOCAL_PROT, EMU_MISTAKE_bad_lkey },
	{ "length_beyond", lengthen_frame, PRM_SYND_LOCAL_PROT, EMU_MISTAKE_bad_lkey },
};

static void set_signature(struct core_rig_wqe *p)
{
	p->ctrl->signature = 1;
}
static void set_fence(struct core_rig_wqe *p)
{
	p->ctrl->fm_ce_se |= 1 << 5;
}
static void add_empty_segment(struct core_rig_wqe *p)
{
	((struct prm_data_seg *)(p->ctrl + 3))->byte_count = prm_be32_of(0);
}

static const struct odd {
	const char *name;
	void (*change)(struct core_rig_wqe *);
	enum emu_mistake mistake;
} odd[] = {
	{ "signature", set_signature, EMU_MISTAKE_ctrl_flags },
	{ "fence", set_fence, EMU_MISTAKE_ctrl_flags },
	{ "empty_segment", add_empty_segment, EMU_MISTAKE_empty_segment },
};

/* Posts a SEND of two data segments after @change. */
static void post_changed(struct ct_fix_sq_error *self, void (*change)(struct core_rig_wqe *))
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_SEND, PRM_CE_ALWAYS);

	core_rig_add_eth(&p, 0);
	core_rig_add_pointer(&p, self->lkey, self->mem, FRAME);
	core_rig_add_pointer(&p, self->lkey, self->mem, FRAME);
	core_rig_end_wqe(&self->r, &p, false);
	change(&p);
	core_rig_ring_sq(&self->r, &self->sq, p.ctrl);
	emu_poll(self->r.emu, 16);
}

static void expect_sent(struct ct_fix_sq_error *self)
{
	const struct prm_cqe *cqe = core_rig_take_cqe(&self->cq);

	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(PRM_CQE_REQ, prm_cqe_opcode(cqe->op_own));
}

TEST_F(sq_error, odd_wqe_is_sent_and_counted_as_a_mistake)
{
	FOR_EACH_ROW (row, odd) {
		const uint64_t before = core_rig_count_mistakes(&self->r);

		post_changed(self, row->change);
		expect_sent(self);
		EXPECT_EQ(before + 1, core_rig_count_mistakes(&self->r));
		EXPECT_LT(0, self->r.mistakes.n[row->mistake]);
	}
}

/* Posts a multi-packet WQE with one frame, in the WQE or in memory. */
static void post_multi(struct ct_fix_sq_error *self, bool in_wqe)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_ENHANCED_MPSW, PRM_CE_ALWAYS);

	core_rig_add_eth(&p, 0);
	if (in_wqe)
		core_rig_add_inline(&p, self->mem, FRAME);
	else
		core_rig_add_pointer(&p, self->lkey, self->mem, FRAME);
	core_rig_end_wqe(&self->r, &p, true);
	emu_poll(self->r.emu, 16);
}

TEST_F(sq_error, multi_packet_wqe_needs_headers_that_the_sq_requires)
{
	struct emu_sq *sq = emu_obj_at(&self->r.emu->table[EMU_SQ], self->sq.sqn);

	sq->min_inline = PRM_MIN_WQE_INLINE_MODE_L2;
	post_multi(self, true);
	expect_sent(self);
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
	post_multi(self, false);
	expect_error(self, PRM_SYND_LOCAL_QP_OP, 2);
	EXPECT_EQ(1, core_rig_count_mistakes(&self->r));
}

TEST_F(sq_error, wqe_needs_headers_that_the_port_requires)
{
	core_rig_close(&self->r);
	memset(self, 0, sizeof(*self));
	open_profile(self, "inline");
	post_multi(self, true);
	expect_sent(self);
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
	core_rig_post_send(&self->r, &self->sq, self->lkey, self->mem, FRAME);
	emu_poll(self->r.emu, 16);
	expect_error(self, PRM_SYND_LOCAL_QP_OP, 2);
	EXPECT_EQ(1, core_rig_count_mistakes(&self->r));
}

TEST_F(sq_error, port_without_eth_virt_requires_no_headers)
{
	core_rig_close(&self->r);
	memset(self, 0, sizeof(*self));
	open_profile(self, "inline,eth_virt=0");
	core_rig_post_send(&self->r, &self->sq, self->lkey, self->mem, FRAME);
	emu_poll(self->r.emu, 16);
	expect_sent(self);
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

/* The SQ enters ERR. The broken WQE gets an error CQE; the WQE after it gets a flush CQE. */
TEST_F(sq_error, broken_wqe_puts_the_sq_into_err)
{
	FOR_EACH_ROW (row, broken) {
		const uint64_t before = core_rig_count_mistakes(&self->r);
		struct core_rig_wqe p;

		make_sq(self);
		p = core_rig_begin_wqe(&self->sq, PRM_WQE_SEND, PRM_CE_ALWAYS);
		core_rig_add_eth(&p, 0);
		core_rig_add_pointer(&p, self->lkey, self->mem, FRAME);
		core_rig_end_wqe(&self->r, &p, false);
		row->breaks(&p);
		p.ctrl->opmod_idx_opcode = prm_ctrl_dw0(0, 0, p.opcode);
		p.ctrl->qpn_ds = prm_ctrl_dw1(self->sq.sqn, (uint8_t)p.ds);
		if (row->breaks == claim_more_ds) {
			core_rig_ring_sq(&self->r, &self->sq, p.ctrl);
			emu_poll(self->r.emu, 16);
			expect_error(self, row->syndrome, 0);
		} else {
			core_rig_post_send(&self->r, &self->sq, self->lkey, self->mem, FRAME);
			emu_poll(self->r.emu, 16);
			expect_error(self, row->syndrome, 0);
			expect_error(self, PRM_SYND_WR_FLUSH, 1);
		}
		EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
		EXPECT_EQ(before + 1, core_rig_count_mistakes(&self->r));
		EXPECT_LT(0, self->r.mistakes.n[row->mistake]);
		EXPECT_EQ(0, self->r.emu->vport.tx_uc_packets);
		/* the SQ is in ERR: RDY -> RDY is refused */
		EXPECT_NE(PRM_STATUS_OK, core_rig_modify_sq(&self->r, self->sq.sqn,
							    PRM_WQ_STATE_RDY, PRM_WQ_STATE_RDY));
		EXPECT_EQ(PRM_STATUS_OK, core_rig_modify_sq(&self->r, self->sq.sqn,
							    PRM_WQ_STATE_ERR, PRM_WQ_STATE_RST));
	}
}

TEST_F(sq_error, flush_writes_no_cqe_for_first_error_wqes)
{
	static const uint8_t ces[] = { PRM_CE_FIRST_ERROR, PRM_CE_FIRST_ERROR, PRM_CE_ERROR,
				       PRM_CE_FIRST_ERROR, PRM_CE_ALWAYS };

	for (unsigned i = 0; i < sizeof(ces); i++) {
		struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_SEND, ces[i]);

		core_rig_add_eth(&p, 0);
		core_rig_add_pointer(&p, i ? self->lkey : self->lkey ^ 1, self->mem, FRAME);
		core_rig_end_wqe(&self->r, &p, true);
	}
	emu_poll(self->r.emu, 16);
	expect_error(self, PRM_SYND_LOCAL_PROT, 0);
	expect_error(self, PRM_SYND_WR_FLUSH, 2);
	expect_error(self, PRM_SYND_WR_FLUSH, 4);
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
}

TEST_F(sq_error, wqe_posted_in_err_is_flushed)
{
	EXPECT_EQ(PRM_STATUS_OK,
		  core_rig_modify_sq(&self->r, self->sq.sqn, PRM_WQ_STATE_RDY, PRM_WQ_STATE_ERR));
	core_rig_post_send(&self->r, &self->sq, self->lkey, self->mem, FRAME);
	emu_poll(self->r.emu, 16);
	expect_error(self, PRM_SYND_WR_FLUSH, 0);
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

TEST_F(sq_error, wrong_index_or_number_in_a_wqe_is_a_mistake)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_NOP, PRM_CE_ALWAYS);

	core_rig_end_wqe(&self->r, &p, false);
	p.ctrl->opmod_idx_opcode = prm_ctrl_dw0(0, 1, PRM_WQE_NOP);
	self->sq.dbr[PRM_DBR_SND] =
		prm_be32_of(2); /* ahead of index 1, which makes the doorbell valid */
	self->sq.pi = 2;
	core_rig_ring_sq(&self->r, &self->sq, p.ctrl);
	emu_poll(self->r.emu, 16);
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_wqe_index]);
	expect_error(self, PRM_SYND_LOCAL_QP_OP, 0);
}

TEST_F(sq_error, overrun_is_a_mistake_and_an_error)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_NOP, PRM_CE_ALWAYS);

	core_rig_end_wqe(&self->r, &p, false);
	self->sq.pi = 17;
	p.ctrl->opmod_idx_opcode = prm_ctrl_dw0(0, 16, PRM_WQE_NOP);
	core_rig_ring_sq(&self->r, &self->sq, p.ctrl);
	emu_poll(self->r.emu, 16);
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_sq_overrun]);
	expect_error(self, PRM_SYND_LOCAL_QP_OP, 0);
}
