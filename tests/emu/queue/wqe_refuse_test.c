/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each WQE that emu refuses: one mistake, one error CQE, and no frame.
 */
#include <string.h>

#include "core_rig_post.h"
#include "core_rig_qp.h"
#include "emu/base/profile.h"
#include "emu/base/dev.h"
#include "emu/queue/sq.h"
#include "prm/cqe.h"
#include "prm/wqe.h"

enum { FRAME = 64, HEADERS = 54, MSS = 1000, LOG_SQ = 6 };

FIXTURE(wqe_refuse)
{
	struct core_rig r;
	struct core_rig_cq cq;
	struct core_rig_sq sq;
	uint8_t *mem; /* a TCP frame */
	uint32_t lkey;
};

FIXTURE_SETUP(wqe_refuse)
{
	core_rig_open(&self->r, &(struct core_rig_config){ .wire = "sink" });
	self->cq = core_rig_make_cq(&self->r, 6);
	self->sq = core_rig_make_sq(&self->r, LOG_SQ, self->cq.cqn);
	self->mem = core_rig_alloc(&self->r, 65536);
	self->lkey = core_rig_make_mkey(&self->r, self->mem, 65536, false);
	memcpy(self->mem, "\x02\0\0\0\0\x01\x02\0\0\0\0\x02\x08\0", 14);
	memcpy(self->mem + 14, "\x45\0\x0b\xb8\0\0\0\0\x40\x06\0\0\x0a\0\0\1\x0a\0\0\2", 20);
	self->mem[46] = 0x50; /* TCP without options */
}

FIXTURE_TEARDOWN(wqe_refuse)
{
	core_rig_close(&self->r);
}

/* ---- WQEs: each function writes the segments behind the control segment ----------------- */

typedef void (*fill_fn)(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p);

static void add_nothing(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	(void)self;
	(void)p;
}
static void add_frame(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	core_rig_add_eth(p, 0);
	core_rig_add_pointer(p, self->lkey, self->mem, FRAME);
}
static void add_only_eth(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	(void)self;
	core_rig_add_eth(p, 0);
}
static void add_two_pieces(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	add_frame(self, p);
	core_rig_add_pointer(p, self->lkey, self->mem, FRAME);
}
static void add_bad_second_piece(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	add_frame(self, p);
	core_rig_add_pointer(p, self->lkey ^ 1, self->mem, FRAME);
}
static void add_unknown_offload(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	core_rig_add_eth(p, 1);
	core_rig_add_pointer(p, self->lkey, self->mem, FRAME);
}
static void add_trailer(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	core_rig_add_eth(p, 0)->insert_type = prm_be16_of(PRM_ETH_TRAILER);
	core_rig_add_pointer(p, self->lkey, self->mem, FRAME);
}
static void add_tag(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	core_rig_add_eth(p, 0)->insert_type = prm_be16_of(PRM_ETH_INSERT_VLAN);
	core_rig_add_pointer(p, self->lkey, self->mem, FRAME);
}
static void add_mss(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	core_rig_add_eth(p, 0)->mss = prm_be16_of(MSS);
	core_rig_add_pointer(p, self->lkey, self->mem, FRAME);
}
/* Says 13 more bytes than the segment holds. */
static void add_long_inline(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	prm_be32 *seg;

	(void)self;
	core_rig_add_eth(p, 0);
	seg = core_rig_add_ds(p);
	*seg = prm_be32_of(PRM_INLINE_SEG | 13);
}
static void add_bad_key(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	core_rig_add_eth(p, 0);
	core_rig_add_pointer(p, self->lkey ^ 1, self->mem, FRAME);
}
/* The first frame of these can be sent, and the second cannot. */
static void add_second_bad_key(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	add_frame(self, p);
	core_rig_add_pointer(p, self->lkey ^ 1, self->mem, FRAME);
}

