/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "core_rig_post.h"
#include "emu/base/dev.h"
#include "emu/queue/cq_compress.h"
#include "emu/queue/cq_ring.h"
#include "emu/queue/port.h"
#include "emu/queue/rq.h"
#include "prm/cqe.h"
#include "prm/wqe.h"
#include "udp_frame.h"

enum {
	LOG_N = 5,
	N = 1 << LOG_N,
	BYTES = 256,
	MAX_SESSION = 16, /* capability cqe_compression_max_num of the profile */
	FORMAT_SHIFT = PRM_CQE_FORMAT_SHIFT,
	OLD = 0xa5 /* every byte of a slot that the device did not write, except op_own */
};

/* The tests deliver several frames in one turn of the engine, and read the slots of the CQ. */
FIXTURE(cq_compress)
{
	struct core_rig r;
	struct core_rig_rx rx;
	uint8_t frame[BYTES];
	unsigned n_sessions, n_single; /* that read_lengths() found */
};

static struct emu_cq *find_cq(const struct ct_fix_cq_compress *self)
{
	return emu_obj_at(&self->r.emu->table[EMU_CQ], self->rx.cq.cqn);
}

static struct emu_rq *find_rq(const struct ct_fix_cq_compress *self)
{
	return emu_obj_at(&self->r.emu->table[EMU_RQ], self->rx.rq.rqn);
}

/* Gives the CQ the fields of its context that a driver sets, as CREATE_CQ does. */
static void permit_sessions(const struct ct_fix_cq_compress *self, unsigned format, unsigned layout)
{
	struct emu_cq *cq = find_cq(self);

	prm_set(&cq->ctx, cqe_comp_en, 1);
	prm_set(&cq->ctx, mini_cqe_res_format, format);
	prm_set(&cq->ctx, cqe_compression_layout, layout);
	emu_cq_init_compression(self->r.emu, cq);
}

static void set_option(const struct ct_fix_cq_compress *self, const char *name, uint32_t value)
{
	EXPECT_LE(0, emu_set_option(self->r.adapter, name, value)); /* the value before */
}

static void open_rig(struct ct_fix_cq_compress *self)
{
	core_rig_open(&self->r, &(struct core_rig_config){ .wire = "loop" });
	self->rx = core_rig_make_rx(&self->r, LOG_N, BYTES);
	memset(self->rx.cq.cqe, OLD, N * sizeof(struct prm_cqe));
	for (unsigned i = 0; i < N; i++)
		self->rx.cq.cqe[i].op_own = PRM_CQE_INIT_OP_OWN;
	set_option(self, "compress", EMU_COMPRESS_ALWAYS);
	permit_sessions(self, PRM_CQC_MINI_CQE_RES_FORMAT_CSUM, 0);
	self->n_sessions = self->n_single = 0;
}

static void close_rig(struct ct_fix_cq_compress *self)
{
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
	core_rig_close(&self->r);
}

FIXTURE_SETUP(cq_compress)
{
	open_rig(self);
}

FIXTURE_TEARDOWN(cq_compress)
{
	close_rig(self);
}

/* Gives each row of a table a new device. */
static void start_row(struct ct_fix_cq_compress *self)
{
	close_rig(self);
	open_rig(self);
}

static void begin_turn(struct ct_fix_cq_compress *self)
{
	emu_lock(self->r.adapter);
}

static void end_turn(struct ct_fix_cq_compress *self)
{
	emu_unlock(self->r.adapter);
}

static void receive_frame(struct ct_fix_cq_compress *self, unsigned bytes,
			  const struct udp_frame *u)
{
	udp_frame_write(self->frame, bytes, u);
	EXPECT_TRUE(emu_port_rx(self->r.emu, &(struct emu_frame){ self->frame, bytes }, false));
}

