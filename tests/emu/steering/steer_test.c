/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "emu/queue/port.h"
#include "emu/steering/steer.h"
#include "core_rig_queue.h"
#include "core_rig_steer.h"
#include "udp_frame.h"
#include "emu/steering/rss.h"

enum {
	ALLOW = PRM_FLOW_CONTEXT_ACTION_ALLOW,
	DROP = PRM_FLOW_CONTEXT_ACTION_DROP,
	FORWARD = PRM_FLOW_CONTEXT_ACTION_FWD_DEST,
	COUNT = PRM_FLOW_CONTEXT_ACTION_COUNT,
	TO_TABLE = PRM_FLOW_DESTINATION_TYPE_FLOW_TABLE,
	TO_TIR = PRM_FLOW_DESTINATION_TYPE_TIR,
};
enum { N_TIRS = 3, FRAME = 100 };

FIXTURE(steer)
{
	struct core_rig r;
	struct core_rig_cq cq;
	uint32_t tir[N_TIRS], table;
	uint8_t frame[256];
};

FIXTURE_SETUP(steer)
{
	struct core_rig_rq rq;

	core_rig_open(&self->r, &(struct core_rig_config){ .wire = "sink" });
	self->cq = core_rig_make_cq(&self->r, 6);
	rq = core_rig_make_rq(&self->r, 3, 0, self->cq.cqn);
	for (unsigned i = 0; i < N_TIRS; i++)
		self->tir[i] = core_rig_make_tir(&self->r, rq.rqn);
	self->table = core_rig_make_table(&self->r, 0, 10);
	core_rig_set_root(&self->r, self->table);
	udp_frame_write(self->frame, FRAME, &(struct udp_frame){ .fill = 0 });
}

FIXTURE_TEARDOWN(steer)
{
	core_rig_close(&self->r);
}

static struct emu_verdict steer_frame(struct ct_fix_steer *self)
{
	const struct emu_frame f = { self->frame, FRAME };
	struct emu_verdict v;
	struct emu_parsed p;

	emu_parse_frame(&f, &(struct emu_vxlan){ 1, { EMU_VXLAN_PORT } }, &p);
	emu_steer_frame(self->r.emu, &f, &p, &v);
	return v;
}

/* Adds a rule that forwards to self->tir[@tir], with flow tag @tir + 1. */
static void add_forward(struct ct_fix_steer *self, uint32_t table, uint32_t group, uint32_t index,
			const struct prm_fte_match_param *value, unsigned tir)
{
	const struct core_rig_rule rule = { .table = table,
					    .group = group,
					    .index = index,
					    .tag = tir + 1,
					    .action = FORWARD,
					    .value = value,
					    .n_dests = 1,
					    .dest = { { TO_TIR, self->tir[tir] } } };

	EXPECT_EQ(PRM_STATUS_OK, core_rig_set_rule(&self->r, &rule));
}

static void expect_tir(struct ct_fix_steer *self, unsigned tir)
{
	const struct emu_verdict v = steer_frame(self);

	EXPECT_FALSE(v.missed);
	ASSERT_EQ(1, v.n_tirs);
	EXPECT_EQ(self->tir[tir], v.to[0].tir->obj.id);
	EXPECT_EQ(tir + 1, v.to[0].flow_tag);
}

TEST_F(steer, no_rule_is_a_miss)
{
	const struct emu_verdict v = steer_frame(self);

	EXPECT_TRUE(v.missed);
	EXPECT_EQ(0, v.n_tirs);
}

TEST_F(steer, no_root_is_a_miss)
{
	self->r.emu->rx_root = NULL;
	EXPECT_TRUE(steer_frame(self).missed);
}

/* Groups are created in any order; the matching entry with the lowest flow index wins. */
TEST_F(steer, the_lowest_index_wins)
{
	const uint32_t late = core_rig_make_group(&self->r, self->table, 100, 199, NULL);
	const uint32_t early = core_rig_make_group(&self->r, self->table, 0, 99, NULL);

	add_forward(self, self->table, late, 100, NULL, 0);
	expect_tir(self, 0);
	add_forward(self, self->table, early, 50, NULL, 1);
	expect_tir(self, 1);
	add_forward(self, self->table, early, 7, NULL, 2);
	expect_tir(self, 2);
}

