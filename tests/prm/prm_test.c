/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ct.h"
#include "prm/prm.h"

TEST(prm, set_writes_big_endian_dwords)
{
	struct prm_cqc cqc = { 0 };
	static const uint8_t want[4] = { 0x0a, 0x00, 0x01, 0x23 };

	prm_set(&cqc, log_cq_size, 10);
	prm_set(&cqc, uar_page, 0x123);
	EXPECT_MEMEQ(want, &cqc.dw[3], sizeof(want));
	EXPECT_EQ(10, prm_get(&cqc, log_cq_size));
}

TEST(prm, set_does_not_change_other_fields)
{
	struct prm_cqc cqc;

	memset(&cqc, 0xff, sizeof(cqc));
	prm_set(&cqc, log_cq_size, 0);
	EXPECT_EQ(0, prm_get(&cqc, log_cq_size));
	EXPECT_EQ(0xffffff, prm_get(&cqc, uar_page));
	EXPECT_EQ(0xe0ffffff, prm_be32_get(cqc.dw[3]));
}

TEST(prm, quadwords_have_the_high_dword_first)
{
	struct prm_cqc cqc = { 0 };

	prm_set(&cqc, dbr_addr, 0x0123456789abcdef);
	EXPECT_EQ(0x01234567, prm_be32_get(cqc.dw[0x38 / 4]));
	EXPECT_EQ(0x89abcdef, prm_be32_get(cqc.dw[0x3c / 4]));
	EXPECT_EQ(0x0123456789abcdef, prm_get(&cqc, dbr_addr));
}

TEST(prm, sub_is_at_the_embedded_layout)
{
	struct prm_create_cq_in in = { 0 };
	const struct prm_create_cq_in *read_only = &in;

	prm_set(prm_sub(&in, cq_context), uar_page, 0x4567);
	EXPECT_EQ(0x4567, prm_be32_get(in.dw[(0x10 + 0x0c) / 4]));
	EXPECT_EQ(0x4567, prm_get(prm_sub(read_only, cq_context), uar_page));
}

TEST(prm, arrays_have_elements_of_their_own)
{
	struct prm_tirc tir = { 0 };
	struct prm_create_eq_in eq = { 0 };

	for (unsigned i = 0; i < prm_count(&tir, rx_hash_toeplitz_key); i++)
		prm_set_at(&tir, rx_hash_toeplitz_key, i, 0x1000 + i);
	EXPECT_EQ(10, prm_count(&tir, rx_hash_toeplitz_key));
	EXPECT_EQ(0x1000, prm_get_at(&tir, rx_hash_toeplitz_key, 0));
	EXPECT_EQ(0x1009, prm_get_at(&tir, rx_hash_toeplitz_key, 9));
	EXPECT_EQ(0x1009, prm_be32_get(tir.dw[0x28 / 4 + 9]));

	prm_set_at(&eq, event_bitmask, 3, 0x8000000000000001);
	EXPECT_EQ(0x80000000, prm_be32_get(eq.dw[(0x58 + 3 * 8) / 4]));
	EXPECT_EQ(0x8000000000000001, prm_get_at(&eq, event_bitmask, 3));
}

TEST(prm, bytes_point_to_the_array)
{
	struct prm_query_adapter_out out = { 0 };
	struct prm_query_adapter_param_block *block = prm_sub(&out, query_adapter_struct);

	memcpy(prm_bytes(block, vsd_contd_psid), "MT_0000000359", 14);
	EXPECT_STREQ("MT_0000000359", (const char *)block + 0xf0);
	EXPECT_EQ('M', prm_get_at(block, vsd_contd_psid, 0));
	EXPECT_EQ('9', prm_get_at(block, vsd_contd_psid, 12));
}

TEST(prm, tails_continue_after_the_layout)
{
	struct {
		struct prm_create_rqt_in in;
		struct prm_rq_num rqs[4];
	} mbox = { 0 };
	struct prm_rqtc *ctx = prm_sub(&mbox.in, rqt_context);

	for (unsigned i = 0; i < 4; i++)
		prm_set(prm_sub_at(ctx, rq_num, i), rq_num, 0x100 + i);
	EXPECT_EQ(0x100, prm_be32_get(mbox.rqs[0].dw[0]));
	EXPECT_EQ(0x103, prm_get(&mbox.rqs[3], rq_num));
}

TEST(prm, tail_bytes_finds_the_innermost_tail)
{
	EXPECT_EQ(8, prm_tail_bytes(&prm_layout_create_sq_in)); /* tail of wq, inside sqc */
	EXPECT_EQ(4, prm_tail_bytes(&prm_layout_create_rqt_in));
	EXPECT_EQ(8, prm_tail_bytes(&prm_layout_create_umem_in));
	EXPECT_EQ(0, prm_tail_bytes(&prm_layout_create_tis_in));
}

