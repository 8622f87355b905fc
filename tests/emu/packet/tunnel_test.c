/* SPDX-License-Identifier: BSD-3-Clause */
#include <netinet/in.h>
#include <string.h>

#include "emu/packet/csum.h"
#include "emu/packet/match.h"
#include "emu/packet/segment.h"
#include "ct.h"
#include "packet/tunnel_frames.h"
#include "packet/tunnel_lso.h"
#include "prm/prm.h"

enum { ROOM = 256 };

static const struct emu_vxlan vxlan = { 2, { EMU_VXLAN_PORT, 8472 } };

static struct emu_parsed parse_bytes(const uint8_t *frame, uint32_t bytes)
{
	struct emu_parsed p;

	emu_parse_frame(&(struct emu_frame){ frame, bytes }, &vxlan, &p);
	return p;
}

static const struct tunnel_frame *find_frame(const char *name)
{
	FOR_EACH_ROW (row, tunnel_frames)
		if (!strcmp(row->name, name))
			return row;
	return NULL;
}

TEST_EACH(tunnel, parser_finds_outer_and_inner_headers, struct tunnel_frame, tunnel_frames)
{
	const struct emu_parsed p = parse_bytes((const uint8_t *)row->data, row->bytes);

	EXPECT_EQ(row->tunnel, p.tunnel);
	EXPECT_EQ(row->outer_l3, p.outer.l3_off);
	EXPECT_EQ(row->inner_l2 != 0, p.inner.ethernet);
	if (row->inner_l2)
		EXPECT_EQ(row->inner_l2, p.inner.l2_off);
	EXPECT_EQ(row->inner_ip == 4   ? PRM_CQE_L3_IPV4
		  : row->inner_ip == 6 ? PRM_CQE_L3_IPV6
				       : PRM_CQE_L3_NONE,
		  p.inner.l3);
	if (row->inner_ip) {
		EXPECT_EQ(row->inner_l3, p.inner.l3_off);
		EXPECT_EQ(row->inner_l4, p.inner.l4_off);
		EXPECT_EQ(row->bytes, p.inner.ip_end);
	}
	EXPECT_EQ(row->inner_proto != 0, p.inner.l4);
	if (row->inner_proto)
		EXPECT_EQ(row->inner_proto, p.inner.l4_proto);
}

TEST_EACH(tunnel, sums_are_verified_in_both_headers, struct tunnel_frame, tunnel_frames)
{
	for (int spoilt = -1; spoilt < 4; spoilt++) {
		uint8_t frame[ROOM];
		struct emu_parsed p;

		if (spoilt >= 0 && !row->at[spoilt])
			continue;
		SCOPED_TRACE("spoilt checksum %d", spoilt);
		memcpy(frame, row->data, row->bytes);
		if (spoilt >= 0)
			frame[row->at[spoilt]] ^= 0x40;
		p = parse_bytes(frame, row->bytes);
		emu_parse_sums(&(struct emu_frame){ frame, row->bytes }, &p);
		EXPECT_EQ(spoilt != 0, p.outer.ip_ok);
		if (p.outer.l4) /* an outer UDP checksum covers all inner bytes */
			EXPECT_EQ(spoilt < 0 || spoilt == 0, p.outer.l4_ok);
		if (p.inner.l3)
			EXPECT_EQ(spoilt != 2, p.inner.ip_ok);
		if (p.inner.l4)
			EXPECT_EQ(spoilt != 3, p.inner.l4_ok);
		if (spoilt < 0)
			EXPECT_EQ(row->sum, p.sum);
	}
}

/* Bit i of the row's request: at[i] = outer IP, outer L4, inner IP, inner L4. */
static uint8_t make_cs_flags(unsigned request)
{
	return (uint8_t)((request & 1 ? PRM_ETH_CS_L3 : 0) | (request & 2 ? PRM_ETH_CS_L4 : 0) |
			 (request & 4 ? PRM_ETH_CS_INNER_L3 : 0) |
			 (request & 8 ? PRM_ETH_CS_INNER_L4 : 0));
}

TEST_EACH(tunnel, insert_writes_the_requested_checksums, struct tunnel_frame, tunnel_frames)
{
	for (unsigned request = 0; request < 16; request++) {
		uint8_t frame[ROOM], want[ROOM];

		SCOPED_TRACE("request %u", request);
		memcpy(frame, row->data, row->bytes);
		memcpy(want, row->data, row->bytes);
		for (unsigned i = 0; i < 4; i++) {
			if (!row->at[i])
				continue;
			frame[row->at[i]] = TUNNEL_GARBAGE >> 8;
			frame[row->at[i] + 1] = TUNNEL_GARBAGE & 0xff;
			want[row->at[i]] = (uint8_t)(row->want[request][i] >> 8);
			want[row->at[i] + 1] = (uint8_t)row->want[request][i];
		}
		emu_csum_insert(frame, row->bytes, &vxlan, make_cs_flags(request));
		EXPECT_MEMEQ(want, frame, row->bytes);
	}
}