/* Receives @n frames of 60, 61, ... bytes in one turn. */
static void receive_turn(struct ct_fix_cq_compress *self, unsigned n)
{
	begin_turn(self);
	for (unsigned i = 0; i < n; i++)
		receive_frame(self, 60 + i, &(struct udp_frame){ .fill = (uint8_t)i });
	end_turn(self);
}

static const struct prm_mini_cqe *get_mini(const struct ct_fix_cq_compress *self, uint32_t title,
					   unsigned i)
{
	const uint32_t slot = title + (i < 8 ? 1 : i / 8 * 8);

	return (const struct prm_mini_cqe *)&self->rx.cq.cqe[slot & (N - 1)] + i % 8;
}

static void post_buffers(struct ct_fix_cq_compress *self)
{
	core_rig_post_more(&self->rx.rq, (uint16_t)(self->rx.cq.ci + N));
}

/* Makes the slots of a session invalid in this lap, as software must. */
static void invalidate_slots(struct ct_fix_cq_compress *self, uint32_t title, uint32_t n)
{
	for (uint32_t i = title; i < title + n; i++)
		self->rx.cq.cqe[i & (N - 1)].op_own = PRM_CQE_INVALID << 4 | (i / N & 1);
}

/* Takes all CQEs as a driver does. Writes the lengths of the packets, at most @max; returns n. */
static unsigned read_lengths(struct ct_fix_cq_compress *self, uint32_t *length, unsigned max)
{
	const uint32_t first = self->rx.cq.ci;
	const struct prm_cqe *cqe;
	unsigned n = 0;

	while (n < max && (cqe = core_rig_take_cqe(&self->rx.cq))) {
		const uint32_t title = self->rx.cq.ci - 1, count = prm_be32_get(cqe->byte_cnt);

		EXPECT_EQ(first + n, prm_be16_get(cqe->wqe_counter));
		if ((cqe->op_own >> FORMAT_SHIFT & 3) != PRM_CQE_COMPRESSED) {
			self->n_single++;
			length[n++] = count;
			continue;
		}
		self->n_sessions++;
		EXPECT_LE(2, count);
		EXPECT_GE(MAX_SESSION, count);
		EXPECT_GE(N, (title & (N - 1)) + count); /* the end of the ring */
		for (unsigned i = 0; i < count && n < max; i++)
			length[n++] = prm_be32_get(get_mini(self, title, i)->byte_cnt);
		invalidate_slots(self, title, count);
		self->rx.cq.ci = title + count;
		self->rx.cq.dbr[PRM_DBR_CQ_CI] = prm_be32_of(self->rx.cq.ci & 0xffffff);
	}
	return n;
}

/* Takes all CQEs, and expects those of @n frames of receive_turn(). */
static void expect_turn(struct ct_fix_cq_compress *self, unsigned n)
{
	uint32_t length[N];

	ASSERT_EQ(n, read_lengths(self, length, N));
	for (unsigned i = 0; i < n; i++)
		EXPECT_EQ(60 + i, length[i]);
	post_buffers(self);
}

static bool is_old(const struct prm_cqe *cqe)
{
	uint8_t old[sizeof(*cqe)];

	memset(old, OLD, sizeof(old));
	old[sizeof(old) - 1] = PRM_CQE_INIT_OP_OWN;
	return !memcmp(cqe, old, sizeof(old));
}

static const struct size {
	const char *name;
	unsigned n;
	uint32_t written; /* bit i: the device writes slot i */
} sizes[] = {
	{ "2", 2, 0x3 },   { "7", 7, 0x3 },     { "8", 8, 0x3 },
	{ "9", 9, 0x103 }, { "15", 15, 0x103 }, { "16", 16, 0x103 },
};

