/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_rig_refuse.h"
#include "emu/base/mkey.h"
#include "emu/firmware/refuse.h"

enum { N_PAGES = 2 };

struct mkey_cmd {
	struct prm_create_mkey_in head;
	prm_be32 page[4];
};

FIXTURE(mkey)
{
	struct core_rig r;
	uint8_t *mem;
	struct mkey_cmd in;
};

FIXTURE_SETUP(mkey)
{
	struct prm_mkc *mkc = prm_sub(&self->in.head, memory_key_mkey_entry);

	core_rig_open(&self->r, &(struct core_rig_config){ 0 });
	self->mem = core_rig_alloc(&self->r, N_PAGES * CORE_RIG_PAGE);
	prm_set(&self->in.head, uid, self->r.uid);
	prm_set(&self->in.head, translations_octword_actual_size, 1);
	prm_set(mkc, access_mode_1_0, PRM_MKC_ACCESS_MODE_MTT);
	prm_set(mkc, lr, 1);
	prm_set(mkc, lw, 1);
	prm_set(mkc, qpn, PRM_MKC_QPN_ANY);
	prm_set(mkc, mkey_7_0, 0x33);
	prm_set(mkc, pd, self->r.pd);
	prm_set(mkc, start_addr, 0x7000); /* differs from the address of the memory */
	prm_set(mkc, len, N_PAGES * CORE_RIG_PAGE);
	prm_set(mkc, translations_octword_size, 1);
	prm_set(mkc, log_page_size, 12);
	for (int i = 0; i < N_PAGES; i++) {
		const uint64_t at = (uintptr_t)self->mem + (uint64_t)i * CORE_RIG_PAGE;

		self->in.page[2 * i] = prm_be32_of((uint32_t)(at >> 32));
		self->in.page[2 * i + 1] = prm_be32_of((uint32_t)at);
	}
}

FIXTURE_TEARDOWN(mkey)
{
	core_rig_close(&self->r);
}

static uint32_t create_mkey(struct core_rig *r, void *in, size_t in_bytes)
{
	struct prm_create_mkey_out out;

	core_rig_expect_ok(__FILE__, __LINE__, r, "create_mkey",
			   core_rig_exec(r, PRM_OP_create_mkey, in, in_bytes, &out, sizeof(out)));
	return (uint32_t)prm_get(&out, mkey_index);
}

TEST_F(mkey, translates_its_own_addresses_and_is_queried_as_created)
{
	const uint32_t index = create_mkey(&self->r, &self->in, sizeof(self->in));
	struct prm_query_mkey_in in = { 0 };
	struct prm_query_mkey_out out;
	uint64_t run;

	EXPECT_EQ(self->mem + 0x1800,
		  emu_mkey_at(self->r.emu, index << 8 | 0x33, self->r.pd, 0x8800, 8, true, &run));
	prm_set(&in, uid, self->r.uid);
	prm_set(&in, mkey_index, index);
	CORE_RIG_OK(&self->r, query_mkey, &in, &out);
	EXPECT_MEMEQ(prm_sub(&self->in.head, memory_key_mkey_entry),
		     prm_sub(&out, memory_key_mkey_entry), prm_mkc_bytes);
}

static const struct core_rig_config no_ordering[] = {
	{ .profile = "realtime" },
	{ .profile = "cx6dx,relaxed_ordering=0" },
};

TEST(mkey_ordering, is_refused_without_its_capability)
{
	static const struct core_rig_refusal bad[] = {
		{ "write", "memory_key_mkey_entry.relaxed_ordering_write", 1, PRM_STATUS_BAD_PARAM,
		  EMU_SYND_NO_CAP },
		{ "read", "memory_key_mkey_entry.relaxed_ordering_read", 1, PRM_STATUS_BAD_PARAM,
		  EMU_SYND_NO_CAP },
		{ "read_after_write", "memory_key_mkey_entry.order_read_after_write", 2,
		  PRM_STATUS_BAD_PARAM, EMU_SYND_NO_CAP },
	};
	struct prm_create_mkey_in in = { 0 };
	struct core_rig r;

	prm_set(prm_sub(&in, memory_key_mkey_entry), qpn, PRM_MKC_QPN_ANY);
	for (size_t i = 0; i < sizeof(no_ordering) / sizeof(no_ordering[0]); i++) {
		core_rig_open(&r, &no_ordering[i]);
		prm_set(prm_sub(&in, memory_key_mkey_entry), pd, r.pd);
		CORE_RIG_EXPECT_REFUSALS(&r, bad, PRM_OP_create_mkey, in);
		core_rig_close(&r);
	}
}