/* Cut at any byte, in the headers or behind them: the parser stays inside, and insert changes
 * nothing behind the end. */
TEST_EACH(tunnel, a_truncated_frame_is_parsed_up_to_its_end, struct tunnel_frame, tunnel_frames)
{
	for (unsigned bytes = 14; bytes <= row->bytes; bytes++) {
		uint8_t frame[ROOM];
		struct emu_parsed p;
		uint8_t *const outer = frame + row->outer_l3;
		const bool v6 = frame == outer || (uint8_t)row->data[row->outer_l3] >> 4 == 6;

		SCOPED_TRACE("%u bytes", bytes);
		memset(frame, 0x5a, sizeof(frame));
		memcpy(frame, row->data, bytes);
		if (bytes >= row->outer_l3 + 40u) { /* only the inner packet is cut */
			const uint16_t n = htons((uint16_t)(bytes - row->outer_l3 - (v6 ? 40 : 0)));

			memcpy(outer + (v6 ? 4 : 2), &n, sizeof(n));
		}
		p = parse_bytes(frame, bytes);
		EXPECT_LE(p.outer.ip_end, bytes);
		if (p.tunnel) {
			EXPECT_LE(p.inner.l3_off, bytes);
			EXPECT_LE(p.inner.l4_off, p.inner.ip_end);
			EXPECT_LE(p.inner.payload_off, p.inner.ip_end);
			EXPECT_LE(p.inner.ip_end, bytes);
			if (bytes < row->bytes && row->inner_ip)
				EXPECT_EQ(PRM_CQE_L3_NONE, p.inner.l3); /* shorter than it says */
		}
		emu_parse_sums(&(struct emu_frame){ frame, bytes }, &p);
		emu_csum_insert(frame, bytes, &vxlan, make_cs_flags(15));
		for (unsigned i = bytes; i < sizeof(frame); i++)
			EXPECT_EQ(0x5a, frame[i]);
	}
}

static const struct no_tunnel {
	const char *name, *frame;
	unsigned at;
	uint8_t value;
} no_tunnels[] = {
	{ "another_udp_port", "vxlan4_tcp4", 37, 0xb6 },
	{ "gre_with_routing", "gre4_tcp4", 34, 0x40 },
	{ "gre_version_1", "gre4_tcp4", 35, 0x01 },
	{ "gre_with_mpls", "gre4_tcp4", 36, 0x88 },
	{ "outer_fragment", "vxlan4_tcp4", 20, 0x20 },
	{ "gre_fragment", "gre4_tcp4", 20, 0x20 },
};

TEST_EACH(tunnel, parser_finds_no_tunnel, struct no_tunnel, no_tunnels)
{
	const struct tunnel_frame *of = find_frame(row->frame);
	uint8_t frame[ROOM];

	memcpy(frame, of->data, of->bytes);
	frame[row->at] = row->value;
	EXPECT_EQ(EMU_TUNNEL_NONE, parse_bytes(frame, of->bytes).tunnel);
}

TEST(tunnel, parser_knows_each_port_of_vxlan)
{
	const struct tunnel_frame *of = find_frame("vxlan4_tcp4");
	uint8_t frame[ROOM];

	memcpy(frame, of->data, of->bytes);
	memcpy(frame + 36, "\x21\x18", 2); /* 8472 */
	EXPECT_EQ(EMU_TUNNEL_VXLAN, parse_bytes(frame, of->bytes).tunnel);
}

/* ---- fields for steering ------------------------------------------------------------------- */

static uint32_t extract_field(const struct tunnel_frame *row, size_t bit, unsigned width)
{
	const struct emu_frame f = { (const uint8_t *)row->data, row->bytes };
	const struct emu_parsed p = parse_bytes(f.data, f.bytes);
	const uint32_t dw = emu_match_dword((unsigned)(bit / 32), &f, &p);

	return dw << bit % 32 >> (32 - width);
}

#define PARAM ((const struct prm_fte_match_param *)0)
#define MISC ((const struct prm_fte_match_set_misc *)0)
#define LAYER ((const struct prm_fte_match_set_lyr_2_4 *)0)
#define EXTRACT_MISC(row, field)                                                                   \
	extract_field(row, prm_bit(PARAM, misc_parameters) + prm_bit(MISC, field),                 \
		      prm_width(MISC, field))