static void fill_lso(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p, uint16_t headers,
		     uint32_t payload)
{
	struct prm_eth_seg *eth = (struct prm_eth_seg *)(p->ctrl + 1);

	core_rig_add_header(p, self->mem, headers);
	eth->mss = prm_be16_of(MSS);
	if (payload)
		core_rig_add_pointer(p, self->lkey, self->mem, payload);
}
static void add_lso(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	fill_lso(self, p, HEADERS, 2000);
}
static void add_lso_with_tag(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	add_lso(self, p);
	((struct prm_eth_seg *)(p->ctrl + 1))->insert_type =
		prm_be16_of(PRM_ETH_INSERT_VLAN | HEADERS);
}
static void add_lso_with_parser(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	add_lso(self, p);
	((struct prm_eth_seg *)(p->ctrl + 1))->swp_flags = 1;
}
static void add_lso_of_short_header(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	fill_lso(self, p, 13, 2000);
}
static void add_lso_of_long_header(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	fill_lso(self, p, 257, 2000);
}
static void add_lso_of_cut_header(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	fill_lso(self, p, HEADERS, 0);
	((struct prm_eth_seg *)(p->ctrl + 1))->inline_hdr_sz = prm_be16_of(HEADERS + 16);
}
static void add_lso_beyond_its_limit(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	prm_set(&self->r.emu->caps->eth, max_lso_cap, 12);
	fill_lso(self, p, HEADERS, (1 << 12) + 1);
}
static void add_lso_of_bad_key(struct ct_fix_wqe_refuse *self, struct core_rig_wqe *p)
{
	fill_lso(self, p, HEADERS, 0);
	core_rig_add_pointer(p, self->lkey ^ 1, self->mem, 2000);
}

/* ---- the tables --------------------------------------------------------------------------- */

static const struct refused {
	const char *name;
	uint8_t opcode;
	fill_fn fill;
	enum emu_mistake mistake;
	unsigned n_sent; /* frames that leave before the fault */
} refused[] = {
	{ "send_without_segments", PRM_WQE_SEND, add_nothing, EMU_MISTAKE_bad_wqe, 0 },
	{ "send_without_a_frame", PRM_WQE_SEND, add_only_eth, EMU_MISTAKE_bad_wqe, 0 },
	{ "send_of_unknown_offload", PRM_WQE_SEND, add_unknown_offload, EMU_MISTAKE_bad_wqe, 0 },
	{ "send_with_trailer", PRM_WQE_SEND, add_trailer, EMU_MISTAKE_bad_wqe, 0 },
	{ "send_of_bad_second_piece", PRM_WQE_SEND, add_bad_second_piece, EMU_MISTAKE_bad_lkey, 0 },
	{ "mpsw_without_segments", PRM_WQE_ENHANCED_MPSW, add_nothing, EMU_MISTAKE_bad_wqe, 0 },
	{ "mpsw_without_entries", PRM_WQE_ENHANCED_MPSW, add_only_eth, EMU_MISTAKE_bad_wqe, 0 },
	{ "mpsw_of_unknown_offload", PRM_WQE_ENHANCED_MPSW, add_unknown_offload,
	  EMU_MISTAKE_bad_wqe, 0 },
	{ "mpsw_with_tag", PRM_WQE_ENHANCED_MPSW, add_tag, EMU_MISTAKE_bad_wqe, 0 },
	{ "mpsw_with_mss", PRM_WQE_ENHANCED_MPSW, add_mss, EMU_MISTAKE_bad_wqe, 0 },
	{ "mpsw_of_long_inline", PRM_WQE_ENHANCED_MPSW, add_long_inline, EMU_MISTAKE_bad_wqe, 0 },
	{ "mpsw_of_bad_key", PRM_WQE_ENHANCED_MPSW, add_bad_key, EMU_MISTAKE_bad_lkey, 0 },
	{ "mpsw_of_bad_second_key", PRM_WQE_ENHANCED_MPSW, add_second_bad_key, EMU_MISTAKE_bad_lkey,
	  1 },
	{ "lso_without_segments", PRM_WQE_LSO, add_nothing, EMU_MISTAKE_bad_wqe, 0 },
	{ "lso_with_tag", PRM_WQE_LSO, add_lso_with_tag, EMU_MISTAKE_bad_wqe, 0 },
	{ "lso_with_software_parser", PRM_WQE_LSO, add_lso_with_parser, EMU_MISTAKE_bad_wqe, 0 },
	{ "lso_of_short_header", PRM_WQE_LSO, add_lso_of_short_header, EMU_MISTAKE_bad_wqe, 0 },
	{ "lso_of_long_header", PRM_WQE_LSO, add_lso_of_long_header, EMU_MISTAKE_bad_wqe, 0 },
	{ "lso_of_cut_header", PRM_WQE_LSO, add_lso_of_cut_header, EMU_MISTAKE_bad_wqe, 0 },
	{ "lso_beyond_its_limit", PRM_WQE_LSO, add_lso_beyond_its_limit, EMU_MISTAKE_bad_wqe, 0 },
	{ "lso_of_bad_key", PRM_WQE_LSO, add_lso_of_bad_key, EMU_MISTAKE_bad_lkey, 0 },
	{ "umr_on_an_sq", PRM_WQE_UMR, add_frame, EMU_MISTAKE_bad_wqe, 0 },
};