TEST_F(steer, a_miss_goes_to_the_miss_table)
{
	struct prm_create_flow_table_in in = { 0 };
	struct prm_create_flow_table_out out;
	struct prm_flow_table_context *ctx = prm_sub(&in, flow_table_context);
	const uint32_t last = core_rig_make_table(&self->r, 5, 4);

	prm_set(ctx, level, 1);
	prm_set(ctx, log_size, 4);
	prm_set(ctx, table_miss_action, PRM_FLOW_TABLE_MISS_ACTION_FWD);
	prm_set(ctx, table_miss_id, last);
	CORE_RIG_OK(&self->r, create_flow_table, &in, &out);
	core_rig_set_root(&self->r, (uint32_t)prm_get(&out, table_id));
	add_forward(self, last, core_rig_make_group(&self->r, last, 0, 3, NULL), 0, NULL, 1);
	expect_tir(self, 1);
}

TEST_F(steer, rule_may_lead_to_tables_and_several_tirs)
{
	const uint32_t next = core_rig_make_table(&self->r, 2, 4);
	const struct core_rig_rule rule = {
		.table = self->table,
		.group = core_rig_make_group(&self->r, self->table, 0, 0, NULL),
		.action = FORWARD,
		.tag = 77,
		.n_dests = 3,
		.dest = { { TO_TIR, self->tir[0] }, { TO_TABLE, next }, { TO_TIR, self->tir[2] } },
	};
	struct emu_verdict v;

	add_forward(self, next, core_rig_make_group(&self->r, next, 0, 0, NULL), 0, NULL, 1);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_set_rule(&self->r, &rule));
	v = steer_frame(self);
	ASSERT_EQ(3, v.n_tirs);
	EXPECT_EQ(self->tir[0], v.to[0].tir->obj.id);
	EXPECT_EQ(77, v.to[0].flow_tag);
	EXPECT_EQ(self->tir[1], v.to[1].tir->obj.id);
	EXPECT_EQ(2, v.to[1].flow_tag);
	EXPECT_EQ(self->tir[2], v.to[2].tir->obj.id);
}

TEST_F(steer, rule_may_drop_and_count)
{
	struct prm_alloc_flow_counter_in in = { 0 };
	struct prm_alloc_flow_counter_out out;
	struct emu_flow_counter *counter;
	struct core_rig_rule rule = { .table = self->table, .action = DROP | COUNT };

	CORE_RIG_OK(&self->r, alloc_flow_counter, &in, &out);
	rule.counter = (uint32_t)prm_get(&out, flow_counter_id);
	rule.group = core_rig_make_group(&self->r, self->table, 0, 0, NULL);
	EXPECT_EQ(PRM_STATUS_OK, core_rig_set_rule(&self->r, &rule));
	counter = emu_obj_at(&self->r.emu->table[EMU_FLOW_COUNTER], rule.counter);
	for (unsigned i = 0; i < 3; i++)
		emu_port_rx(self->r.emu, &(struct emu_frame){ self->frame, FRAME }, true);
	EXPECT_FALSE(steer_frame(self).missed);
	EXPECT_EQ(3, counter->packets);
	EXPECT_EQ(3 * FRAME, counter->bytes);
	EXPECT_EQ(3, self->r.emu->vport.rx_dropped);
}

/* ---- each field alone, with a frame that matches and one that differs ---------------------- */

static struct prm_fte_match_set_lyr_2_4 *get_outer(struct prm_fte_match_param *p)
{
	return prm_sub(p, outer_headers);
}
static struct prm_fte_match_set_misc *get_misc(struct prm_fte_match_param *p)
{
	return prm_sub(p, misc_parameters);
}
static struct prm_fte_match_set_misc3 *get_misc3(struct prm_fte_match_param *p)
{
	return prm_sub(p, misc_parameters_3);
}

/*
 * Functions that change the UDP frame of udp_frame_write() for a row of fields[]. All keep its IP
 * addresses. keep_frame() changes nothing.
 */