#define EXTRACT_INNER(row, field)                                                                  \
	extract_field(row, prm_bit(PARAM, inner_headers) + prm_bit(LAYER, field),                  \
		      prm_width(LAYER, field))

TEST(tunnel, match_reads_the_tunnel_header)
{
	const struct tunnel_frame *vx = find_frame("vxlan4_tcp4"),
				  *gre = find_frame("gre4_all_tcp6");
	const size_t key = prm_bit(PARAM, misc_parameters) + prm_bit(MISC, gre_key);

	EXPECT_EQ(0x123456, EXTRACT_MISC(vx, vxlan_vni));
	EXPECT_EQ(0, EXTRACT_MISC(vx, gre_protocol));
	EXPECT_EQ(0, extract_field(vx, key, 32));
	EXPECT_EQ(0, EXTRACT_MISC(gre, vxlan_vni));
	EXPECT_EQ(0x86dd, EXTRACT_MISC(gre, gre_protocol));
	EXPECT_EQ(1, EXTRACT_MISC(gre, gre_c_present));
	EXPECT_EQ(1, EXTRACT_MISC(gre, gre_k_present));
	EXPECT_EQ(1, EXTRACT_MISC(gre, gre_s_present));
	EXPECT_EQ(0x55667788, extract_field(gre, key, 32));
	gre = find_frame("gre6_key_udp4");
	EXPECT_EQ(0, EXTRACT_MISC(gre, gre_c_present));
	EXPECT_EQ(0x6558, EXTRACT_MISC(gre, gre_protocol));
	EXPECT_EQ(0xabcd1234, extract_field(gre, key, 32));
	EXPECT_EQ(0, extract_field(find_frame("gre4_tcp4"), key, 32));
}

TEST(tunnel, match_reads_the_inner_headers)
{
	const struct tunnel_frame *row = find_frame("vxlan4_tags");

	EXPECT_EQ(0x02000000, EXTRACT_INNER(row, smac_47_16));
	EXPECT_EQ(0x00bb, EXTRACT_INNER(row, smac_15_0));
	EXPECT_EQ(0x00aa, EXTRACT_INNER(row, dmac_15_0));
	EXPECT_EQ(0x0800, EXTRACT_INNER(row, ethertype));
	EXPECT_EQ(1, EXTRACT_INNER(row, cvlan_tag));
	EXPECT_EQ(9, EXTRACT_INNER(row, first_vid));
	EXPECT_EQ(3, EXTRACT_INNER(row, first_prio));
	EXPECT_EQ(4, EXTRACT_INNER(row, ip_version));
	EXPECT_EQ(IPPROTO_UDP, EXTRACT_INNER(row, ip_protocol));
	EXPECT_EQ(4000, EXTRACT_INNER(row, udp_dport));
	EXPECT_EQ(0, EXTRACT_INNER(row, tcp_dport));
	row = find_frame("ip4_in_ip6");
	EXPECT_EQ(0, EXTRACT_INNER(row, smac_47_16)); /* the tunnel carries no Ethernet header */
	EXPECT_EQ(0, EXTRACT_INNER(row, dmac_47_16));
	EXPECT_EQ(4, EXTRACT_INNER(row, ip_version));
	EXPECT_EQ(2000, EXTRACT_INNER(row, tcp_dport));
}

/* ---- segments of an LSO WQE ------------------------------------------------------------------ */

TEST_EACH(tunnel, segments_get_lengths_ids_and_checksums, struct tunnel_lso, tunnel_lsos)
{
	struct emu_template t = { .header_bytes = row->header_bytes, .mss = TUNNEL_LSO_MSS };
	uint8_t segment[ROOM + TUNNEL_LSO_MSS];

	memcpy(t.headers, row->headers, row->header_bytes);
	/* a device computes the lengths: those of the WQE are ignored, here 0 */
	memset(t.headers + 14 + (t.headers[14] >> 4 == 6 ? 4 : 2), 0, 2);
	ASSERT_EQ(NULL, emu_template_parse(&t, &vxlan));
	for (unsigned i = 0; i < 3; i++) {
		const unsigned at = i * TUNNEL_LSO_MSS;
		const unsigned left = TUNNEL_LSO_PAYLOAD - at;
		const unsigned bytes = left < TUNNEL_LSO_MSS ? left : TUNNEL_LSO_MSS;

		SCOPED_TRACE("segment %u", i);
		for (unsigned k = 0; k < bytes; k++)
			segment[row->header_bytes + k] = (uint8_t)(7 * (at + k) + 1);
		emu_segment_write(&t, segment, i, bytes, i == 2);
		emu_csum_insert(segment, row->header_bytes + bytes, &vxlan, row->cs_flags);
		EXPECT_MEMEQ(row->segments[i], segment, row->header_bytes);
	}
}