/* Posts a WQE and runs the engine. Returns the opcode of its CQE, and @syndrome of an error CQE. */
static uint8_t post_wqe(struct ct_fix_wqe_refuse *self, uint8_t opcode, fill_fn fill,
			uint8_t *syndrome)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, opcode, PRM_CE_ALWAYS);
	const struct prm_cqe *cqe;

	fill(self, &p);
	core_rig_end_wqe(&self->r, &p, true);
	emu_poll(self->r.emu, 64);
	cqe = core_rig_take_cqe(&self->cq);
	if (!cqe)
		return PRM_CQE_INVALID;
	*syndrome = ((const struct prm_err_cqe *)cqe)->syndrome;
	return prm_cqe_opcode(cqe->op_own);
}

TEST_F_EACH(wqe_refuse, wqe_ends_as_an_error, struct refused, refused)
{
	const uint8_t want =
		row->mistake == EMU_MISTAKE_bad_lkey ? PRM_SYND_LOCAL_PROT : PRM_SYND_LOCAL_QP_OP;
	uint8_t syndrome = 0;

	EXPECT_EQ(PRM_CQE_REQ_ERR, post_wqe(self, row->opcode, row->fill, &syndrome));
	EXPECT_EQ(want, syndrome);
	EXPECT_EQ(1, core_rig_count_mistakes(&self->r));
	EXPECT_EQ(1, self->r.mistakes.n[row->mistake]);
	EXPECT_EQ(row->n_sent, self->r.emu->vport.tx_uc_packets);
}

static const struct accepted {
	const char *name;
	uint8_t opcode;
	fill_fn fill;
	unsigned n_sent;
} accepted[] = {
	{ "send", PRM_WQE_SEND, add_frame, 1 },
	{ "send_of_two_pieces", PRM_WQE_SEND, add_two_pieces, 1 },
	{ "send_with_tag", PRM_WQE_SEND, add_tag, 1 },
	{ "mpsw", PRM_WQE_ENHANCED_MPSW, add_frame, 1 },
	{ "mpsw_of_two", PRM_WQE_ENHANCED_MPSW, add_two_pieces, 2 },
	{ "lso", PRM_WQE_LSO, add_lso, 2 },
};

TEST_F_EACH(wqe_refuse, wqe_without_the_fault_is_sent, struct accepted, accepted)
{
	uint8_t syndrome;

	EXPECT_EQ(PRM_CQE_REQ, post_wqe(self, row->opcode, row->fill, &syndrome));
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
	EXPECT_EQ(row->n_sent, self->r.emu->vport.tx_uc_packets);
}

TEST_F(wqe_refuse, lso_payload_may_be_as_long_as_its_limit)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_LSO, PRM_CE_ALWAYS);

	prm_set(&self->r.emu->caps->eth, max_lso_cap, 12);
	fill_lso(self, &p, HEADERS, 1 << 12);
	core_rig_end_wqe(&self->r, &p, true);
	emu_poll(self->r.emu, 64);
	EXPECT_EQ(5, self->r.emu->vport.tx_uc_packets);
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

/* ---- control segments ------------------------------------------------------------------------ */

static const struct control {
	const char *name;
	uint8_t opmod;
	uint16_t index_off;
	uint32_t sqn_off;
	enum emu_mistake mistake; /* counted before EMU_MISTAKE_bad_wqe */
} controls[] = {
	{ "opmod", 1, 0, 0, EMU_MISTAKE_bad_wqe },
	{ "index", 0, 1, 0, EMU_MISTAKE_wqe_index },
	{ "number", 0, 0, 1, EMU_MISTAKE_wqe_sqn },
};