TEST_F(mkey, firmware_may_demand_relaxed_writes)
{
	struct prm_mkc *mkc = prm_sub(&self->in.head, memory_key_mkey_entry);
	static const struct core_rig_refusal bad[] = {
		{ "strict", "memory_key_mkey_entry.relaxed_ordering_write", 0, PRM_STATUS_BAD_PARAM,
		  EMU_SYND_NO_CAP },
	};

	prm_set(mkc, relaxed_ordering_write, 1);
	emu_set_option(self->r.adapter, "mkc_order_write_after_write_ro_only", 1);
	emu_set_option(self->r.adapter, "mkc_order_read_after_write", 1);
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad, PRM_OP_create_mkey, self->in);
	prm_set(mkc, order_read_after_write, 2);
	create_mkey(&self->r, &self->in, sizeof(self->in));
}

static const struct core_rig_refusal bad_mkeys[] = {
	{ "list_of_pages_as_klm", "memory_key_mkey_entry.access_mode_1_0", PRM_MKC_ACCESS_MODE_KLMS,
	  PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE },
	{ "physical_with_a_range", "memory_key_mkey_entry.access_mode_1_0", 0, PRM_STATUS_BAD_PARAM,
	  EMU_SYND_SIZE },
	{ "one_qp", "memory_key_mkey_entry.qpn", 5, PRM_STATUS_BAD_PARAM, EMU_SYND_TYPE },
	{ "no_pd", "memory_key_mkey_entry.pd", 1, PRM_STATUS_BAD_RES, EMU_SYND_NO_OBJECT },
	{ "no_length", "memory_key_mkey_entry.len", 0, PRM_STATUS_BAD_PARAM, EMU_SYND_SIZE },
	{ "wraps", "memory_key_mkey_entry.start_addr", UINT64_MAX - 100, PRM_STATUS_BAD_PARAM,
	  EMU_SYND_SIZE },
	{ "length64_of_a_user", "memory_key_mkey_entry.length64", 1, PRM_STATUS_BAD_PARAM,
	  EMU_SYND_SIZE },
	{ "page_size_relative", "memory_key_mkey_entry.log_page_size", 0, PRM_STATUS_BAD_PARAM,
	  EMU_SYND_PAGE },
	/* 2 GiB: malloc() aligns memory to 2 MiB in one of 512 runs */
	{ "page_size_beyond_alignment", "memory_key_mkey_entry.log_page_size", 31,
	  PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE },
	{ "page_size_of_six_bits", "memory_key_mkey_entry.log_page_size", 32, PRM_STATUS_BAD_PARAM,
	  EMU_SYND_PAGE },
	{ "zero_translation_size", "memory_key_mkey_entry.translations_octword_size", 0,
	  PRM_STATUS_BAD_PARAM, EMU_SYND_MKEY_ZERO_SIZE },
	{ "more_pages_than_there_are", "memory_key_mkey_entry.translations_octword_size",
	  0x80000001, PRM_STATUS_BAD_PARAM, EMU_SYND_SIZE },
	{ "longer_than_its_list", "memory_key_mkey_entry.len", N_PAGES *CORE_RIG_PAGE + 1,
	  PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE,
	  "room for 2 pages is too small (valid: at least 3)" },
	{ "access_in_the_list", "pg_access", 1, PRM_STATUS_BAD_PARAM, EMU_SYND_NO_CAP },
	{ "free_with_a_list", "memory_key_mkey_entry.free", 1, PRM_STATUS_BAD_INP_LEN,
	  EMU_SYND_PAGE },
};

TEST_F(mkey, create_refuses_bad_fields)
{
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_mkeys, PRM_OP_create_mkey, self->in);
	EXPECT_EQ(0, self->r.emu->table[EMU_MKEY].n_used);
}

TEST_F(mkey, over_a_umem_uses_its_pages)
{
	struct prm_create_mkey_in *in = &self->in.head;
	const uint32_t umem =
		core_rig_make_umem(&self->r, self->mem, N_PAGES * CORE_RIG_PAGE, true);
	const struct emu_obj *u = emu_obj_at(&self->r.emu->table[EMU_UMEM], umem);
	struct prm_destroy_mkey_in destroy = { 0 };
	struct prm_destroy_mkey_out destroyed;
	uint32_t index;
	uint64_t run;

	prm_set(in, mkey_umem_valid, 1);
	prm_set(in, mkey_umem_id, umem);
	prm_set(in, mkey_umem_offset, CORE_RIG_PAGE);
	prm_set(prm_sub(in, memory_key_mkey_entry), len, CORE_RIG_PAGE);
	index = create_mkey(&self->r, in, sizeof(*in));
	EXPECT_EQ(self->mem + CORE_RIG_PAGE + 8,
		  emu_mkey_at(self->r.emu, index << 8 | 0x33, self->r.pd, 0x7008, 8, true, &run));
	EXPECT_EQ(NULL,
		  emu_mkey_at(self->r.emu, index << 8 | 0x33, self->r.pd, 0x8000, 8, true, &run));
	EXPECT_EQ(1, u->refs);
	prm_set(&destroy, uid, self->r.uid);
	prm_set(&destroy, mkey_index, index);
	CORE_RIG_OK(&self->r, destroy_mkey, &destroy, &destroyed);
	EXPECT_EQ(0, u->refs);
}

