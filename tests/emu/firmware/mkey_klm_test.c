/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "core_rig_post.h"
#include "core_rig_refuse.h"
#include "emu/base/mkey.h"
#include "emu/firmware/refuse.h"
#include "prm/cqe.h"
#include "prm/klm.h"
#include "prm/wqe.h"

enum { MAX_ENTRIES = 8, BYTES = 4 * CORE_RIG_PAGE, START = 0x7000 };

struct klm_cmd {
	struct prm_create_mkey_in head;
	struct prm_klm klm[MAX_ENTRIES];
};
static_assert(sizeof(struct klm_cmd) ==
		      sizeof(struct prm_create_mkey_in) + MAX_ENTRIES * PRM_KLM_BYTES,
	      "the list follows the command without padding");

/* mem is in the mkey lkey, from its own address on. */
FIXTURE(klm)
{
	struct core_rig r;
	uint8_t *mem;
	uint32_t lkey;
	struct klm_cmd in;
	unsigned n;
};

static struct prm_mkc *get_mkc(struct ct_fix_klm *self)
{
	return prm_sub(&self->in.head, memory_key_mkey_entry);
}

FIXTURE_SETUP(klm)
{
	core_rig_open(&self->r, &(struct core_rig_config){ .wire = "loop" });
	self->mem = core_rig_alloc(&self->r, BYTES);
	for (int i = 0; i < BYTES; i++)
		self->mem[i] = (uint8_t)(i * 7 + (i >> 8));
	self->lkey = core_rig_make_mkey(&self->r, self->mem, BYTES, true);
	prm_set(&self->in.head, uid, self->r.uid);
	prm_set(get_mkc(self), access_mode_1_0, PRM_MKC_ACCESS_MODE_KLMS);
	prm_set(get_mkc(self), lr, 1);
	prm_set(get_mkc(self), lw, 1);
	prm_set(get_mkc(self), qpn, PRM_MKC_QPN_ANY);
	prm_set(get_mkc(self), mkey_7_0, 0x33);
	prm_set(get_mkc(self), pd, self->r.pd);
	prm_set(get_mkc(self), start_addr, START);
}

FIXTURE_TEARDOWN(klm)
{
	core_rig_close(&self->r);
}

/* Appends an entry, and @bytes to the length of the mkey. */
static void add_entry(struct ct_fix_klm *self, uint32_t bytes, uint32_t key, uint64_t addr)
{
	self->in.klm[self->n++] =
		(struct prm_klm){ prm_be32_of(bytes), prm_be32_of(key), prm_be64_of(addr) };
	prm_set(get_mkc(self), len, prm_get(get_mkc(self), len) + bytes);
	prm_set(get_mkc(self), translations_octword_size, self->n);
	prm_set(&self->in.head, translations_octword_actual_size, self->n);
}

static void add_piece(struct ct_fix_klm *self, uint32_t bytes, unsigned off)
{
	add_entry(self, bytes, self->lkey, (uintptr_t)self->mem + off);
}

/* Appends a strided block of two entries: 4 bytes every 16 from @a, 2 bytes every 8 from @b. */
static void add_strided(struct ct_fix_klm *self, uint32_t cycles, unsigned a, unsigned b)
{
	enum { A_BYTES = 4, A_STRIDE = 16, B_BYTES = 2, B_STRIDE = 8 };
	const struct prm_stride_block head = { .cycle_bytes = prm_be32_of(A_BYTES + B_BYTES),
					       .op = prm_be32_of(PRM_STRIDE_BLOCK_OP),
					       .repeat_count = prm_be32_of(cycles),
					       .n_entries = prm_be16_of(2) };

	add_entry(self, cycles * (A_BYTES + B_BYTES), 0, 0);
	memcpy(&self->in.klm[self->n - 1], &head, sizeof(head));
	add_piece(self, 0, a);
	self->in.klm[self->n - 1].byte_count = prm_be32_of(A_STRIDE << 16 | A_BYTES);
	add_piece(self, 0, b);
	self->in.klm[self->n - 1].byte_count = prm_be32_of(B_STRIDE << 16 | B_BYTES);
}

