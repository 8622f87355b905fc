/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "model/conversation.h"

/* A UDP frame over IPv4, and a TCP frame over IPv6 with a hop-by-hop header. */
static const uint8_t udp4[60] = {
	2,  0,  0, 0, 0,  2, 2, 0, 0,  0, 0, 1, 8,    0, 0x45, 0, 0, 46, 0, 7, 0,   0,
	64, 17, 1, 2, 10, 0, 0, 1, 10, 0, 0, 2, 0x10, 1, 0x10, 2, 0, 26, 3, 4, 'x',
};
static const uint8_t tcp6[90] = {
	2,           0,        0,        0,        0,           2,        2,           0,
	0,           0,        0,        1,        0x86,        0xdd,     0x60,        0,
	0,           0,        0,        36,       0,           64,       [22] = 0x20, [37] = 1,
	[38] = 0x20, [53] = 2, [54] = 6, [55] = 0, [62] = 0x10, [63] = 1, [64] = 0x10, [65] = 2,
};

/* Flips the highest bit of byte @at. @same: the frame still belongs to the same conversation. */
static const struct change {
	const char *name;
	const uint8_t *frame;
	unsigned bytes, at;
	bool same;
} changes[] = {
	{ "source_mac", udp4, 60, 11, false },
	{ "destination_mac", udp4, 60, 0, false },
	{ "ipv4_identification", udp4, 60, 19, true },
	{ "ipv4_source", udp4, 60, 29, false },
	{ "ipv4_destination", udp4, 60, 33, false },
	{ "ipv4_ttl", udp4, 60, 22, true },
	{ "udp_source_port", udp4, 60, 35, false },
	{ "udp_destination_port", udp4, 60, 37, false },
	{ "udp_payload", udp4, 60, 42, true },
	{ "ipv6_source", tcp6, 90, 37, false },
	{ "ipv6_destination", tcp6, 90, 53, false },
	{ "ipv6_flow_label", tcp6, 90, 17, true },
	{ "tcp_source_port_behind_an_extension", tcp6, 90, 63, false },
	{ "tcp_sequence", tcp6, 90, 69, true },
};

TEST_EACH(conversation, tells_conversations_apart_by, struct change, changes)
{
	uint8_t frame[90];
	struct conversation_key a, b;

	memcpy(frame, row->frame, row->bytes);
	a = conversation_make_key(frame, row->bytes);
	frame[row->at] ^= 0x80;
	b = conversation_make_key(frame, row->bytes);
	EXPECT_EQ(row->same, !memcmp(&a, &b, sizeof(a)));
}

TEST(conversation, a_vlan_tag_belongs_to_the_key_and_does_not_hide_the_ports)
{
	uint8_t tagged[64], other[64];
	struct conversation_key plain = conversation_make_key(udp4, 60), a, b;

	memcpy(tagged, udp4, 12);
	memcpy(tagged + 12, "\x81\0\0\x2a", 4);
	memcpy(tagged + 16, udp4 + 12, 48);
	memcpy(other, tagged, sizeof(other));
	other[39] ^= 1; /* source port */
	a = conversation_make_key(tagged, 64);
	b = conversation_make_key(other, 64);
	EXPECT_TRUE(memcmp(&plain, &a, sizeof(a)));
	EXPECT_TRUE(memcmp(&a, &b, sizeof(a)));
}

TEST(conversation, fragments_have_no_ports)
{
	uint8_t frame[60];
	struct conversation_key a, b;

	memcpy(frame, udp4, sizeof(frame));
	frame[20] = 0x20; /* more fragments */
	a = conversation_make_key(frame, 60);
	frame[35] ^= 1;
	b = conversation_make_key(frame, 60);
	EXPECT_MEMEQ(&a, &b, sizeof(a));
}

/* Puts what an IPv4 frame has from byte 12 on behind @tags, and makes the key. */
static struct conversation_key make_tagged_key(const char *tags, unsigned n_bytes)
{
	uint8_t frame[80] = { 0 };

	memcpy(frame, udp4, 12);
	memcpy(frame + 12, tags, n_bytes);
	memcpy(frame + 12 + n_bytes, udp4 + 12, sizeof(udp4) - 12);
	return conversation_make_key(frame, sizeof(udp4) + n_bytes);
}

/* Behind 12 bytes of MAC addresses: types and tags, IP addresses, protocol, ports. */
static const char addresses4[] = "\12\0\0\1\12\0\0\2", ports[] = "\x10\1\x10\2";

static const struct parts {
	const char *name, *tags;
	unsigned tag_bytes;
	const char *types; /* the key has these types, in this order */
	unsigned type_bytes;
	bool is_read; /* up to the ports */
} parts[] = {
	{ "no_tag", "", 0, "\x08\0", 2, true },
	{ "one_tag", "\x81\0\0\x2a", 4, "\x81\0\0\x2a\x08\0", 6, true },
	{ "two_tags", "\x88\xa8\0\1\x81\0\0\2", 8, "\x88\xa8\0\1\x81\0\0\2\x08\0", 10, true },
	{ "two_tags_of_802_1ad", "\x88\xa8\0\1\x88\xa8\0\2", 8, "\x88\xa8\0\1\x88\xa8\0\2\x08\0",
	  10, true },
	{ "three_tags", "\x81\0\0\1\x81\0\0\2\x81\0\0\3", 12, "\x81\0\0\1\x81\0\0\2\x81\0", 10,
	  false },
	{ "another_type", "\x88\xb5", 2, "\x88\xb5", 2, false },
};