static const struct core_rig_refusal bad_slices[] = {
	{ "page_beyond_that_of_the_umem", "memory_key_mkey_entry.log_page_size", 13,
	  PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE },
	{ "offset_inside_a_page", "mkey_umem_offset", 64, PRM_STATUS_BAD_PARAM, EMU_SYND_PAGE },
	{ "address_inside_a_page", "memory_key_mkey_entry.start_addr", 0x7040, PRM_STATUS_BAD_PARAM,
	  EMU_SYND_PAGE },
	{ "no_umem", "mkey_umem_id", 1, PRM_STATUS_BAD_RES, EMU_SYND_NO_OBJECT },
};

TEST_F(mkey, over_a_umem_is_aligned_to_its_pages)
{
	struct prm_create_mkey_in in = self->in.head;

	prm_set(&in, mkey_umem_valid, 1);
	prm_set(&in, mkey_umem_id,
		core_rig_make_umem(&self->r, self->mem, N_PAGES * CORE_RIG_PAGE, true));
	prm_set(prm_sub(&in, memory_key_mkey_entry), len, CORE_RIG_PAGE / 2);
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad_slices, PRM_OP_create_mkey, in);
	create_mkey(&self->r, &in, sizeof(in));
}

TEST_F(mkey, over_a_umem_stays_inside_it_and_honours_its_access)
{
	struct prm_create_mkey_in in = self->in.head;
	static const struct core_rig_refusal bad[] = {
		{ "outside", "mkey_umem_offset", CORE_RIG_PAGE, PRM_STATUS_BAD_PARAM,
		  EMU_SYND_UMEM_RANGE,
		  "0x2000 bytes at 0x1000 do not fit its umem (valid: up to 0x2000 " },
		{ "read_only", "mkey_umem_offset", 0, PRM_STATUS_BAD_PARAM, EMU_SYND_UMEM_ACCESS },
		{ "physical", "memory_key_mkey_entry.access_mode_1_0", PRM_MKC_ACCESS_MODE_PA,
		  PRM_STATUS_BAD_PARAM, EMU_SYND_KERNEL_ONLY },
	};

	prm_set(&in, mkey_umem_valid, 1);
	prm_set(&in, mkey_umem_id,
		core_rig_make_umem(&self->r, self->mem, N_PAGES * CORE_RIG_PAGE, false));
	CORE_RIG_EXPECT_REFUSALS(&self->r, bad, PRM_OP_create_mkey, in);
}

TEST_F(mkey, kernel_mkey_may_cover_all_addresses)
{
	struct prm_create_mkey_in in = self->in.head;
	struct prm_mkc *mkc = prm_sub(&in, memory_key_mkey_entry);
	struct prm_alloc_pd_in pd_in = { 0 };
	struct prm_alloc_pd_out pd;
	uint32_t index;
	uint64_t run;

	CORE_RIG_OK(&self->r, alloc_pd, &pd_in, &pd);
	prm_set(&in, uid, 0);
	prm_set(mkc, pd, prm_get(&pd, pd));
	prm_set(mkc, access_mode_1_0, PRM_MKC_ACCESS_MODE_PA);
	prm_set(mkc, length64, 1);
	prm_set(mkc, len, 0);
	prm_set(mkc, start_addr, 0);
	index = create_mkey(&self->r, &in, sizeof(in));
	EXPECT_EQ(self->mem, emu_mkey_at(self->r.emu, index << 8 | 0x33, (uint32_t)prm_get(&pd, pd),
					 (uintptr_t)self->mem, 64, true, &run));
	EXPECT_EQ(64, run);
	/* Linux' mlx5_vdpa creates one under the uid of its own context. */
	prm_set(&in, uid, self->r.uid);
	prm_set(mkc, pd, self->r.pd);
	create_mkey(&self->r, &in, sizeof(in));
}

TEST_F(mkey, create_beyond_the_limit_returns_the_syndrome_of_real_firmware)
{
	struct prm_create_mkey_out out;

	self->r.emu->table[EMU_MKEY].max = 0;
	EXPECT_EQ(PRM_STATUS_LIM_ERR, core_rig_exec(&self->r, PRM_OP_create_mkey, &self->in,
						    sizeof(self->in), &out, sizeof(out)));
	EXPECT_EQ(EMU_SYND_MKEY_LIMIT, core_rig_get_syndrome(&self->r));
}