static uint8_t exec_create(struct ct_fix_klm *self, uint32_t *lkey)
{
	struct prm_create_mkey_out out;
	const uint8_t status =
		core_rig_exec(&self->r, PRM_OP_create_mkey, &self->in,
			      sizeof(self->in.head) + self->n * PRM_KLM_BYTES, &out, sizeof(out));

	if (lkey)
		*lkey = (uint32_t)prm_get(&out, mkey_index) << 8 | 0x33;
	return status;
}

static uint32_t create_mkey(struct ct_fix_klm *self)
{
	uint32_t lkey;

	EXPECT_EQ(PRM_STATUS_OK, exec_create(self, &lkey));
	return lkey;
}

/* Expects @bytes at @addr of @lkey to be at self->mem + @off, with @run of them contiguous. */
static void expect_at(struct ct_fix_klm *self, uint32_t lkey, uint64_t addr, uint64_t bytes,
		      unsigned off, uint64_t want_run)
{
	uint64_t run = 0;

	SCOPED_TRACE("address 0x%llx", (unsigned long long)addr);
	EXPECT_EQ(self->mem + off,
		  emu_mkey_at(self->r.emu, lkey, self->r.pd, addr, bytes, false, &run));
	EXPECT_EQ(want_run, run);
}

static bool is_reachable(struct ct_fix_klm *self, uint32_t lkey, uint64_t addr, uint64_t bytes,
			 bool write)
{
	uint64_t run;

	return emu_mkey_at(self->r.emu, lkey, self->r.pd, addr, bytes, write, &run);
}

TEST_F(klm, list_joins_its_pieces)
{
	uint32_t lkey;

	add_piece(self, 100, 5000);
	add_entry(self, 0, 0, 0); /* an entry of 0 bytes covers none */
	add_piece(self, 200, 10);
	lkey = create_mkey(self);
	expect_at(self, lkey, START, 300, 5000, 100);
	expect_at(self, lkey, START + 99, 1, 5099, 1);
	expect_at(self, lkey, START + 100, 200, 10, 200);
	EXPECT_TRUE(is_reachable(self, lkey, START, 300, true));
	EXPECT_FALSE(is_reachable(self, lkey, START, 301, false));
	EXPECT_FALSE(is_reachable(self, lkey, START + 300, 1, false));
	EXPECT_FALSE(is_reachable(self, lkey, START - 1, 1, false));
}

TEST_F(klm, range_may_be_shorter_than_the_list)
{
	uint32_t lkey;

	add_piece(self, 100, 0);
	prm_set(get_mkc(self), len, 60);
	lkey = create_mkey(self);
	expect_at(self, lkey, START + 50, 10, 50, 10);
	EXPECT_FALSE(is_reachable(self, lkey, START + 60, 1, false));
}

TEST_F(klm, ksm_list_has_pieces_of_one_size)
{
	uint32_t lkey;

	add_piece(self, 0, 2 * CORE_RIG_PAGE);
	add_piece(self, 0, 64);
	prm_set(get_mkc(self), access_mode_1_0, PRM_MKC_ACCESS_MODE_KSM);
	prm_set(get_mkc(self), log_page_size, 12);
	prm_set(get_mkc(self), len, 2 * CORE_RIG_PAGE);
	lkey = create_mkey(self);
	expect_at(self, lkey, START + 8, 5000, 2 * CORE_RIG_PAGE + 8, CORE_RIG_PAGE - 8);
	expect_at(self, lkey, START + CORE_RIG_PAGE, 4096, 64, 4096);
}

