/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "core_rig_post.h"
#include "emu/base/dev.h"
#include "emu/control.h"
#include "udp_frame.h"
#include "prm/cqe.h"
#include "prm/wqe.h"

enum { FRAME = 64, N_BUFFERS_LOG = 6 };

/* A port whose wire is a loop: the RQ receives every frame that the SQ sends. */
FIXTURE(sq)
{
	struct core_rig r;
	struct core_rig_cq cq;
	struct core_rig_sq sq;
	struct core_rig_rx rx;
	uint8_t *mem; /* frames to send */
	uint32_t lkey;
	unsigned n_rx; /* received frames that the test has taken */
};

FIXTURE_SETUP(sq)
{
	core_rig_open(&self->r, &(struct core_rig_config){ .wire = "loop" });
	self->cq = core_rig_make_cq(&self->r, 6);
	self->sq = core_rig_make_sq(&self->r, 4, self->cq.cqn);
	self->rx = core_rig_make_rx(&self->r, N_BUFFERS_LOG, 2048);
	self->mem = core_rig_alloc(&self->r, 65536);
	self->lkey = core_rig_make_mkey(&self->r, self->mem, 65536, false);
	for (unsigned i = 0; i < 65536; i++)
		self->mem[i] = (uint8_t)(i * 7 + (i >> 8));
	memcpy(self->mem, "\x02\0\0\0\0\x01\x02\0\0\0\0\x02\x88\xb5", 14); /* not IP */
}

FIXTURE_TEARDOWN(sq)
{
	core_rig_close(&self->r);
}

/* Expects the next received frame to have these bytes. */
static void expect_frame(struct ct_fix_sq *self, const void *want, uint32_t bytes)
{
	struct prm_cqe *cqe = core_rig_take_cqe(&self->rx.cq);

	SCOPED_TRACE("frame %u", self->n_rx);
	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(PRM_CQE_RESP_SEND, prm_cqe_opcode(cqe->op_own));
	ASSERT_EQ(bytes, prm_be32_get(cqe->byte_cnt));
	EXPECT_MEMEQ(want, self->rx.buffers + (self->n_rx++ % self->rx.rq.n) * self->rx.bytes,
		     bytes);
	core_rig_post_more(&self->rx.rq, (uint16_t)(self->rx.rq.n + self->n_rx));
}

static void expect_completion(struct ct_fix_sq *self, uint16_t wqe_counter)
{
	struct prm_cqe *cqe = core_rig_take_cqe(&self->cq);

	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(PRM_CQE_REQ, prm_cqe_opcode(cqe->op_own));
	EXPECT_EQ(wqe_counter, prm_be16_get(cqe->wqe_counter));
	EXPECT_EQ(self->sq.sqn, prm_be32_get(cqe->sop_drop_qpn) & 0xffffff);
}

TEST_F(sq, send_transmits_one_data_segment)
{
	core_rig_post_send(&self->r, &self->sq, self->lkey, self->mem, FRAME);
	EXPECT_EQ(1, emu_poll(self->r.emu, 16));
	expect_frame(self, self->mem, FRAME);
	expect_completion(self, 0);
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

/* Three WQEs of 3 segments each, and room for two and a part. */
TEST_F(sq, record_of_wqes_ends_where_its_room_ends)
{
	enum { WQE = 3 * PRM_DS_BYTES, ROOM = 2 * WQE + PRM_DS_BYTES };
	uint8_t record[ROOM + 1] __attribute__((aligned(16))) = { [ROOM] = 0x5a };

	core_rig_post_send(&self->r, &self->sq, self->lkey, self->mem, FRAME);
	emu_poll(self->r.emu, 16);
	EXPECT_EQ(0, emu_record_wqes(self->r.emu, record, ROOM)); /* none was recorded */
	for (unsigned i = 0; i < 3; i++)
		core_rig_post_send(&self->r, &self->sq, self->lkey, self->mem, FRAME + i);
	while (emu_poll(self->r.emu, 1))
		;
	EXPECT_EQ(2 * WQE, emu_record_wqes(self->r.emu, NULL, 0));
	EXPECT_EQ(0, emu_record_wqes(self->r.emu, NULL, 0));
	for (unsigned i = 0; i < 2; i++) {
		const struct prm_ctrl_seg *ctrl = (const void *)(record + i * WQE);
		const struct prm_data_seg *seg = (const void *)(ctrl + 2);

		EXPECT_EQ(1 + i, prm_ctrl_index(ctrl));
		EXPECT_EQ(WQE / PRM_DS_BYTES, prm_ctrl_ds(ctrl));
		EXPECT_EQ(FRAME + i, prm_be32_get(seg->byte_count));
		EXPECT_EQ(self->lkey, prm_be32_get(seg->lkey));
	}
	EXPECT_EQ(0x5a, record[ROOM]);
}

TEST_F(sq, nothing_moves_without_a_doorbell)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_SEND, PRM_CE_ALWAYS);

	core_rig_add_eth(&p, 0);
	core_rig_add_pointer(&p, self->lkey, self->mem, FRAME);
	core_rig_end_wqe(&self->r, &p, false);
	self->sq.dbr[PRM_DBR_SND] = prm_be32_of(self->sq.pi);
	EXPECT_EQ(0, emu_poll(self->r.emu, 16));
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->rx.cq));
}

