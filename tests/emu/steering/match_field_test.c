/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each field that steering can match, with a frame that matches and one that differs.
 */
#include <string.h>

#include "core_rig_queue.h"
#include "core_rig_steer.h"
#include "emu/packet/match.h"
#include "emu/steering/rss.h"
#include "emu/steering/steer.h"
#include "udp_frame.h"

enum { FRAME = 100, TUNNEL = 14 + 20 + 8 + 8 /* Ethernet, IPv4, UDP, VXLAN */ };
static const struct emu_vxlan vxlan = { 1, { EMU_VXLAN_PORT } };

FIXTURE(match_field)
{
	struct core_rig r;
	uint32_t tir[2];
	uint8_t frame[256];
};

FIXTURE_SETUP(match_field)
{
	struct core_rig_cq cq;
	struct core_rig_rq rq;

	core_rig_open(&self->r, &(struct core_rig_config){ .wire = "sink" });
	cq = core_rig_make_cq(&self->r, 6);
	rq = core_rig_make_rq(&self->r, 3, 0, cq.cqn);
	for (unsigned i = 0; i < 2; i++)
		self->tir[i] = core_rig_make_tir(&self->r, rq.rqn);
}

FIXTURE_TEARDOWN(match_field)
{
	core_rig_close(&self->r);
}

static void add_forward(struct ct_fix_match_field *self, uint32_t table, uint32_t group,
			uint32_t index, const struct prm_fte_match_param *value, unsigned tir)
{
	const struct core_rig_rule rule = {
		.table = table,
		.group = group,
		.index = index,
		.action = PRM_FLOW_CONTEXT_ACTION_FWD_DEST,
		.value = value,
		.n_dests = 1,
		.dest = { { PRM_FLOW_DESTINATION_TYPE_TIR, self->tir[tir] } },
	};

	EXPECT_EQ(PRM_STATUS_OK, core_rig_set_rule(&self->r, &rule));
}

static void expect_tir(struct ct_fix_match_field *self, unsigned tir)
{
	const struct emu_frame f = { self->frame, FRAME };
	struct emu_verdict v;
	struct emu_parsed p;

	emu_parse_frame(&f, &vxlan, &p);
	emu_steer_frame(self->r.emu, &f, &p, &v);
	ASSERT_EQ(1, v.n_tirs);
	EXPECT_EQ(self->tir[tir], v.to[0].tir->obj.id);
}

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
	OUTER(svlan_tag, 0, add_tag),
	OUTER(cvlan_tag, 0, add_two_tags),
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
	MISC(outer_second_cfi, 1, add_two_tags),
	MISC(outer_second_vid, 0, add_tag),
	MISC(outer_second_cvlan_tag, 1, add_two_tags),
	MISC(outer_second_svlan_tag, 0, add_two_tags),
	MISC(outer_ipv6_flow_label, 0xabcde, make_v6_labelled),
	MISC(outer_ipv6_flow_label, 0, keep_frame),
	MISC3(icmp_type, 8, make_icmp),
	MISC3(icmp_code, 3, make_icmp),
	MISC3(icmp_type, 0, keep_frame),
	MISC3(icmpv6_type, 135, make_icmp6),
	MISC3(icmpv6_code, 4, make_icmp6),
	MISC3(icmpv6_type, 0, make_icmp),
	MISC3(icmp_type, 0, make_icmp6),
};

static void set_field(struct prm_fte_match_param *p, const struct field *f, uint64_t v)
{
	prm_be32 *part = f->part == 0   ? get_outer(p)->dw
			 : f->part == 1 ? get_misc(p)->dw
					: get_misc3(p)->dw;

	prm_set_(part, f->bit, f->width, v);
}

TEST_F(match_field, frame_matches_each_field_alone)
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

/* ---- the same fields of inner headers ------------------------------------------------------ */

/* Returns the first bit in fte_match_param of the field of a row, or of that inner field. */
static size_t find_bit(const struct field *f, bool inner)
{
	static const struct {
		const char *name;
		size_t bit;
	} misc[] = {
		{ "outer_second_vid", prm_bit(get_misc(NULL), inner_second_vid) },
		{ "outer_second_prio", prm_bit(get_misc(NULL), inner_second_prio) },
		{ "outer_second_cfi", prm_bit(get_misc(NULL), inner_second_cfi) },
		{ "outer_second_cvlan_tag", prm_bit(get_misc(NULL), inner_second_cvlan_tag) },
		{ "outer_second_svlan_tag", prm_bit(get_misc(NULL), inner_second_svlan_tag) },
		{ "outer_ipv6_flow_label", prm_bit(get_misc(NULL), inner_ipv6_flow_label) },
	};
	const struct prm_fte_match_param *p = NULL;

	if (f->part == 0)
		return f->bit + (inner ? prm_bit(p, inner_headers) : prm_bit(p, outer_headers));
	for (size_t i = 0; inner && i < sizeof(misc) / sizeof(misc[0]); i++)
		if (!strcmp(f->name, misc[i].name))
			return misc[i].bit + prm_bit(p, misc_parameters);
	return f->bit + prm_bit(p, misc_parameters);
}

static uint64_t read_field(const uint8_t *frame, unsigned bytes, size_t bit, size_t width)
{
	const struct emu_frame f = { frame, bytes };
	const unsigned dw = (unsigned)(bit / 32);
	struct emu_parsed p;
	prm_be32 value;

	emu_parse_frame(&f, &vxlan, &p);
	value = prm_be32_of(emu_match_dword(dw, &f, &p));
	EXPECT_TRUE(
		emu_match_supported(dw, 0xffffffffu >> (32 - width) << (32 - width - bit % 32)));
	return prm_get_(&value, bit % 32, width);
}

/* Puts a frame into a VXLAN tunnel, whose outer headers have other values. */
static void wrap_frame(uint8_t *tunnel, const uint8_t *frame)
{
	udp_frame_write(tunnel, TUNNEL + FRAME,
			&(struct udp_frame){ .no_csum = true, .dport = EMU_VXLAN_PORT });
	memset(tunnel + TUNNEL - 8, 0, 8);
	tunnel[TUNNEL - 8] = 8; /* the VNI is valid */
	memcpy(tunnel + TUNNEL, frame, FRAME);
}

TEST_F(match_field, inner_fields_are_read_as_outer_ones)
{
	uint8_t tunnel[TUNNEL + FRAME];

	for (unsigned i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const struct field *f = &fields[i];

		if (f->part == 2) /* no field of inner ICMP headers */
			continue;
		SCOPED_TRACE("row %u: %s", i, f->name);
		udp_frame_write(self->frame, FRAME, &(struct udp_frame){ .fill = 0 });
		f->frame(self->frame);
		EXPECT_EQ(f->want, read_field(self->frame, FRAME, find_bit(f, false), f->width));
		EXPECT_EQ(0, read_field(self->frame, FRAME, find_bit(f, true), f->width));
		wrap_frame(tunnel, self->frame);
		EXPECT_EQ(f->want, read_field(tunnel, sizeof(tunnel), find_bit(f, true), f->width));
	}
}
