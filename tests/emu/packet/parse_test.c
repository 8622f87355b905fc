/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "emu/packet/csum.h"
#include "ct.h"
#include "udp_frame.h"

enum { ROOM = 256 };

static const struct emu_vxlan default_vxlan = { 1, { EMU_VXLAN_PORT } };

static struct emu_parsed parse_bytes(const uint8_t *frame, unsigned bytes)
{
	struct emu_parsed p;

	emu_parse_frame(&(struct emu_frame){ frame, bytes }, &default_vxlan, &p);
	return p;
}

TEST(parse, finds_udp)
{
	uint8_t frame[ROOM];
	struct emu_parsed p;

	udp_frame_write(frame, 100, &(struct udp_frame){ .fill = 0 });
	p = parse_bytes(frame, 100);
	EXPECT_EQ(PRM_CQE_L3_IPV4, p.outer.l3);
	EXPECT_EQ(PRM_CQE_L4_UDP, p.outer.l4_type);
	EXPECT_EQ(14, p.outer.l3_off);
	EXPECT_EQ(34, p.outer.l4_off);
	EXPECT_EQ(42, p.outer.payload_off);
	EXPECT_EQ(100, p.outer.ip_end);
	EXPECT_EQ(0x0800, p.outer.ethertype);
	EXPECT_FALSE(p.outer.vlan);
}

TEST(parse, finds_vlan_tags)
{
	uint8_t frame[ROOM], inner[ROOM];
	struct emu_parsed p;

	udp_frame_write(inner, 100, &(struct udp_frame){ .tci = 0x0abc });
	memcpy(frame, inner, 12);
	memcpy(frame + 12, "\x88\xa8\x61\x23", 4);
	memcpy(frame + 16, inner + 12, 88);
	p = parse_bytes(frame, 104);
	EXPECT_EQ(0x88a8, p.outer.tpid[0]);
	EXPECT_EQ(0x6123, p.outer.tci[0]);
	EXPECT_EQ(0x8100, p.outer.tpid[1]);
	EXPECT_EQ(0x0abc, p.outer.tci[1]);
	EXPECT_EQ(0x0800, p.outer.ethertype);
	EXPECT_EQ(22, p.outer.l3_off);
	EXPECT_TRUE(p.outer.l4);
}

/* A CQE reports one of three kinds of TCP segment, by its flags and payload. */
TEST(parse, tells_tcp_kinds_apart)
{
	static const struct {
		uint8_t flags;
		unsigned payload;
		uint8_t type;
	} kinds[] = {
		{ 0x02, 0, PRM_CQE_L4_TCP },
		{ 0x10, 0, PRM_CQE_L4_TCP_EMPTY_ACK },
		{ 0x10, 5, PRM_CQE_L4_TCP_ACK },
		{ 0x08, 5, PRM_CQE_L4_TCP },
	};

	for (unsigned i = 0; i < 4; i++) {
		uint8_t frame[ROOM];
		struct emu_parsed p;

		SCOPED_TRACE("kind %u", i);
		udp_frame_write(frame, 54 + kinds[i].payload, &(struct udp_frame){ .fill = 0 });
		frame[23] = 6;
		memset(frame + 34, 0, 20);
		frame[34 + 12] = 0x50;
		frame[34 + 13] = kinds[i].flags;
		p = parse_bytes(frame, 54 + kinds[i].payload);
		EXPECT_EQ(kinds[i].type, p.outer.l4_type);
		EXPECT_EQ(54, p.outer.payload_off);
	}
}

TEST(parse, skips_ipv6_extension_headers)
{
	uint8_t frame[ROOM], plain[ROOM];
	struct emu_parsed p;

	udp_frame_write(plain, 100, &(struct udp_frame){ .v6 = true });
	memcpy(frame, plain, 54);
	memcpy(frame + 54,
	       "\x3c\0\1\4\0\0\0\0"
	       "\x11\1\0\0\0\0\0\0"
	       "\0\0\0\0\0\0\0\0",
	       24);
	memcpy(frame + 78, plain + 54, 46);
	frame[20] = 0; /* a hop-by-hop header, 16 bytes of destination options, then UDP */
	frame[19] = (uint8_t)(46 + 24);
	p = parse_bytes(frame, 124);
	EXPECT_TRUE(p.outer.ip_ext);
	EXPECT_EQ(17, p.outer.l4_proto);
	EXPECT_EQ(78, p.outer.l4_off);
	EXPECT_TRUE(p.outer.l4);
	frame[20] = 44; /* the parser reads no L4 header behind a fragment header */
	p = parse_bytes(frame, 124);
	EXPECT_TRUE(p.outer.frag);
	EXPECT_FALSE(p.outer.l4);
	EXPECT_EQ(PRM_CQE_L3_IPV6, p.outer.l3);
}

static const struct broken {
	const char *name;
	unsigned at;
	uint8_t value;
	unsigned bytes;
} broken[] = {
	{ "version", 14, 0x55, 100 },
	{ "header_length", 14, 0x44, 100 },
	{ "total_length_beyond", 17, 200, 100 },
	{ "cut_header", 14, 0x45, 30 },
	{ "total_length_below_header", 17, 19, 100 },
};

TEST_EACH(parse_ipv4, refuses_a_broken_header, struct broken, broken)
{
	uint8_t frame[ROOM];
	struct emu_parsed p;

	udp_frame_write(frame, 100, &(struct udp_frame){ .fill = 0 });
	frame[row->at] = row->value;
	p = parse_bytes(frame, row->bytes);
	EXPECT_EQ(PRM_CQE_L3_NONE, p.outer.l3);
	EXPECT_FALSE(p.outer.l4);
	EXPECT_EQ(row->bytes, p.outer.ip_end);
}

/* With random bytes in its headers, all offsets stay inside the frame and in order. */
TEST(parse, parser_stays_inside_any_frame)
{
	uint64_t state = 1;

	for (unsigned k = 0; k < 200000; k++) {
		uint8_t frame[ROOM];
		unsigned bytes = 14 + k % 120;
		struct emu_parsed p;

		udp_frame_write(frame, 134, &(struct udp_frame){ .v6 = k & 1, .tci = k & 2 });
		for (unsigned flips = k % 7; flips; flips--) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			frame[12 + (state >> 33) % 60] = (uint8_t)(state >> 56);
		}
		p = parse_bytes(frame, bytes);
		if (p.outer.l3_off > bytes || p.outer.l4_off > bytes ||
		    p.outer.payload_off > bytes || p.outer.ip_end > bytes ||
		    p.outer.l3_off > p.outer.l4_off || p.outer.l4_off > p.outer.ip_end ||
		    p.outer.payload_off > p.outer.ip_end) {
			SCOPED_TRACE("case %u", k);
			EXPECT_TRUE(false);
			break;
		}
		emu_parse_sums(&(struct emu_frame){ frame, bytes }, &p);
	}
}
