/* SPDX-License-Identifier: BSD-3-Clause */
#include <endian.h>
#include <string.h>

#include "emu/base/profile.h"
#include "emu/base/dev.h"
#include "emu/packet/csum.h"
#include "emu/queue/port.h"
#include "emu/queue/rq.h"
#include "core_rig_post.h"
#include "core_rig_steer.h"
#include "udp_frame.h"
#include "prm/wqe.h"

enum { BYTES = 2048, LOG_N = 3 };

/* The tests deliver frames with emu_port_rx(), as a wire does. */
FIXTURE(rq)
{
	struct core_rig r;
	struct core_rig_rx rx;
	uint8_t frame[2048];
};

FIXTURE_SETUP(rq)
{
	core_rig_open(&self->r, &(struct core_rig_config){ .wire = "sink" });
	self->rx = core_rig_make_rx(&self->r, LOG_N, BYTES);
}

FIXTURE_TEARDOWN(rq)
{
	core_rig_close(&self->r);
}

static struct emu_rq *find_rq(const struct ct_fix_rq *self)
{
	return emu_obj_at(&self->r.emu->table[EMU_RQ], self->rx.rq.rqn);
}

static bool receive_frame(struct ct_fix_rq *self, uint32_t bytes, bool may_wait)
{
	bool taken;

	emu_lock(self->r.adapter);
	taken = emu_port_rx(self->r.emu, &(struct emu_frame){ self->frame, bytes }, may_wait);
	emu_unlock(self->r.adapter);
	return taken;
}

static struct prm_data_seg *get_segment(struct ct_fix_rq *self, unsigned wqe, unsigned i)
{
	return (struct prm_data_seg *)(self->rx.rq.ring + wqe * self->rx.rq.stride) + i;
}

TEST_F(rq, scatters_and_completes_in_order_of_posting)
{
	for (unsigned i = 0; i < 200; i++) {
		const unsigned slot = i & (self->rx.rq.n - 1), bytes = 60 + i * 7;
		struct prm_cqe *cqe;

		SCOPED_TRACE("frame %u", i);
		udp_frame_write(self->frame, bytes, &(struct udp_frame){ .fill = (uint8_t)i });
		receive_frame(self, bytes, false);
		cqe = core_rig_take_cqe(&self->rx.cq);
		ASSERT_NE(NULL, cqe);
		EXPECT_EQ(PRM_CQE_RESP_SEND, prm_cqe_opcode(cqe->op_own));
		EXPECT_EQ(bytes, prm_be32_get(cqe->byte_cnt));
		EXPECT_EQ(i, prm_be16_get(cqe->wqe_counter));
		EXPECT_MEMEQ(self->frame, self->rx.buffers + slot * BYTES, bytes);
		core_rig_post_more(&self->rx.rq, (uint16_t)(self->rx.rq.n + i + 1));
	}
	EXPECT_EQ(200, self->r.emu->vport.rx_uc_packets);
}

/* ---- contents of the CQE --------------------------------------------------------- */

enum { OK_ALL = PRM_CQE_L2_OK | PRM_CQE_L3_OK | PRM_CQE_L4_OK };
enum {
	HDR_V4_UDP = PRM_CQE_L3_IPV4 << PRM_CQE_HDR_L3_SHIFT | PRM_CQE_L4_UDP
								       << PRM_CQE_HDR_L4_SHIFT,
	HDR_V6_UDP = PRM_CQE_L3_IPV6 << PRM_CQE_HDR_L3_SHIFT | PRM_CQE_L4_UDP
								       << PRM_CQE_HDR_L4_SHIFT
};