TEST(prm, first_reserved_finds_a_stray_bit)
{
	struct prm_create_cq_in in = { 0 };

	EXPECT_EQ(-1, prm_first_reserved(&prm_layout_create_cq_in, in.dw, sizeof(in)));
	prm_set(&in, opcode, PRM_OP_create_cq);
	prm_set(&in, uid, 0xffff);
	prm_set(prm_sub(&in, cq_context), dbr_addr, UINT64_MAX);
	EXPECT_EQ(-1, prm_first_reserved(&prm_layout_create_cq_in, in.dw, sizeof(in)));
	in.dw[2] = prm_be32_of(1);
	EXPECT_EQ(0x40 + 31, prm_first_reserved(&prm_layout_create_cq_in, in.dw, sizeof(in)));
}

TEST(prm, first_reserved_looks_into_embedded_layouts_and_tails)
{
	struct {
		struct prm_create_rqt_in in;
		struct prm_rq_num rqs[2];
	} mbox = { 0 };
	const struct prm_layout *layout = &prm_layout_create_rqt_in;

	prm_set(&mbox.rqs[0], rq_num, 0xffffff);
	prm_set(&mbox.rqs[1], rq_num, 0xffffff);
	EXPECT_EQ(-1, prm_first_reserved(layout, mbox.in.dw, sizeof(mbox)));
	mbox.rqs[1].dw[0] = prm_be32_of(0x01000000); /* above the 24 bits of an RQ number */
	EXPECT_EQ(sizeof(mbox.in) * 8 + 32 + 7,
		  prm_first_reserved(layout, mbox.in.dw, sizeof(mbox)));
}

/* offset of the lowest bit of pd in wq in sqc in create_sq_in */
static const size_t pd_bit = (0x20 + 0x30 + 0x08) * 8 + 31;

TEST(prm, name_of_gives_the_dotted_path)
{
	char name[64];

	EXPECT_TRUE(prm_name_of(&prm_layout_create_sq_in, pd_bit, name, sizeof(name)));
	EXPECT_STREQ("ctx.wq.pd", name);
	EXPECT_TRUE(prm_name_of(&prm_layout_create_rqt_in, 0x110 * 8 + 8 + 32, name, sizeof(name)));
	EXPECT_STREQ("rqt_context.rq_num[1].rq_num", name);
	EXPECT_FALSE(prm_name_of(&prm_layout_create_cq_in, 0x40, name, sizeof(name)));
	EXPECT_STREQ("reserved_at_40", name);
}

TEST(prm, name_of_stays_inside_its_buffer)
{
	char name[8];

	memset(name, 'x', sizeof(name));
	prm_name_of(&prm_layout_create_sq_in, pd_bit, name, 6);
	EXPECT_LT(strlen(name), 6);
	EXPECT_EQ('x', name[6]);
	prm_name_of(&prm_layout_create_cq_in, 0x40, name, 1);
	EXPECT_STREQ("", name);
}

struct collected {
	char text[512];
	int stop_after;
};

static int collect_value(const char *name, uint64_t value, void *arg)
{
	struct collected *c = arg;
	const size_t used = strlen(c->text);

	snprintf(c->text + used, sizeof(c->text) - used, "%s=%" PRIx64 " ", name, value);
	return --c->stop_after == 0 ? 7 : 0;
}

TEST(prm, each_set_visits_fields_that_are_not_zero)
{
	struct {
		struct prm_create_rqt_in in;
		struct prm_rq_num rqs[2];
	} mbox = { 0 };
	const struct prm_layout *layout = &prm_layout_create_rqt_in;
	struct collected c = { 0 };

	prm_set(&mbox.in, opcode, PRM_OP_create_rqt);
	prm_set(prm_sub(&mbox.in, rqt_context), rqt_max_size, 2);
	prm_set(&mbox.rqs[1], rq_num, 0x44);
	EXPECT_EQ(0, prm_each_set(layout, mbox.in.dw, sizeof(mbox), collect_value, &c));
	EXPECT_STREQ("opcode=916 rqt_context.rqt_max_size=2 rqt_context.rq_num[1].rq_num=44 ",
		     c.text);

	c = (struct collected){ .stop_after = 2 };
	EXPECT_EQ(7, prm_each_set(layout, mbox.in.dw, sizeof(mbox), collect_value, &c));
	EXPECT_STREQ("opcode=916 rqt_context.rqt_max_size=2 ", c.text);
}

TEST(prm, commands_know_their_layouts)
{
	const struct prm_command *c = prm_command_of(PRM_OP_create_cq);

	ASSERT_NE(NULL, c);
	EXPECT_STREQ("create_cq", c->name);
	EXPECT_EQ(&prm_layout_create_cq_in, c->in);
	EXPECT_EQ(&prm_layout_create_cq_out, c->out);
	EXPECT_EQ(NULL, prm_command_of(0xffff));
}

TEST(prm, statuses_have_names)
{
	EXPECT_STREQ("BAD_PARAM", prm_status_name(PRM_STATUS_BAD_PARAM));
	EXPECT_STREQ("?", prm_status_name(0xee));
}