TEST_F(klm, strided_block_repeats_its_entries)
{
	uint32_t lkey;

	add_piece(self, 10, 0);
	add_strided(self, 3, 1000, 3000);
	add_piece(self, 10, 100);
	lkey = create_mkey(self);
	expect_at(self, lkey, START + 10, 4, 1000, 4);
	expect_at(self, lkey, START + 14, 2, 3000, 2);
	expect_at(self, lkey, START + 16, 10, 1016, 4);
	expect_at(self, lkey, START + 21, 1, 3009, 1);
	expect_at(self, lkey, START + 22, 4, 1032, 4);
	expect_at(self, lkey, START + 28, 10, 100, 10);
	EXPECT_FALSE(is_reachable(self, lkey, START + 38, 1, false));
}

/* The list has room for four entries, and the mailbox has five. Source: libdpcp. */
TEST_F(klm, strided_block_may_be_in_a_longer_mailbox)
{
	uint32_t lkey;

	add_strided(self, 3, 1000, 3000);
	add_entry(self, 0, 0, 0);
	self->n++;
	lkey = create_mkey(self);
	expect_at(self, lkey, START + 6, 4, 1016, 4);
}

TEST_F(klm, lists_nest_up_to_max_indirection)
{
	uint32_t lkey = self->lkey;

	for (int depth = 1; depth <= 5; depth++) {
		self->n = 0;
		prm_set(get_mkc(self), len, 0);
		add_entry(self, 64, lkey, depth == 1 ? (uintptr_t)self->mem + 500 : START);
		lkey = create_mkey(self);
		EXPECT_EQ(depth <= 4, is_reachable(self, lkey, START, 64, false));
	}
}

TEST_F(klm, access_checks_every_mkey_on_the_way)
{
	const uint32_t read_only = core_rig_make_mkey(&self->r, self->mem, BYTES, false);
	struct emu_mkey *target = emu_obj_at(&self->r.emu->table[EMU_MKEY], self->lkey >> 8);
	uint32_t lkey;

	add_entry(self, 64, read_only, (uintptr_t)self->mem);
	add_piece(self, 64, BYTES - 32); /* its second half is outside of the target */
	add_piece(self, 64, 0);
	lkey = create_mkey(self);
	EXPECT_TRUE(is_reachable(self, lkey, START, 64, false));
	EXPECT_FALSE(is_reachable(self, lkey, START, 64, true));
	EXPECT_TRUE(is_reachable(self, lkey, START + 64, 32, true));
	EXPECT_FALSE(is_reachable(self, lkey, START + 64, 33, true));
	EXPECT_TRUE(is_reachable(self, lkey, START + 128, 64, true));
	target->pd++;
	EXPECT_FALSE(is_reachable(self, lkey, START + 128, 64, true));
	target->pd--;
	EXPECT_FALSE(is_reachable(self, lkey ^ 1, START + 128, 64, true));
}

TEST_F(klm, access_fails_after_its_target_was_destroyed)
{
	struct prm_destroy_mkey_in in = { 0 };
	struct prm_destroy_mkey_out out;
	uint32_t lkey;

	add_piece(self, 64, 0);
	lkey = create_mkey(self);
	prm_set(&in, uid, self->r.uid);
	prm_set(&in, mkey_index, self->lkey >> 8);
	CORE_RIG_OK(&self->r, destroy_mkey, &in, &out);
	EXPECT_FALSE(is_reachable(self, lkey, START, 64, false));
}

TEST_F(klm, user_of_mlx5dv_may_create_a_free_list)
{
	struct prm_query_mkey_in in = { 0 };
	struct prm_query_mkey_out out;
	uint32_t lkey;

	prm_set(get_mkc(self), free, 1);
	prm_set(get_mkc(self), umr_en, 1);
	prm_set(get_mkc(self), translations_octword_size, 4);
	lkey = create_mkey(self);
	prm_set(&in, uid, self->r.uid);
	prm_set(&in, mkey_index, lkey >> 8);
	CORE_RIG_OK(&self->r, query_mkey, &in, &out);
	EXPECT_MEMEQ(get_mkc(self), prm_sub(&out, memory_key_mkey_entry), prm_mkc_bytes);
	EXPECT_FALSE(is_reachable(self, lkey, 0, 1, false));
}