TEST_F(cq_compress, session_has_a_title_and_blocks_of_eight)
{
	FOR_EACH_ROW (row, sizes) {
		const struct prm_cqe *title;
		uint64_t before;

		start_row(self);
		title = self->rx.cq.cqe;
		before = self->r.emu->pcie.cqe_writes;
		receive_turn(self, row->n);
		EXPECT_EQ(PRM_CQE_RESP_SEND << 4 | PRM_CQE_COMPRESSED << FORMAT_SHIFT,
			  title->op_own);
		EXPECT_EQ(row->n, prm_be32_get(title->byte_cnt));
		EXPECT_EQ(0, prm_be16_get(title->wqe_counter));
		for (unsigned i = 0; i < row->n; i++) {
			const struct prm_mini_cqe *mini = get_mini(self, 0, i);
			const uint8_t *packet = self->rx.buffers + (size_t)i * BYTES;

			EXPECT_EQ(60 + i, prm_be32_get(mini->byte_cnt));
			EXPECT_EQ(udp_frame_sum(packet + 14, 46 + i, 0),
				  prm_be32_get(mini->result) >> 16);
		}
		for (unsigned i = 0; i < N; i++)
			EXPECT_EQ(row->written >> i & 1, !is_old(&self->rx.cq.cqe[i]));
		EXPECT_EQ(1 + (row->n + 7) / 8, self->r.emu->pcie.cqe_writes - before);
	}
}

TEST_F(cq_compress, format_hash_reports_hashes)
{
	begin_turn(self);
	permit_sessions(self, PRM_CQC_MINI_CQE_RES_FORMAT_HASH, 0);
	receive_frame(self, 60, &(struct udp_frame){ .fill = 1 });
	receive_frame(self, 70, &(struct udp_frame){ .fill = 2 });
	for (unsigned i = 0; i < 2; i++)
		((struct prm_cqe *)self->r.adapter->held[i].cqe)->rss_hash_result =
			prm_be32_of(0x12345670 + i);
	end_turn(self);
	EXPECT_EQ(2, prm_be32_get(self->rx.cq.cqe[0].byte_cnt));
	for (unsigned i = 0; i < 2; i++)
		EXPECT_EQ(0x12345670 + i, prm_be32_get(get_mini(self, 0, i)->result));
}

TEST_F(cq_compress, session_ends_at_the_longest_that_the_device_supports)
{
	receive_turn(self, MAX_SESSION + 4);
	expect_turn(self, MAX_SESSION + 4);
	EXPECT_EQ(2, self->n_sessions);
	EXPECT_EQ(0, self->n_single);
}

TEST_F(cq_compress, session_ends_at_the_end_of_the_ring)
{
	for (unsigned at = 0; at < 3 * N; at += 10) {
		SCOPED_TRACE("CQE %u", at);
		receive_turn(self, 10);
		expect_turn(self, 10);
	}
}

TEST_F(cq_compress, session_ends_with_the_turn)
{
	receive_turn(self, 3);
	receive_turn(self, 3);
	EXPECT_EQ(3, prm_be32_get(self->rx.cq.cqe[0].byte_cnt));
	EXPECT_EQ(3, prm_be32_get(self->rx.cq.cqe[3].byte_cnt));
}

static const struct udp_frame plain = { .fill = 1 };
static const struct odd {
	const char *name;
	struct udp_frame udp;
	unsigned stripped; /* bytes */
} odds[] = {
	{ "ipv6", { .fill = 1, .v6 = true } },
	{ "stripped_tag", { .fill = 1, .tci = 7 }, .stripped = 4 },
	{ "bad_ip_sum", { .fill = 1, .bad_ip = true } },
	{ "bad_udp_sum", { .fill = 1, .bad_l4 = true } },
};

TEST_F(cq_compress, packet_with_other_fields_ends_a_session)
{
	FOR_EACH_ROW (row, odds) {
		const unsigned order[] = { 0, 0, 1, 0, 0, 0, 1, 1 };
		uint32_t length[N];

		start_row(self);
		find_rq(self)->vsd = false;
		begin_turn(self);
		for (unsigned i = 0; i < 8; i++)
			receive_frame(self, 100 + i, order[i] ? &row->udp : &plain);
		end_turn(self);
		ASSERT_EQ(8, read_lengths(self, length, N));
		for (unsigned i = 0; i < 8; i++)
			EXPECT_EQ(100 + i - (order[i] ? row->stripped : 0), length[i]);
		EXPECT_EQ(3, self->n_sessions);
		EXPECT_EQ(1, self->n_single);
	}
}