static const struct verdict {
	const char *name;
	struct udp_frame udp;
	uint8_t ok, hdr;
	uint8_t l3_off;
} verdicts[] = {
	{ "good_v4", { .fill = 1 }, OK_ALL, HDR_V4_UDP, 14 },
	{ "good_v6", { .fill = 2, .v6 = true }, OK_ALL, HDR_V6_UDP, 14 },
	{ "tagged", { .fill = 3, .tci = 7 }, OK_ALL, HDR_V4_UDP, 18 },
	{ "bad_ip_sum", { .fill = 4, .bad_ip = true }, OK_ALL & ~PRM_CQE_L3_OK, HDR_V4_UDP, 14 },
	{ "bad_udp_sum", { .fill = 5, .bad_l4 = true }, OK_ALL & ~PRM_CQE_L4_OK, HDR_V4_UDP, 14 },
	{ "no_udp_sum_v4", { .fill = 6, .no_csum = true }, OK_ALL, HDR_V4_UDP, 14 },
	{ "no_udp_sum_v6",
	  { .fill = 7, .no_csum = true, .v6 = true },
	  OK_ALL & ~PRM_CQE_L4_OK,
	  HDR_V6_UDP,
	  14 },
};

TEST_F(rq, cqe_reports_the_headers_of_the_frame)
{
	FOR_EACH_ROW (v, verdicts) {
		const unsigned ip_bytes = 101; /* odd */
		const struct prm_cqe *cqe;

		udp_frame_write(self->frame, v->l3_off + ip_bytes, &v->udp);
		memset(self->frame + v->l3_off + ip_bytes, 0x77, 8); /* padding is not summed */
		receive_frame(self, v->l3_off + ip_bytes + 8, false);
		cqe = core_rig_take_cqe(&self->rx.cq);
		ASSERT_NE(NULL, cqe);
		EXPECT_EQ(v->ok, cqe->hds_ip_ext);
		EXPECT_EQ(v->hdr, cqe->l4_l3_hdr_type);
		EXPECT_EQ(udp_frame_sum(self->frame + v->l3_off, ip_bytes, 0),
			  prm_be16_get(cqe->check_sum));
		EXPECT_EQ(0, prm_be32_get(cqe->srqn_uidx) >> 24); /* not LRO */
	}
}

TEST_F(rq, cqe_of_a_frame_without_ip_reports_no_checksums)
{
	const struct prm_cqe *cqe;

	memcpy(self->frame, "\x02\0\0\0\0\x01\x02\0\0\0\0\x02\x08\x06", 14);
	receive_frame(self, 60, false);
	cqe = core_rig_take_cqe(&self->rx.cq);
	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(PRM_CQE_L2_OK, cqe->hds_ip_ext);
	EXPECT_EQ(0, cqe->l4_l3_hdr_type);
	EXPECT_EQ(0, prm_be16_get(cqe->check_sum));
}

TEST_F(rq, carries_user_index_tag_and_a_rising_clock)
{
	uint64_t last = 0;

	find_rq(self)->user_index = 0xabcdef;
	udp_frame_write(self->frame, 60, &(struct udp_frame){ .fill = 1 });
	for (unsigned i = 0; i < 3; i++) {
		const struct prm_cqe *cqe;

		emu_poll(self->r.emu, 1); /* the clock is read at the start of a turn */
		receive_frame(self, 60, false);
		cqe = core_rig_take_cqe(&self->rx.cq);
		ASSERT_NE(NULL, cqe);
		EXPECT_EQ(0xabcdef, prm_be32_get(cqe->srqn_uidx));
		EXPECT_LT(last, prm_be64_get(cqe->timestamp));
		last = prm_be64_get(cqe->timestamp);
	}
}

TEST_F(rq, strips_a_vlan_tag_when_asked)
{
	const struct prm_cqe *cqe;

	find_rq(self)->vsd = false;
	udp_frame_write(self->frame, 100, &(struct udp_frame){ .fill = 8, .tci = 0x2345 });
	receive_frame(self, 100, false);
	cqe = core_rig_take_cqe(&self->rx.cq);
	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(96, prm_be32_get(cqe->byte_cnt));
	EXPECT_EQ(0x2345, prm_be16_get(cqe->vlan_info));
	EXPECT_EQ(HDR_V4_UDP | PRM_CQE_HDR_CV, cqe->l4_l3_hdr_type);
	EXPECT_MEMEQ(self->frame, self->rx.buffers, 12);
	EXPECT_MEMEQ(self->frame + 16, self->rx.buffers + 12, 84);
}