TEST_F_EACH(wqe_refuse, control_segment_ends_as_an_error, struct control, controls)
{
	struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_NOP, PRM_CE_ALWAYS);
	struct prm_ctrl_seg doorbell;
	const struct prm_err_cqe *cqe;

	core_rig_end_wqe(&self->r, &p, false);
	doorbell = *p.ctrl;
	p.ctrl->opmod_idx_opcode = prm_ctrl_dw0(row->opmod, row->index_off, PRM_WQE_NOP);
	p.ctrl->qpn_ds = prm_ctrl_dw1(self->sq.sqn + row->sqn_off, 1);
	core_rig_ring_sq(&self->r, &self->sq, &doorbell);
	emu_poll(self->r.emu, 16);
	cqe = (const struct prm_err_cqe *)core_rig_take_cqe(&self->cq);
	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(PRM_CQE_REQ_ERR, prm_cqe_opcode(cqe->op_own));
	EXPECT_EQ(PRM_SYND_LOCAL_QP_OP, cqe->syndrome);
	EXPECT_EQ(PRM_WQE_NOP, prm_be32_get(cqe->s_wqe_opcode_qpn) >> 24);
	EXPECT_EQ(self->sq.sqn, prm_be32_get(cqe->s_wqe_opcode_qpn) & 0xffffff);
	EXPECT_EQ(1, self->r.mistakes.n[row->mistake]);
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_bad_wqe]);
}

/* The ring may be full, and not more than full. */
TEST_F(wqe_refuse, doorbell_may_announce_the_whole_ring)
{
	struct core_rig_wqe p;

	for (unsigned i = 0; i < 1 << LOG_SQ; i++) {
		p = core_rig_begin_wqe(&self->sq, PRM_WQE_NOP, PRM_CE_ERROR);
		core_rig_end_wqe(&self->r, &p, false);
	}
	core_rig_ring_sq(&self->r, &self->sq, p.ctrl);
	EXPECT_EQ(1 << LOG_SQ, emu_poll(self->r.emu, 1000));
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

/* ---- queues with less ---------------------------------------------------------------------- */

TEST_F(wqe_refuse, sq_without_a_tis_executes_only_nops)
{
	struct emu_sq *sq = emu_obj_at(&self->r.emu->table[EMU_SQ], self->sq.sqn);
	struct emu_tis *tis = sq->tis;
	uint8_t syndrome;

	sq->tis = NULL;
	EXPECT_EQ(PRM_CQE_REQ, post_wqe(self, PRM_WQE_NOP, add_nothing, &syndrome));
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
	EXPECT_EQ(PRM_CQE_REQ_ERR, post_wqe(self, PRM_WQE_SEND, add_frame, &syndrome));
	EXPECT_EQ(PRM_SYND_LOCAL_QP_OP, syndrome);
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_bad_wqe]);
	EXPECT_EQ(0, self->r.emu->vport.tx_uc_packets);
	sq->tis = tis;
}

/* Headers that each mode of a port requires in the WQE: one byte fewer is refused. */
static const struct mode {
	const char *name;
	uint8_t mode;
	uint16_t bytes;
} modes[] = {
	{ "l2", PRM_MIN_WQE_INLINE_MODE_L2, 14 },
	{ "ip", PRM_MIN_WQE_INLINE_MODE_IP, 34 },
	{ "tcp_udp", PRM_MIN_WQE_INLINE_MODE_TCP_UDP, 42 },
};

TEST_F_EACH(wqe_refuse, send_has_the_headers_of_the_inline_mode, struct mode, modes)
{
	struct emu_sq *sq = emu_obj_at(&self->r.emu->table[EMU_SQ], self->sq.sqn);

	sq->min_inline = row->mode;
	for (unsigned lacks = 0; lacks < 2; lacks++) {
		struct core_rig_wqe p = core_rig_begin_wqe(&self->sq, PRM_WQE_SEND, PRM_CE_ALWAYS);
		const uint16_t bytes = (uint16_t)(row->bytes - lacks);
		const struct prm_cqe *cqe;

		core_rig_add_header(&p, self->mem, bytes);
		core_rig_add_pointer(&p, self->lkey, self->mem + bytes, FRAME);
		core_rig_end_wqe(&self->r, &p, true);
		emu_poll(self->r.emu, 16);
		cqe = core_rig_take_cqe(&self->cq);
		ASSERT_NE(NULL, cqe);
		EXPECT_EQ(lacks ? PRM_CQE_REQ_ERR : PRM_CQE_REQ, prm_cqe_opcode(cqe->op_own));
	}
}
