/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

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