TEST_F(rq, appends_the_fcs_when_asked)
{
	const struct prm_cqe *cqe;
	uint32_t fcs;

	find_rq(self)->scatter_fcs = true;
	memcpy(self->frame, "\x02\0\0\0\0\x01\x02\0\0\0\0\x02\x88\xb5", 14);
	receive_frame(self, 60, false);
	cqe = core_rig_take_cqe(&self->rx.cq);
	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(64, prm_be32_get(cqe->byte_cnt));
	EXPECT_EQ(0xcbf43926u,
		  emu_crc32(0, (const uint8_t *)"123456789", 9)); /* the CRC's check value */
	memcpy(&fcs, self->rx.buffers + 60, sizeof(fcs));
	EXPECT_EQ(emu_crc32(0, self->frame, 60), le32toh(fcs));
}

/* ---- scatter lists ------------------------------------------------------------------ */

static const struct last {
	const char *name;
	uint32_t option, lkey;
	bool ends; /* the list */
} lasts[] = {
	{ "old_key", 0, PRM_LKEY_INVALID, true },
	{ "own_key", 1, EMU_TERMINATE_MKEY, true },
	{ "old_key_of_a_device_with_its_own", 1, PRM_LKEY_INVALID, false },
};

/*
 * WQEs of four segments. In WQE 0 a frame fits; in WQE 1 the list ends before the frame does, or
 * its second segment is empty.
 */
TEST_F_EACH(rq, scatter_lists_skip_empty_segments_and_end_at_a_key, struct last, lasts)
{
	struct core_rig_cq cq = core_rig_make_cq(&self->r, 4);
	struct core_rig_rq rq = core_rig_make_rq(&self->r, 2, 2, cq.cqn);
	struct prm_data_seg *s = (struct prm_data_seg *)rq.ring;
	uint8_t *mem = self->rx.buffers;

	EXPECT_EQ(0, emu_set_option(self->r.adapter, "terminate_mkey", row->option));
	core_rig_steer_all(&self->r, core_rig_make_tir(&self->r, rq.rqn));
	for (unsigned wqe = 0; wqe < 4; wqe++)
		for (unsigned i = 0; i < 4; i++) {
			s[4 * wqe + i].lkey = prm_be32_of(self->rx.lkey);
			s[4 * wqe + i].addr = prm_be64_of((uintptr_t)mem + (4 * wqe + i) * 512);
		}
	/* WQE 0: 40 bytes | empty | 200 bytes, bit 31 set and ignored | unused */
	s[0].byte_count = prm_be32_of(40);
	s[2].byte_count = prm_be32_of(200 | PRM_INLINE_SEG);
	s[3].byte_count = prm_be32_of(7);
	/* WQE 1: 40 bytes | lkey that ends the list | unused */
	s[4].byte_count = prm_be32_of(40);
	s[5].lkey = prm_be32_of(row->lkey);
	s[6].byte_count = prm_be32_of(200);
	core_rig_post_more(&rq, 4);

	udp_frame_write(self->frame, 100, &(struct udp_frame){ .fill = 3 });
	receive_frame(self, 100, false);
	ASSERT_NE(NULL, core_rig_take_cqe(&cq));
	EXPECT_MEMEQ(self->frame, mem, 40);
	EXPECT_MEMEQ(self->frame + 40, mem + 2 * 512, 60);
	receive_frame(self, 100, false);

	const struct prm_err_cqe *err = (const struct prm_err_cqe *)core_rig_take_cqe(&cq);

	ASSERT_NE(NULL, err);
	EXPECT_EQ(row->ends ? PRM_CQE_RESP_ERR : PRM_CQE_RESP_SEND, prm_cqe_opcode(err->op_own));
	if (row->ends)
		EXPECT_EQ(PRM_SYND_LOCAL_LENGTH, err->syndrome);
}

/* ---- errors -------------------------------------------------------------------------- */