TEST_F(sq, nop_of_any_length_completes)
{
	for (unsigned ds = 1; ds < 60; ds += 7) {
		struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_NOP, PRM_CE_ALWAYS);
		const uint16_t at = self->sq.pi;

		while (p.ds < ds)
			core_rig_add_ds(&p);
		core_rig_end_wqe(&self->r, &p, true);
		emu_poll(self->r.emu, 16);
		expect_completion(self, at);
	}
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

/* Posts WQEs of many lengths, which cross the end of the ring at different segments. */
TEST_F(sq, wraps_the_ring_at_any_segment_and_the_index_at_65536)
{
	uint32_t total = 0;

	for (unsigned k = 0; total < 70000; k++) {
		struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_SEND, PRM_CE_ALWAYS);
		const uint16_t at = self->sq.pi;
		const unsigned inl = 20 + k % 120;

		SCOPED_TRACE("WQE %u at 0x%x", k, at);
		if (k % 3 == 0)
			core_rig_add_header(&p, self->mem, (uint16_t)inl);
		else
			core_rig_add_eth(&p, 0);
		if (k % 3 == 1)
			core_rig_add_inline(&p, self->mem, inl);
		if (k % 3 == 2)
			core_rig_add_pointer(&p, self->lkey, self->mem, inl);
		core_rig_add_pointer(&p, self->lkey, self->mem + inl, 60);
		core_rig_end_wqe(&self->r, &p, true);
		total += (uint16_t)(self->sq.pi - at);
		emu_poll(self->r.emu, 16);
		expect_frame(self, self->mem, inl + 60);
		expect_completion(self, at);
		if (core_rig_count_mistakes(&self->r))
			break;
	}
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

TEST_F(sq, pointers_and_inline_segments_mix)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_SEND, PRM_CE_ALWAYS);

	core_rig_add_header(&p, self->mem, 18);
	core_rig_add_pointer(&p, self->lkey, self->mem + 18, 5);
	core_rig_add_inline(&p, self->mem + 23, 40);
	core_rig_add_pointer(&p, self->lkey, self->mem, 0); /* no bytes, not 2 GiB */
	core_rig_add_pointer(&p, self->lkey, self->mem + 63, 37);
	core_rig_add_inline(&p, self->mem + 100, 1);
	core_rig_end_wqe(&self->r, &p, true);
	emu_poll(self->r.emu, 16);
	expect_frame(self, self->mem, 101);
	expect_completion(self, 0);
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_empty_segment]);
	EXPECT_EQ(1, core_rig_count_mistakes(&self->r));
}

TEST_F(sq, multi_packet_wqe_sends_each_entry)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_ENHANCED_MPSW, PRM_CE_ALWAYS);

	core_rig_add_eth(&p, 0);
	core_rig_add_pointer(&p, self->lkey, self->mem, 64);
	core_rig_add_inline(&p, self->mem, 61);
	core_rig_add_pointer(&p, self->lkey, self->mem, 1000);
	core_rig_add_inline(&p, self->mem, 75);
	core_rig_end_wqe(&self->r, &p, true);
	EXPECT_EQ(4, emu_poll(self->r.emu, 16));
	expect_frame(self, self->mem, 64);
	expect_frame(self, self->mem, 61);
	expect_frame(self, self->mem, 1000);
	expect_frame(self, self->mem, 75);
	expect_completion(self, 0);
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

/*
 * If the budget of emu_poll() ends inside a WQE, no packet is lost or repeated, and the CQE does
 * not come early.
 */
TEST_F(sq, multi_packet_wqe_resumes_where_the_budget_ended)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_ENHANCED_MPSW, PRM_CE_ALWAYS);

	core_rig_add_eth(&p, 0);
	for (unsigned i = 0; i < 5; i++)
		core_rig_add_pointer(&p, self->lkey, self->mem, 60 + i);
	core_rig_end_wqe(&self->r, &p, true);
	for (unsigned i = 0; i < 5; i++) {
		EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
		EXPECT_EQ(1, emu_poll(self->r.emu, 1));
		expect_frame(self, self->mem, 60 + i);
	}
	emu_poll(self->r.emu, 1);
	expect_completion(self, 0);
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->rx.cq));
}

TEST_F(sq, ce_decides_which_wqes_complete)
{
	static const uint8_t ces[] = { PRM_CE_ERROR, PRM_CE_FIRST_ERROR, PRM_CE_ALWAYS,
				       PRM_CE_ALWAYS_EVENT };

	for (unsigned i = 0; i < 4; i++) {
		struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_NOP, ces[i]);

		core_rig_end_wqe(&self->r, &p, true);
	}
	emu_poll(self->r.emu, 16);
	expect_completion(self, 2);
	expect_completion(self, 3);
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->cq));
	EXPECT_EQ(1, self->r.irqs[0]); /* for CE_ALWAYS_EVENT, although the CQ is not armed */
}