TEST_F(klm, create_refuses_bad_fields)
{
#define MKC "memory_key_mkey_entry."
	static const struct core_rig_refusal bad[] = {
		{ "page_size", MKC "log_page_size", 12, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE },
		{ "umem", "mkey_umem_valid", 1, PRM_STATUS_BAD_PARAM, EMU_SYND_TYPE },
		{ "page_access", "pg_access", 1, PRM_STATUS_BAD_PARAM, EMU_SYND_NO_CAP },
		{ "all_addresses", MKC "length64", 1, PRM_STATUS_BAD_PARAM, EMU_SYND_SIZE },
		{ "no_length", MKC "len", 0, PRM_STATUS_BAD_PARAM, EMU_SYND_SIZE },
		{ "longer_than_its_list", MKC "len", 101, PRM_STATUS_BAD_PARAM, EMU_SYND_KLM },
		{ "wraps", MKC "start_addr", UINT64_MAX - 50, PRM_STATUS_BAD_PARAM, EMU_SYND_SIZE },
		{ "no_room", MKC "translations_octword_size", 0, PRM_STATUS_BAD_PARAM,
		  EMU_SYND_MKEY_ZERO_SIZE },
		{ "too_little_room", "translations_octword_actual_size", MAX_ENTRIES,
		  PRM_STATUS_BAD_PARAM, EMU_SYND_SIZE },
		{ "too_much_room", MKC "translations_octword_size", 65537, PRM_STATUS_BAD_PARAM,
		  EMU_SYND_SIZE },
		{ "no_entries", "translations_octword_actual_size", 0, PRM_STATUS_BAD_PARAM,
		  EMU_SYND_KLM },
		{ "more_entries_than_listed", "translations_octword_actual_size", MAX_ENTRIES + 1,
		  PRM_STATUS_BAD_INP_LEN, EMU_SYND_LENGTH },
		{ "ksm_without_a_size", MKC "access_mode_1_0", PRM_MKC_ACCESS_MODE_KSM,
		  PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE },
	};

	add_piece(self, 100, 0);
	prm_set(get_mkc(self), translations_octword_size, MAX_ENTRIES - 1);
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad, PRM_OP_create_mkey, self->in);
	EXPECT_EQ(1, self->r.emu->table[EMU_MKEY].n_used);
}

/* Sends the command with a bad entry. */
static void expect_bad_list(struct ct_fix_klm *self, const char *name)
{
	SCOPED_TRACE("%s", name);
	EXPECT_EQ(PRM_STATUS_BAD_PARAM, exec_create(self, NULL));
	EXPECT_EQ(EMU_SYND_KLM, core_rig_get_syndrome(&self->r));
}

TEST_F(klm, create_refuses_bad_entries)
{
	struct prm_stride_block *head = (struct prm_stride_block *)&self->in.klm[0];
	struct prm_stride_block good;

	add_strided(self, 3, 0, 100);
	good = *head;
	head->n_entries = prm_be16_of(0);
	expect_bad_list(self, "no entries");
	head->n_entries = prm_be16_of(3);
	expect_bad_list(self, "more entries than the list has");
	*head = good;
	head->repeat_count = prm_be32_of(0);
	expect_bad_list(self, "no cycle");
	*head = good;
	head->cycle_bytes = prm_be32_of(7);
	expect_bad_list(self, "a cycle longer than its entries");
	*head = good;
	head->rsvd0c = prm_be16_of(1);
	expect_bad_list(self, "a reserved bit");
	*head = good;
	EXPECT_EQ(PRM_STATUS_OK, exec_create(self, NULL));
	prm_set(get_mkc(self), access_mode_1_0, PRM_MKC_ACCESS_MODE_KSM);
	prm_set(get_mkc(self), log_page_size, 12);
	expect_bad_list(self, "a KSM with a length");
}