TEST_F(rq, frame_without_a_buffer_is_dropped_and_counted)
{
	struct emu_q_counter counter = { .out_of_buffer = 0 };

	find_rq(self)->counter = &counter;
	udp_frame_write(self->frame, 60, &(struct udp_frame){ .fill = 1 });
	for (unsigned i = 0; i < self->rx.rq.n + 3; i++)
		EXPECT_TRUE(receive_frame(self, 60, false));
	EXPECT_EQ(3, counter.out_of_buffer);
	EXPECT_EQ(3, self->r.emu->vport.rx_out_of_buffer);
	find_rq(self)->counter = NULL;
}

TEST_F(rq, frame_waits_for_a_buffer_on_a_wire_with_pause)
{
	udp_frame_write(self->frame, 60, &(struct udp_frame){ .fill = 1 });
	for (unsigned i = 0; i < self->rx.rq.n; i++)
		EXPECT_TRUE(receive_frame(self, 60, true));
	EXPECT_FALSE(receive_frame(self, 60, true));
	EXPECT_EQ(self->rx.rq.n, self->r.emu->vport.rx_uc_packets);
	core_rig_post_more(&self->rx.rq, (uint16_t)(self->rx.rq.n + 1));
	EXPECT_TRUE(receive_frame(self, 60, true));
	EXPECT_EQ(0, self->r.emu->vport.rx_out_of_buffer);
}

TEST_F(rq, frame_larger_than_its_buffer_is_lost_alone)
{
	const struct prm_err_cqe *err;

	get_segment(self, 0, 0)->byte_count = prm_be32_of(99);
	udp_frame_write(self->frame, 100, &(struct udp_frame){ .fill = 1 });
	receive_frame(self, 100, false);
	err = (const struct prm_err_cqe *)core_rig_take_cqe(&self->rx.cq);
	ASSERT_NE(NULL, err);
	EXPECT_EQ(PRM_CQE_RESP_ERR, prm_cqe_opcode(err->op_own));
	EXPECT_EQ(PRM_SYND_LOCAL_LENGTH, err->syndrome);
	EXPECT_EQ(0, prm_be16_get(err->wqe_counter));
	receive_frame(self, 100, false);

	const struct prm_cqe *cqe = core_rig_take_cqe(&self->rx.cq);

	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(PRM_CQE_RESP_SEND, prm_cqe_opcode(cqe->op_own));
	EXPECT_EQ(1, prm_be16_get(cqe->wqe_counter));
}

/* An lkey without write access puts the RQ into ERR and flushes its WQEs. */
TEST_F(rq, bad_lkey_puts_the_rq_into_err)
{
	const struct prm_err_cqe *err;

	get_segment(self, 1, 0)->lkey =
		prm_be32_of(core_rig_make_mkey(&self->r, self->rx.buffers, BYTES, false));
	udp_frame_write(self->frame, 100, &(struct udp_frame){ .fill = 1 });
	receive_frame(self, 100, false);
	ASSERT_NE(NULL, core_rig_take_cqe(&self->rx.cq));
	receive_frame(self, 100, false);
	for (unsigned i = 1; i < self->rx.rq.n; i++) {
		SCOPED_TRACE("WQE %u", i);
		err = (const struct prm_err_cqe *)core_rig_take_cqe(&self->rx.cq);
		ASSERT_NE(NULL, err);
		EXPECT_EQ(PRM_CQE_RESP_ERR, prm_cqe_opcode(err->op_own));
		EXPECT_EQ(i == 1 ? PRM_SYND_LOCAL_PROT : PRM_SYND_WR_FLUSH, err->syndrome);
		EXPECT_EQ(i, prm_be16_get(err->wqe_counter));
	}
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->rx.cq));
	EXPECT_EQ(PRM_WQ_STATE_ERR, find_rq(self)->state);
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_bad_lkey]);
	/* reset, as drivers recover */
	EXPECT_EQ(PRM_STATUS_OK, core_rig_modify_rq(&self->r, self->rx.rq.rqn, PRM_WQ_STATE_ERR,
						    PRM_WQ_STATE_RST));
	core_rig_post_rq(&self->rx.rq, self->rx.lkey, self->rx.buffers, BYTES, 0);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_modify_rq(&self->r, self->rx.rq.rqn, PRM_WQ_STATE_RST,
						    PRM_WQ_STATE_RDY));
	core_rig_post_more(&self->rx.rq, (uint16_t)self->rx.rq.n);
	receive_frame(self, 100, false);
	ASSERT_NE(NULL, core_rig_take_cqe(&self->rx.cq));
	EXPECT_MEMEQ(self->frame, self->rx.buffers, 100);
}