static void keep_frame(uint8_t *f)
{
	(void)f;
}
static void add_tag(uint8_t *f)
{
	udp_frame_write(f, FRAME, &(struct udp_frame){ .tci = 0x7abc });
}
static void make_v6(uint8_t *f)
{
	udp_frame_write(f, FRAME, &(struct udp_frame){ .v6 = true });
}
static void make_v6_labelled(uint8_t *f)
{
	make_v6(f);
	memcpy(f + 14, "\x6b\x4a\xbc\xde", 4); /* class 0xb4, label 0xabcde */
}
static void set_class(uint8_t *f)
{
	f[15] = 0xb6;
}
static void make_fragment(uint8_t *f)
{
	f[20] = 0x20;
}
static void make_tcp(uint8_t *f)
{
	f[23] = 6;
	f[34 + 12] = 0x51; /* data offset 5 words, NS */
	f[34 + 13] = 0x12; /* SYN, ACK */
}
static void make_icmp(uint8_t *f)
{
	f[23] = 1;
	f[34] = 8;
	f[35] = 3;
}
static void make_icmp6(uint8_t *f)
{
	make_v6(f);
	f[20] = 58;
	f[54] = 135;
	f[55] = 4;
}
static void add_two_tags(uint8_t *f)
{
	uint8_t inner[FRAME];

	udp_frame_write(inner, FRAME - 4, &(struct udp_frame){ .tci = 0x7abc });
	memcpy(f, inner, 12);
	memcpy(f + 12, "\x88\xa8\x01\x23", 4);
	memcpy(f + 16, inner + 12, FRAME - 16);
}

/* clang-format off */
#define OUTER(field, value, frame_)                                                                \
	{                                                                                          \
		.name = #field, .frame = frame_, .part = 0,                                        \
		.bit = prm_bit(get_outer(NULL), field),                                            \
		.width = prm_width(get_outer(NULL), field), .want = value                          \
	}
#define MISC(field, value, frame_)                                                                 \
	{                                                                                          \
		.name = #field, .frame = frame_, .part = 1, .bit = prm_bit(get_misc(NULL), field), \
		.width = prm_width(get_misc(NULL), field), .want = value                           \
	}
#define MISC3(field, value, frame_)                                                                \
	{                                                                                          \
		.name = #field, .frame = frame_, .part = 2,                                        \
		.bit = prm_bit(get_misc3(NULL), field),                                            \
		.width = prm_width(get_misc3(NULL), field), .want = value                          \
	}
/* clang-format on */

static const struct field {
	const char *name;
	void (*frame)(uint8_t *);
	unsigned part;
	size_t bit, width;
	uint32_t want;
} fields[] = {
	OUTER(smac_47_16, 0x02000000, keep_frame),
	OUTER(smac_15_0, 0x0063, keep_frame),
	OUTER(dmac_47_16, 0x02000000, keep_frame),
	OUTER(dmac_15_0, 0x0001, keep_frame),
	OUTER(ethertype, 0x0800, keep_frame),
	OUTER(ethertype, 0x0800, add_tag),
	OUTER(first_prio, 3, add_tag),
	OUTER(first_cfi, 1, add_tag),
	OUTER(first_vid, 0xabc, add_tag),
	OUTER(cvlan_tag, 1, add_tag),
	OUTER(cvlan_tag, 0, keep_frame),
	OUTER(svlan_tag, 1, add_two_tags),
	OUTER(ip_protocol, 17, keep_frame),
	OUTER(ip_dscp, 0xb6 >> 2, set_class),
	OUTER(ip_ecn, 2, set_class),
	OUTER(ip_dscp, 0xb4 >> 2, make_v6_labelled),
	OUTER(frag, 1, make_fragment),
	OUTER(frag, 0, keep_frame),
	OUTER(ip_version, 4, keep_frame),
	OUTER(ip_version, 6, make_v6),
	OUTER(tcp_flags, 0x112, make_tcp),
	OUTER(tcp_flags, 0, keep_frame),
	OUTER(tcp_sport, 1111, make_tcp),
	OUTER(tcp_dport, 2222, make_tcp),
	OUTER(tcp_dport, 0, keep_frame),
	OUTER(udp_sport, 1111, keep_frame),
	OUTER(udp_dport, 2222, keep_frame),
	OUTER(udp_dport, 0, make_tcp),
	OUTER(udp_dport, 0, make_fragment),
	OUTER(ttl_hoplimit, 64, keep_frame),
	OUTER(ttl_hoplimit, 64, make_v6),
	OUTER(ipv4_ihl, 5, keep_frame),
	MISC(outer_second_vid, 0xabc, add_two_tags),
	MISC(outer_second_prio, 3, add_two_tags),
	MISC(outer_second_cvlan_tag, 1, add_two_tags),
	MISC(outer_second_svlan_tag, 0, add_two_tags),
	MISC(outer_ipv6_flow_label, 0xabcde, make_v6_labelled),
	MISC3(icmp_type, 8, make_icmp),
	MISC3(icmp_code, 3, make_icmp),
	MISC3(icmp_type, 0, keep_frame),
	MISC3(icmpv6_type, 135, make_icmp6),
	MISC3(icmpv6_code, 4, make_icmp6),
};