TEST_EACH(conversation, the_key_has_all_parts_of_a_frame_with, struct parts, parts)
{
	const struct conversation_key key = make_tagged_key(row->tags, row->tag_bytes);
	struct conversation_key want = { 0 };
	uint8_t *at = want.bytes + 12;

	memcpy(want.bytes, udp4, 12);
	memcpy(at, row->types, row->type_bytes);
	at += row->type_bytes;
	if (row->is_read) {
		memcpy(at, addresses4, 8);
		at[8] = 17;
		memcpy(at + 9, ports, 4);
	}
	EXPECT_MEMEQ(&want, &key, sizeof(key));
}

/* Changes one byte of a frame, or cuts it. @has_addresses, @has_ports: what its key has then. */
static const struct cut {
	const char *name;
	unsigned at;
	uint8_t value;
	unsigned bytes;
	bool has_addresses, has_ports;
} cuts[] = {
	{ "version_5", 14, 0x55, 60, false, false },
	{ "a_header_of_16_bytes", 14, 0x44, 60, false, false },
	{ "a_header_of_60_bytes", 14, 0x4f, 60, false, false },
	{ "all_bytes_of_options", 14, 0x4b, 58, true, false },
	{ "a_byte_less_than_its_options", 14, 0x4b, 57, false, false },
	{ "a_whole_header_and_no_more", 14, 0x45, 34, true, false },
	{ "a_byte_less_than_its_header", 14, 0x45, 33, false, false },
	{ "a_byte_less_than_its_ports", 14, 0x45, 37, true, false },
	{ "its_ports_and_no_more", 14, 0x45, 38, true, true },
	{ "more_fragments", 20, 0x20, 60, true, false },
	{ "an_offset_of_a_fragment", 21, 1, 60, true, false },
	{ "the_flag_dont_fragment", 20, 0x40, 60, true, true },
	{ "protocol_icmp", 23, 1, 60, true, false },
	{ "protocol_tcp", 23, 6, 60, true, true },
};

TEST_EACH(conversation, takes_what_is_there_of_a_frame_with, struct cut, cuts)
{
	struct conversation_key want = { 0 }, key;
	uint8_t frame[60], *at = want.bytes + 14;

	memcpy(frame, udp4, sizeof(frame));
	frame[row->at] = row->value;
	key = conversation_make_key(frame, row->bytes);
	memcpy(want.bytes, udp4, 14);
	if (row->has_addresses) {
		memcpy(at, addresses4, 8);
		at[8] = frame[23];
		at += 9;
	}
	if (row->has_ports)
		memcpy(at, ports, 4);
	EXPECT_MEMEQ(&want, &key, sizeof(key));
}

/* Extension headers of IPv6 before a TCP header, each of 8 bytes if @units is 0. */
static const struct chain {
	const char *name;
	uint8_t type, units;
	unsigned n;
	bool is_tcp, has_ports; /* the key has the protocol TCP; it has ports */
} chains[] = {
	{ "no_header", 0, 0, 0, true, true },
	{ "a_routing_header", 43, 0, 1, true, true },
	{ "a_long_header_of_destination_options", 60, 2, 1, true, true },
	{ "a_fragment_header_whose_second_byte_is_reserved", 44, 2, 1, true, false },
	{ "seven_headers", 0, 0, 7, true, true },
	{ "eight_headers", 0, 0, 8, true, false },
	{ "an_unknown_header", 59, 0, 1, false, false },
};

TEST_EACH(conversation, follows, struct chain, chains)
{
	const unsigned bytes = row->type == IPPROTO_FRAGMENT ? 8 : (row->units + 1u) * 8;
	uint8_t frame[14 + 40 + 8 * 8 + 20] = { 0 };
	unsigned at = 54;
	struct conversation_key want = { 0 }, key;

	memcpy(frame, tcp6, 54);
	frame[20] = row->n ? row->type : IPPROTO_TCP;
	for (unsigned i = 0; i < row->n; i++, at += bytes) {
		frame[at] = i + 1 < row->n ? row->type : IPPROTO_TCP;
		frame[at + 1] = row->units;
	}
	memcpy(frame + at, ports, 4);
	key = conversation_make_key(frame, at + 20);
	memcpy(want.bytes, tcp6, 14);
	memcpy(want.bytes + 14, tcp6 + 22, 32);
	want.bytes[46] = row->is_tcp ? IPPROTO_TCP : row->type;
	if (row->has_ports)
		memcpy(want.bytes + 47, ports, 4);
	EXPECT_MEMEQ(&want, &key, sizeof(key));
}

/* AddressSanitizer finds a read behind the frame. */
TEST(conversation, reads_no_byte_behind_a_frame_that_is_cut_off)
{
	uint8_t *cut;

	for (unsigned n = 14; n <= 90; n++) {
		cut = malloc(n);
		memcpy(cut, tcp6, n);
		(void)conversation_make_key(cut, n);
		memset(cut + 12, 0x81, n > 20 ? 8 : 2);
		(void)conversation_make_key(cut, n);
		free(cut);
	}
}