static const struct refusal {
	const char *name;
	unsigned mode, enabled, format, layout;
} refusals[] = {
	{ "option_0", 0, 1, PRM_CQC_MINI_CQE_RES_FORMAT_CSUM, 0 },
	{ "not_enabled", 1, 0, PRM_CQC_MINI_CQE_RES_FORMAT_CSUM, 0 },
	{ "other_format", 1, 1, 3, 0 },
	{ "other_layout", 1, 1, PRM_CQC_MINI_CQE_RES_FORMAT_CSUM, 1 },
};

TEST_F(cq_compress, writes_whole_cqes_unless_option_and_context_permit_sessions)
{
	FOR_EACH_ROW (row, refusals) {
		struct emu_cq *cq;

		start_row(self);
		set_option(self, "compress", row->mode);
		cq = find_cq(self);
		prm_set(&cq->ctx, cqe_comp_en, row->enabled);
		prm_set(&cq->ctx, mini_cqe_res_format, row->format);
		prm_set(&cq->ctx, cqe_compression_layout, row->layout);
		emu_cq_init_compression(self->r.emu, cq);
		receive_turn(self, 10);
		expect_turn(self, 10);
		EXPECT_EQ(0, self->n_sessions);
	}
}

TEST_F(cq_compress, cqes_of_another_cq_between_do_not_end_a_session)
{
	struct core_rig_cq cq = core_rig_make_cq(&self->r, LOG_N);
	struct core_rig_sq sq = core_rig_make_sq(&self->r, LOG_N, cq.cqn);
	uint8_t *frames = core_rig_alloc(&self->r, 4 * BYTES);
	const uint32_t lkey = core_rig_make_mkey(&self->r, frames, 4 * BYTES, false);

	for (unsigned i = 0; i < 4; i++) {
		struct core_rig_wqe p = core_rig_begin_wqe(&sq, PRM_WQE_SEND, PRM_CE_ALWAYS);

		udp_frame_write(frames + i * BYTES, 60 + i, &plain);
		core_rig_add_eth(&p, 0);
		core_rig_add_pointer(&p, lkey, frames + i * BYTES, 60 + i);
		core_rig_end_wqe(&self->r, &p, i == 3);
	}
	emu_poll(self->r.emu, 64);
	for (unsigned i = 0; i < 4; i++)
		EXPECT_NE(NULL, core_rig_take_cqe(&cq));
	expect_turn(self, 4);
	EXPECT_EQ(1, self->n_sessions);
}

/* Receives 24 turns with compress=2. Returns how many sessions each had, as digits of base 6. */
static uint64_t receive_some(struct ct_fix_cq_compress *self, uint32_t seed)
{
	uint64_t pattern = 0;

	start_row(self);
	set_option(self, "compress_seed", seed);
	set_option(self, "compress", EMU_COMPRESS_SOME);
	permit_sessions(self, PRM_CQC_MINI_CQE_RES_FORMAT_CSUM, 0);
	for (unsigned turn = 0; turn < 24; turn++) {
		const unsigned before = self->n_sessions;

		receive_turn(self, 10);
		expect_turn(self, 10);
		pattern = pattern * 6 + self->n_sessions - before;
	}
	EXPECT_LT(10, self->n_sessions);
	EXPECT_LT(10, self->n_single);
	return pattern;
}

TEST_F(cq_compress, some_sessions_depend_on_the_seed)
{
	const uint64_t first = receive_some(self, 1);

	EXPECT_EQ(first, receive_some(self, 1));
	EXPECT_NE(first, receive_some(self, 2));
}