static void set_field(struct prm_fte_match_param *p, const struct field *f, uint64_t v)
{
	prm_be32 *part = f->part == 0   ? get_outer(p)->dw
			 : f->part == 1 ? get_misc(p)->dw
					: get_misc3(p)->dw;

	prm_set_(part, f->bit, f->width, v);
}

TEST_F(steer, matches_each_field_alone)
{
	for (unsigned i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		struct prm_fte_match_param mask = { 0 }, value = { 0 };
		const struct field *f = &fields[i];
		uint32_t table, group;

		SCOPED_TRACE("row %u: %s", i, f->name);
		table = core_rig_make_table(&self->r, 0, 4);
		core_rig_set_root(&self->r, table);
		set_field(&mask, f, UINT64_MAX >> (64 - f->width));
		set_field(&value, f, f->want);
		group = core_rig_make_group(&self->r, table, 0, 3, &mask);
		udp_frame_write(self->frame, FRAME, &(struct udp_frame){ .fill = 0 });
		f->frame(self->frame);
		add_forward(self, table, group, 1, &value, 0);
		expect_tir(self, 0);
		/* the frame does not match if one bit of the value is inverted */
		set_field(&value, f, f->want ^ 1);
		add_forward(self, table, group, 0, &value, 1);
		expect_tir(self, 0);
	}
}

static void set_address(struct prm_fte_match_param *p, bool dst, const uint8_t *bytes, unsigned n)
{
	uint8_t *at = (uint8_t *)(dst ? (void *)prm_sub(get_outer(p), dst_ipv4_dst_ipv6)
				      : (void *)prm_sub(get_outer(p), src_ipv4_src_ipv6));

	memcpy(at + 16 - n, bytes, n);
}

TEST_F(steer, matches_addresses)
{
	for (unsigned i = 0; i < 4; i++) {
		const bool six = i & 1, dst = i & 2;
		const unsigned n = six ? 16 : 4, off = 14 + (six ? 8 : 12) + (dst ? n : 0);
		struct prm_fte_match_param mask = { 0 }, value = { 0 };
		const uint32_t table = core_rig_make_table(&self->r, 0, 4);
		uint8_t ones[16];

		SCOPED_TRACE("%s %s", six ? "IPv6" : "IPv4", dst ? "destination" : "source");
		core_rig_set_root(&self->r, table);
		udp_frame_write(self->frame, FRAME, &(struct udp_frame){ .v6 = six });
		memset(ones, 0xff, sizeof(ones));
		set_address(&mask, dst, ones, n);
		set_address(&value, dst, self->frame + off, n);
		add_forward(self, table, core_rig_make_group(&self->r, table, 0, 0, &mask), 0,
			    &value, 2);
		expect_tir(self, 2);
		self->frame[off + n - 1] ^= 1;
		EXPECT_TRUE(steer_frame(self).missed);
	}
}