TEST_F(rq, posting_more_than_the_ring_is_a_mistake)
{
	core_rig_post_more(&self->rx.rq, (uint16_t)(self->rx.rq.n + 1));
	udp_frame_write(self->frame, 60, &(struct udp_frame){ .fill = 1 });
	receive_frame(self, 60, false);
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_rq_overrun]);
	EXPECT_EQ(PRM_WQ_STATE_ERR, find_rq(self)->state);
}

/* Some drivers write 32 bits to the doorbell record; the device uses the lower 16. */
TEST_F(rq, upper_bits_of_the_record_are_ignored)
{
	self->rx.rq.dbr[PRM_DBR_RCV] = prm_be32_of(0xabc00000 | self->rx.rq.n);
	udp_frame_write(self->frame, 60, &(struct udp_frame){ .fill = 1 });
	receive_frame(self, 60, false);
	EXPECT_NE(NULL, core_rig_take_cqe(&self->rx.cq));
	EXPECT_EQ(0, self->r.mistakes.n[EMU_MISTAKE_rq_overrun]);
}

TEST_F(rq, rq_in_rst_drops_frames)
{
	EXPECT_EQ(PRM_STATUS_OK, core_rig_modify_rq(&self->r, self->rx.rq.rqn, PRM_WQ_STATE_RDY,
						    PRM_WQ_STATE_RST));
	udp_frame_write(self->frame, 60, &(struct udp_frame){ .fill = 1 });
	EXPECT_TRUE(receive_frame(self, 60, true));
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->rx.cq));
	EXPECT_EQ(1, self->r.emu->vport.rx_error);
}

/* ---- the port --------------------------------------------------------------------------- */

TEST_F(rq, port_accepts_every_mac_and_checks_the_length)
{
	struct emu_link link;

	emu_get_link(self->r.emu, &link);
	link.promisc = link.allmulti =
		false; /* promiscuous mode of the vport context; only steering filters */
	emu_set_link(self->r.emu, &link);
	udp_frame_write(self->frame, 60, &(struct udp_frame){ .fill = 1 });
	self->frame[5] = 0x77; /* not the MAC of this port */
	receive_frame(self, 1518, false);
	EXPECT_EQ(1, self->r.emu->vport.rx_uc_packets);
	EXPECT_EQ(1518, self->r.emu->vport.rx_uc_bytes);
	EXPECT_NE(NULL, core_rig_take_cqe(&self->rx.cq));
	receive_frame(self, 1519, false);
	EXPECT_EQ(1, self->r.emu->vport.rx_oversize);
	memset(self->frame, 0xff, 6);
	receive_frame(self, 60, false);
	EXPECT_EQ(1, self->r.emu->vport.rx_bc_packets);
	self->frame[5] = 0x01; /* a multicast address */
	receive_frame(self, 60, false);
	EXPECT_EQ(1, self->r.emu->vport.rx_mc_packets);
}

TEST_F(rq, port_that_is_down_drops_every_frame)
{
	struct emu_link link;

	emu_get_link(self->r.emu, &link);
	link.up = false;
	emu_set_link(self->r.emu, &link);
	udp_frame_write(self->frame, 60, &(struct udp_frame){ .fill = 1 });
	EXPECT_TRUE(receive_frame(self, 60, true));
	EXPECT_TRUE(emu_port_tx(self->r.emu, &(struct emu_frame){ self->frame, 60 }, NULL));
	EXPECT_EQ(NULL, core_rig_take_cqe(&self->rx.cq));
	EXPECT_EQ(1, self->r.emu->vport.rx_link_down);
	EXPECT_EQ(1, self->r.emu->vport.tx_link_down);
	EXPECT_EQ(0, self->r.emu->vport.tx_uc_packets);
}