TEST_F(klm, create_refuses_half_an_entry)
{
	struct prm_create_mkey_out out;

	add_piece(self, 64, 0);
	EXPECT_EQ(PRM_STATUS_BAD_INP_LEN,
		  core_rig_exec(&self->r, PRM_OP_create_mkey, &self->in,
				sizeof(self->in.head) + PRM_KLM_BYTES / 2, &out, sizeof(out)));
	EXPECT_EQ(EMU_SYND_LENGTH, core_rig_get_syndrome(&self->r));
}

/* ---- the data path -------------------------------------------------------------------------- */

TEST_F(klm, frame_is_gathered_and_scattered_through_lists)
{
	static const uint8_t macs[] = "\x02\0\0\0\0\x01\x02\0\0\0\0\x02\x88\xb5";
	struct core_rig_rx rx = core_rig_make_rx(&self->r, 2, 2048);
	struct core_rig_cq cq = core_rig_make_cq(&self->r, 4);
	struct core_rig_sq sq = core_rig_make_sq(&self->r, 4, cq.cqn);
	uint8_t want[138];
	uint32_t lkey;
	struct prm_cqe *cqe;

	memcpy(self->mem + 5000, macs, 14);
	add_piece(self, 100, 5000);
	add_strided(self, 3, 1000, 3000);
	add_piece(self, 20, 100);
	lkey = create_mkey(self);
	memcpy(want, self->mem + 5000, 100);
	for (int i = 0; i < 3; i++) {
		memcpy(want + 100 + 6 * i, self->mem + 1000 + 16 * i, 4);
		memcpy(want + 104 + 6 * i, self->mem + 3000 + 8 * i, 2);
	}
	memcpy(want + 118, self->mem + 100, 20);

	/* the receive buffer is also a list: 30 bytes, then the rest */
	self->n = 0;
	prm_set(get_mkc(self), len, 0);
	add_entry(self, 30, rx.lkey, (uintptr_t)rx.buffers + 1000);
	add_entry(self, 500, rx.lkey, (uintptr_t)rx.buffers);
	core_rig_post_rq(&rx.rq, create_mkey(self), (void *)(uintptr_t)START, 530, 1);

	core_rig_post_send(&self->r, &sq, lkey, (void *)(uintptr_t)START, sizeof(want));
	EXPECT_EQ(1, emu_poll(self->r.emu, 16));
	cqe = core_rig_take_cqe(&rx.cq);
	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(PRM_CQE_RESP_SEND, prm_cqe_opcode(cqe->op_own));
	EXPECT_EQ(sizeof(want), prm_be32_get(cqe->byte_cnt));
	EXPECT_MEMEQ(want, rx.buffers + 1000, 30);
	EXPECT_MEMEQ(want + 30, rx.buffers, sizeof(want) - 30);
	EXPECT_EQ(0, core_rig_count_mistakes(&self->r));
}

TEST_F(klm, send_outside_the_list_ends_with_a_protection_error)
{
	struct core_rig_cq cq = core_rig_make_cq(&self->r, 4);
	struct core_rig_sq sq = core_rig_make_sq(&self->r, 4, cq.cqn);
	struct prm_cqe *cqe;

	add_piece(self, 100, 0);
	core_rig_post_send(&self->r, &sq, create_mkey(self), (void *)(uintptr_t)START, 101);
	emu_poll(self->r.emu, 16);
	cqe = core_rig_take_cqe(&cq);
	ASSERT_NE(NULL, cqe);
	EXPECT_EQ(PRM_CQE_REQ_ERR, prm_cqe_opcode(cqe->op_own));
	EXPECT_EQ(PRM_SYND_LOCAL_PROT, ((struct prm_err_cqe *)cqe)->syndrome);
	EXPECT_EQ(1, self->r.mistakes.n[EMU_MISTAKE_bad_lkey]);
}