TEST_F(sq, short_frames_are_padded_and_long_ones_dropped)
{
	uint8_t want[60] = { 0 };

	memcpy(want, self->mem, 20);
	core_rig_post_send(&self->r, &self->sq, self->lkey, self->mem, 20);
	emu_poll(self->r.emu, 16);
	expect_frame(self, want, sizeof(want));
	core_rig_post_send(&self->r, &self->sq, self->lkey, self->mem, 1500 + 18);
	emu_poll(self->r.emu, 16);
	expect_frame(self, self->mem, 1518);
	core_rig_post_send(&self->r, &self->sq, self->lkey, self->mem, 1500 + 19);
	emu_poll(self->r.emu, 16);
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->rx.cq));
	EXPECT_EQ(1, self->r.emu->vport.tx_oversize);
	expect_completion(self, 0);
	expect_completion(self, 1);
	expect_completion(self, 2);
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

TEST_F(sq, inserts_a_vlan_tag)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_SEND, PRM_CE_ALWAYS);
	struct prm_eth_seg *eth = core_rig_add_eth(&p, 0);
	uint8_t want[104];

	eth->insert_type = prm_be16_of(PRM_ETH_INSERT_VLAN);
	eth->vlan_tci = prm_be16_of(0x6123);
	core_rig_add_pointer(&p, self->lkey, self->mem, 100);
	core_rig_end_wqe(&self->r, &p, true);
	emu_poll(self->r.emu, 16);
	memcpy(want, self->mem, 12);
	memcpy(want + 12, "\x81\x00\x61\x23", 4);
	memcpy(want + 16, self->mem + 12, 88);
	expect_frame(self, want, 104);
}

static const struct udp_frame csum_frames[] = {
	{ .fill = 1 },
	{ .fill = 2, .v6 = true },
	{ .fill = 3, .tci = 5 },
};

TEST_F(sq, checksum_offload_overwrites_the_fields)
{
	for (unsigned i = 0; i < sizeof(csum_frames) / sizeof(csum_frames[0]); i++) {
		struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_SEND, PRM_CE_ALWAYS);
		uint8_t want[99];
		unsigned ip = csum_frames[i].tci ? 18 : 14;
		unsigned l4 = ip + (csum_frames[i].v6 ? 40 : 20);

		udp_frame_write(want, sizeof(want), &csum_frames[i]);
		memcpy(self->mem, want, sizeof(want));
		self->mem[l4 + 6] ^= 0x55;
		if (!csum_frames[i].v6)
			self->mem[ip + 10] ^= 0xaa;
		core_rig_add_eth(&p, PRM_ETH_CS_L3 | PRM_ETH_CS_L4);
		core_rig_add_pointer(&p, self->lkey, self->mem, sizeof(want));
		core_rig_end_wqe(&self->r, &p, true);
		emu_poll(self->r.emu, 16);
		expect_frame(self, want, sizeof(want));
	}
}

TEST_F(sq, a_udp_checksum_of_0_is_sent_as_ffff)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_SEND, PRM_CE_ALWAYS);
	uint8_t want[62];
	uint16_t sum;

	/* chooses the last word so that the sum is 0xffff and the checksum 0 */
	udp_frame_write(want, sizeof(want), &(struct udp_frame){ .fill = 0 });
	sum = (uint16_t)(want[40] << 8 | want[41]);
	want[60] = (uint8_t)(sum >> 8);
	want[61] = (uint8_t)sum;
	memcpy(self->mem, want, sizeof(want));
	want[40] = want[41] = 0xff;
	core_rig_add_eth(&p, PRM_ETH_CS_L4);
	core_rig_add_pointer(&p, self->lkey, self->mem, sizeof(want));
	core_rig_end_wqe(&self->r, &p, true);
	emu_poll(self->r.emu, 16);
	expect_frame(self, want, sizeof(want));
}

TEST_F(sq, fragments_keep_their_l4_checksum)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_SEND, PRM_CE_ALWAYS);
	uint8_t want[80];

	udp_frame_write(want, sizeof(want), &(struct udp_frame){ .fill = 9 });
	want[14 + 6] = 0x20; /* more fragments */
	want[14 + 10] = want[14 + 11] = 0;
	memcpy(self->mem, want, sizeof(want));
	*(uint16_t *)(want + 24) = prm_be16_of((uint16_t)~udp_frame_sum(want + 14, 20, 0)).raw;
	core_rig_add_eth(&p, PRM_ETH_CS_L3 | PRM_ETH_CS_L4);
	core_rig_add_pointer(&p, self->lkey, self->mem, sizeof(want));
	core_rig_end_wqe(&self->r, &p, true);
	emu_poll(self->r.emu, 16);
	expect_frame(self, want, sizeof(want));
}
