/* SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "emu/queue/rq.h"
#include "emu/steering/rss.h"
#include "ct.h"
#include "udp_frame.h"

/*
 * Verification vectors of Microsoft's "RSS hashing functions" (Windows driver documentation,
 * "Verifying the RSS Hash Calculation"): key, address pairs, hash with and without ports.
 */
static const uint8_t key[EMU_RSS_KEY_BYTES] = {
	0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3,
	0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3,
	0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
};

static const struct vector {
	const char *name;
	const char *dst, *src;
	uint16_t dport, sport;
	uint32_t ip_only, with_ports;
} vectors[] = {
	{ "v4_1", "161.142.100.80", "66.9.149.187", 1766, 2794, 0x323e8fc2, 0x51ccc178 },
	{ "v4_2", "65.69.140.83", "199.92.111.2", 4739, 14230, 0xd718262a, 0xc626b0ea },
	{ "v4_3", "12.22.207.184", "24.19.198.95", 38024, 12898, 0xd2d0a5de, 0x5c2b394a },
	{ "v4_4", "209.142.163.6", "38.27.205.30", 2217, 48228, 0x82989176, 0xafc7327f },
	{ "v4_5", "202.188.127.2", "153.39.163.191", 1303, 44251, 0x5d1809c5, 0x10e828a2 },
	{ "v6_1", "3ffe:2501:200:3::1", "3ffe:2501:200:1fff::7", 1766, 2794, 0x2cc18cd5,
	  0x40207d3d },
	{ "v6_2", "ff02::1", "3ffe:501:8::260:97ff:fe40:efab", 4739, 14230, 0x0f0c461c,
	  0xdde51bbf },
	{ "v6_3", "fe80::200:f8ff:fe21:67cf", "3ffe:1900:4545:3:200:f8ff:fe21:67cf", 38024, 44251,
	  0x4b61e985, 0x02d1feef },
};

enum {
	SRC_IP = PRM_HASH_FIELD_SEL_SRC_IP,
	DST_IP = PRM_HASH_FIELD_SEL_DST_IP,
	SPORT = PRM_HASH_FIELD_SEL_L4_SPORT,
	DPORT = PRM_HASH_FIELD_SEL_L4_DPORT,
	ALL = SRC_IP | DST_IP | SPORT | DPORT,
};
enum { FRAME = 90 };
#define V6 (1u << 31)
#define UDP (1u << 30)

static void make_frame(uint8_t *frame, const struct vector *v, bool swapped)
{
	const bool v6 = strchr(v->dst, ':');
	const char *src = swapped ? v->dst : v->src, *dst = swapped ? v->src : v->dst;
	uint8_t *ip = frame + 14;

	udp_frame_write(frame, FRAME,
			&(struct udp_frame){ .v6 = v6,
					     .sport = swapped ? v->dport : v->sport,
					     .dport = swapped ? v->sport : v->dport });
	EXPECT_EQ(1, inet_pton(v6 ? AF_INET6 : AF_INET, src, ip + (v6 ? 8 : 12)));
	EXPECT_EQ(1, inet_pton(v6 ? AF_INET6 : AF_INET, dst, ip + (v6 ? 24 : 16)));
}

static uint32_t hash_bytes(struct emu_tir *tir, const uint8_t *frame, uint32_t bytes, uint8_t *type)
{
	struct emu_frame f = { frame, bytes };
	struct emu_parsed p;
	uint32_t h;

	tir->hash_fn = 2;
	memcpy(tir->key, key, sizeof(key));
	EXPECT_EQ(0, emu_tir_prepare(tir));
	emu_parse_frame(&f, &(struct emu_vxlan){ 1, { EMU_VXLAN_PORT } }, &p);
	h = emu_hash_frame(tir, &f, &p, type);
	emu_tir_release(tir);
	return h;
}

static uint32_t hash_frame(const uint8_t *frame, uint32_t outer, bool symmetric, uint8_t *type)
{
	struct emu_tir tir = { .symmetric = symmetric, .outer = outer };

	return hash_bytes(&tir, frame, FRAME, type);
}

TEST_EACH(rss, toeplitz_matches_microsofts_vectors, struct vector, vectors)
{
	const bool v6 = strchr(row->dst, ':');
	uint8_t frame[FRAME], type;

	make_frame(frame, row, false);
	EXPECT_EQ(row->ip_only,
		  hash_frame(frame, (v6 ? V6 : 0) | UDP | SRC_IP | DST_IP, false, &type));
	EXPECT_EQ(v6 ? 0x0a : 0x05, type);
	EXPECT_EQ(row->with_ports, hash_frame(frame, (v6 ? V6 : 0) | UDP | ALL, false, &type));
	EXPECT_EQ(v6 ? 0xaa : 0xa5, type);
}

TEST_EACH(rss, symmetric_hashes_both_directions_alike, struct vector, vectors)
{
	const bool v6 = strchr(row->dst, ':');
	const uint32_t outer = (v6 ? V6 : 0) | UDP | ALL;
	uint8_t there[FRAME], back[FRAME], type;

	make_frame(there, row, false);
	make_frame(back, row, true);
	EXPECT_EQ(hash_frame(there, outer, true, &type), hash_frame(back, outer, true, &type));
	EXPECT_NE(hash_frame(there, outer, false, &type), hash_frame(back, outer, false, &type));
	EXPECT_NE(hash_frame(there, outer, true, &type), hash_frame(there, outer, false, &type));
}

/* The symmetric hash uses OR of source and destination as source, and XOR as destination. */
TEST(rss, symmetric_is_or_then_xor)
{
	const struct vector v = {
		.src = "10.1.2.3", .dst = "192.168.9.4", .sport = 0x1234, .dport = 0xff00
	};
	const struct vector folded = { .src = "202.169.11.7",
				       .dst = "202.169.11.7",
				       .sport = 0x1234 | 0xff00,
				       .dport = 0x1234 ^ 0xff00 };
	uint8_t a[FRAME], b[FRAME], type;

	make_frame(a, &v, false);
	make_frame(b, &folded, false);
	EXPECT_EQ(hash_frame(b, UDP | ALL, false, &type), hash_frame(a, UDP | ALL, true, &type));
}

TEST(rss, frame_without_the_fields_is_not_hashed)
{
	uint8_t frame[FRAME], type = 0xff;

	make_frame(frame, &vectors[0], false);
	EXPECT_EQ(0, hash_frame(frame, V6 | UDP | ALL, false, &type)); /* not IPv6 */
	EXPECT_EQ(0, type);
	EXPECT_EQ(0, hash_frame(frame, ALL, false, &type)); /* not TCP */
	EXPECT_EQ(0, type);
	frame[14 + 6] = 0x20; /* a fragment has no ports */
	EXPECT_EQ(0, hash_frame(frame, UDP | ALL, false, &type));
	EXPECT_EQ(0, type);
	EXPECT_EQ(vectors[0].ip_only, hash_frame(frame, UDP | SRC_IP | DST_IP, false, &type));
}

TEST(rss, the_low_bits_choose_the_queue)
{
	struct emu_rq rq[4];
	struct emu_rq *list[] = { &rq[0], &rq[1], &rq[2], &rq[3] };
	struct emu_rqt rqt = { .n = 4, .rq = list };
	const struct emu_tir tir = { .indirect = true, .rqt = &rqt };

	EXPECT_EQ(&rq[0], emu_tir_rq(&tir, 0));
	EXPECT_EQ(&rq[2], emu_tir_rq(&tir, 0x51ccc17a));
	EXPECT_EQ(&rq[3], emu_tir_rq(&tir, 0xffffffff));
}

enum { VXLAN_BYTES = 50 };

/* Puts a frame into VXLAN. The outer frame is IPv4 and UDP. */
static void wrap_frame(uint8_t *at, const uint8_t *inner)
{
	const uint16_t ip = htons(VXLAN_BYTES - 14 + FRAME), udp = htons(VXLAN_BYTES - 34 + FRAME);

	memcpy(at,
	       "\2\0\0\0\0\1\2\0\0\0\0\2\x08\0" /* then IPv4, UDP to 4789, VXLAN */
	       "\x45\0\0\0\0\0\0\0\x40\x11\0\0\xc0\0\2\1\xc0\0\2\2"
	       "\x80\0\x12\xb5\0\0\0\0\x08\0\0\0\0\0\7",
	       VXLAN_BYTES);
	memcpy(at + 16, &ip, sizeof(ip));
	memcpy(at + 38, &udp, sizeof(udp));
	memcpy(at + VXLAN_BYTES, inner, FRAME);
}

TEST_EACH(rss, inner_selector_hashes_the_inner_headers, struct vector, vectors)
{
	const bool v6 = strchr(row->dst, ':');
	const uint32_t fields = (v6 ? V6 : 0) | UDP | ALL;
	struct emu_tir tir = { .tunneled_offload = true, .inner = fields };
	uint8_t inner[FRAME], frame[VXLAN_BYTES + FRAME], type;

	make_frame(inner, row, false);
	wrap_frame(frame, inner);
	EXPECT_EQ(row->with_ports, hash_bytes(&tir, frame, sizeof(frame), &type));
	EXPECT_EQ(v6 ? 0xaa : 0xa5, type);
	/* a frame without a tunnel is hashed by the outer selector, which is empty */
	EXPECT_EQ(0, hash_bytes(&tir, inner, FRAME, &type));
	tir.outer = fields;
	EXPECT_EQ(row->with_ports, hash_bytes(&tir, inner, FRAME, &type));
}

TEST(rss, outer_selector_hashes_the_outer_headers_of_a_tunnel)
{
	struct emu_tir tir = { .tunneled_offload = true, .outer = UDP | ALL };
	const struct vector outer = {
		.src = "192.0.2.1", .dst = "192.0.2.2", .sport = 0x8000, .dport = 4789
	};
	uint8_t inner[FRAME], frame[VXLAN_BYTES + FRAME], plain[FRAME], type;
	uint32_t want;

	make_frame(inner, &vectors[0], false);
	wrap_frame(frame, inner);
	make_frame(plain, &outer, false);
	want = hash_frame(plain, UDP | ALL, false, &type);
	EXPECT_EQ(want, hash_bytes(&tir, frame, sizeof(frame), &type));
	EXPECT_EQ(0xa5, type);
	tir.tunneled_offload = false;
	tir.inner = UDP | ALL; /* without tunneled_offload the inner headers count as payload */
	EXPECT_EQ(want, hash_bytes(&tir, frame, sizeof(frame), &type));
}
