/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <byteswap.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/capture.h"
#include "pcap_file.h"

enum { MAX_BYTES = 1 << 17, FRAME_BYTES = 60, PACKET = 6, OLD_PACKET = 2, SIMPLE_PACKET = 3 };

/*
 * A pcapng file in memory, and the capture that it becomes.
 * @block: where the current block begins
 * @is_swapped: writes the byte order that is not that of this machine
 */
FIXTURE(pcapng)
{
	uint8_t bytes[MAX_BYTES];
	uint32_t n, block;
	bool is_swapped;
	char path[64], why[512];
	struct capture c;
};
FIXTURE_SETUP(pcapng)
{
	snprintf(self->path, sizeof(self->path), "/tmp/pktgen-test-XXXXXX");
	close(mkstemp(self->path));
}
FIXTURE_TEARDOWN(pcapng)
{
	capture_free(&self->c);
	unlink(self->path);
}

static void put_bytes(struct ct_fix_pcapng *self, const void *bytes, uint32_t n)
{
	if (n)
		memcpy(self->bytes + self->n, bytes, n);
	self->n += n;
	while (self->n % 4)
		self->bytes[self->n++] = 0;
}

static void put_u32(struct ct_fix_pcapng *self, uint32_t v)
{
	v = self->is_swapped ? bswap_32(v) : v;
	put_bytes(self, &v, sizeof(v));
}

static void put_u16s(struct ct_fix_pcapng *self, uint16_t first, uint16_t second)
{
	uint16_t v[] = { first, second };

	v[0] = self->is_swapped ? bswap_16(first) : first;
	v[1] = self->is_swapped ? bswap_16(second) : second;
	put_bytes(self, v, sizeof(v));
}

static void begin_block(struct ct_fix_pcapng *self, uint32_t type)
{
	self->block = self->n;
	put_u32(self, type);
	put_u32(self, 0);
}

static void end_block(struct ct_fix_pcapng *self)
{
	const uint32_t end = self->n + 4, n = end - self->block;

	self->n = self->block + 4;
	put_u32(self, n);
	self->n = end - 4;
	put_u32(self, n);
}

static void put_section(struct ct_fix_pcapng *self)
{
	begin_block(self, PCAPNG_MAGIC);
	put_u32(self, 0x1a2b3c4d);
	put_u16s(self, 1, 0);
	put_u32(self, UINT32_MAX);
	put_u32(self, UINT32_MAX);
	end_block(self);
}

static void put_option(struct ct_fix_pcapng *self, uint16_t code, const void *value, uint16_t n)
{
	put_u16s(self, code, n);
	put_bytes(self, value, n);
}

/* @name: may be NULL. @resolution: if_tsresol, or 0: none */
static void put_interface(struct ct_fix_pcapng *self, uint16_t link, uint32_t snap,
			  const char *name, uint8_t resolution)
{
	begin_block(self, 1);
	put_u16s(self, link, 0);
	put_u32(self, snap);
	if (name)
		put_option(self, 2, name, (uint16_t)strlen(name));
	if (resolution)
		put_option(self, 9, &resolution, 1);
	if (name)
		put_option(self, 0, NULL, 0);
	end_block(self);
}

/* Adds a packet of 60 bytes, each of which is @byte. */
static void put_packet(struct ct_fix_pcapng *self, uint32_t type, uint16_t interface,
		       uint64_t units, uint8_t byte)
{
	uint8_t frame[FRAME_BYTES];

	memset(frame, byte, sizeof(frame));
	begin_block(self, type);
	if (type == OLD_PACKET)
		put_u16s(self, interface, 7 /* drops */);
	else if (type == PACKET)
		put_u32(self, interface);
	if (type != SIMPLE_PACKET) {
		put_u32(self, (uint32_t)(units >> 32));
		put_u32(self, (uint32_t)units);
		put_u32(self, FRAME_BYTES);
	}
	put_u32(self, FRAME_BYTES);
	put_bytes(self, frame, FRAME_BYTES);
	end_block(self);
}

static int read_bytes(struct ct_fix_pcapng *self, uint32_t n, const char *interface)
{
	static const struct rewrite no_rewrite;
	FILE *file = fopen(self->path, "wb");

	fwrite(self->bytes, 1, n, file);
	fclose(file);
	return capture_read(&self->c, self->path, interface, &no_rewrite, self->why,
			    sizeof(self->why));
}

/* Expects a refusal with @fact, and nothing left of the capture. */
static void expect_refused(struct ct_fix_pcapng *self, const char *interface, const char *fact)
{
	static const struct capture zero;

	EXPECT_EQ(-EINVAL, read_bytes(self, self->n, interface));
	EXPECT_MEMEQ(&zero, &self->c, sizeof(zero));
	SCOPED_TRACE("%s", self->why);
	EXPECT_NE(NULL, strstr(self->why, fact));
}

/* Expects frames that begin with these bytes. */
static void expect_frames(struct ct_fix_pcapng *self, const char *interface, const char *first)
{
	ASSERT_EQ(0, read_bytes(self, self->n, interface));
	ASSERT_EQ(strlen(first), self->c.n_frames);
	for (unsigned i = 0; i < self->c.n_frames; i++)
		EXPECT_EQ(first[i], self->c.frames[i].bytes[0]);
}

/* Interface 0 is eth0, 1 is any, and 2 is eth1. The packets of eth0 are a and d, and so on. */
static void put_three_interfaces(struct ct_fix_pcapng *self)
{
	put_section(self);
	put_interface(self, ETHERNET, 65535, "eth0", 0);
	put_interface(self, LINUX_SLL, 262144, "any", 0);
	put_interface(self, ETHERNET, 0, "eth1", 0);
	put_packet(self, PACKET, 0, 1000000, 'a');
	put_packet(self, PACKET, 1, 2000000, 'b');
	put_packet(self, PACKET, 2, 3000000, 'c');
	put_packet(self, PACKET, 0, 4000000, 'd');
}

TEST_F(pcapng, packets_of_all_ethernet_interfaces_are_taken)
{
	put_three_interfaces(self);
	expect_frames(self, NULL, "acd");
	ASSERT_EQ(3, self->c.n_interfaces);
	for (unsigned i = 0; i < 3; i++) {
		EXPECT_EQ(i != 1, self->c.interfaces[i].is_taken);
		EXPECT_EQ(i ? 1 : 2, self->c.interfaces[i].n_packets);
	}
	EXPECT_STREQ("any", self->c.interfaces[1].name);
	EXPECT_EQ(LINUX_SLL, self->c.interfaces[1].link_type);
	EXPECT_EQ(2000000000, self->c.frames[1].at_ns);
}

TEST_F(pcapng, an_interface_is_chosen_by_number_or_name)
{
	put_three_interfaces(self);
	expect_frames(self, "0", "ad");
	EXPECT_FALSE(self->c.interfaces[2].is_taken);
	capture_free(&self->c);
	expect_frames(self, "eth1", "c");
	EXPECT_EQ(0, self->c.frames[0].at_ns);
	capture_free(&self->c);
	expect_refused(self, "any", "link type is LINUX_SLL (113) (valid: EN10MB (1), Ethernet)");
	expect_refused(self, "1", "link type is LINUX_SLL (113)");
	expect_refused(self, "3",
		       "no interface 3 in the file (valid: interface 0 (eth0, EN10MB), interface 1 "
		       "(any, LINUX_SLL), interface 2 (eth1, EN10MB))");
	expect_refused(self, "eth", "no interface eth in the file");
	expect_refused(self, "", "the interface is empty");
	put_interface(self, ETHERNET, 0, "idle", 0);
	expect_refused(self, "idle", "no packet of interface idle in the file");
}

TEST_F(pcapng, a_refusal_lists_eight_interfaces)
{
	put_section(self);
	for (unsigned i = 0; i < 10; i++)
		put_interface(self, ETHERNET, 0, NULL, 0);
	expect_refused(self, "eth0", "interface 7 (EN10MB) and 2 more)");
}

TEST_F(pcapng, each_section_has_interfaces_and_a_byte_order_of_its_own)
{
	put_section(self);
	put_interface(self, ETHERNET, 0, "first", 0);
	put_packet(self, PACKET, 0, 1000000, 'a');
	self->is_swapped = true;
	put_section(self);
	put_interface(self, ETHERNET, 0, "second", 9);
	put_packet(self, PACKET, 0, 1500000000, 'b');
	put_packet(self, OLD_PACKET, 0, 1600000000, 'c');
	self->is_swapped = false;
	put_section(self);
	put_interface(self, ETHERNET, 0, NULL, 0);
	put_packet(self, PACKET, 0, 0x100000000, 'd');
	expect_frames(self, NULL, "abcd");
	EXPECT_EQ(500000000, self->c.frames[1].at_ns);
	EXPECT_EQ(600000000, self->c.frames[2].at_ns);
	EXPECT_EQ(4293967296000, self->c.frames[3].at_ns);
	capture_free(&self->c);
	expect_frames(self, "1", "bc");
	capture_free(&self->c);
	put_packet(self, PACKET, 1, 0, 'e');
	expect_refused(self, NULL, "a packet is of interface 1, which the file does not describe");
}

/* Two packets of one interface, of which the second is later by so many units. */
static const struct resolution_case {
	const char *name;
	uint8_t resolution;
	uint64_t first, units, want_ns;
} resolutions[] = {
	{ "seconds_of_a_power_of_2", 0x80, 1700000000, 3, 3000000000 },
	{ "milliseconds", 3, 1700000000000, 1500, 1500000000 },
	{ "nanoseconds", 9, 1700000000000000000, 1, 1 },
	{ "picoseconds", 12, 1700000000000, 2999, 2 },
	{ "binary_fractions", 0x80 | 20, 1700000000ull << 20, 1 << 18, 250000000 },
	{ "the_smallest_power_of_10", 19, 0, 10000000000, 1 },
	{ "the_smallest_power_of_2", 0x80 | 63, 0, 1ull << 62, 500000000 },
};

TEST_F_EACH(pcapng, times_are_exact_in, struct resolution_case, resolutions)
{
	put_section(self);
	put_interface(self, ETHERNET, 0, NULL, row->resolution);
	put_packet(self, PACKET, 0, row->first, 'a');
	put_packet(self, PACKET, 0, row->first + row->units, 'b');
	expect_frames(self, NULL, "ab");
	EXPECT_EQ(row->want_ns, self->c.frames[1].at_ns);
}

TEST_F(pcapng, an_offset_adds_seconds)
{
	const int64_t offset = -5;

	put_section(self);
	put_interface(self, ETHERNET, 0, NULL, 0);
	begin_block(self, 1);
	put_u16s(self, ETHERNET, 0);
	put_u32(self, 0);
	put_option(self, 14, &offset, sizeof(offset));
	end_block(self);
	put_packet(self, PACKET, 0, 2000000, 'a');
	put_packet(self, PACKET, 1, 9250000, 'b');
	expect_frames(self, NULL, "ab");
	EXPECT_EQ(2250000000, self->c.frames[1].at_ns);
}

TEST_F(pcapng, a_simple_packet_has_the_time_before_it)
{
	put_section(self);
	put_interface(self, ETHERNET, 0, NULL, 0);
	put_packet(self, SIMPLE_PACKET, 0, 0, 'a');
	put_packet(self, PACKET, 0, 3000000, 'b');
	put_packet(self, SIMPLE_PACKET, 0, 0, 'c');
	expect_frames(self, NULL, "abc");
	EXPECT_EQ(3000000000, self->c.frames[2].at_ns);
	capture_free(&self->c);
	put_section(self);
	put_interface(self, ETHERNET, 30, NULL, 0);
	put_packet(self, SIMPLE_PACKET, 0, 0, 'd');
	expect_refused(self, NULL, "packet 4 was recorded in part (30 of 60 bytes)");
}

TEST_F(pcapng, other_blocks_and_options_are_skipped)
{
	static const char comment[] = "a comment, which is not a name";

	put_section(self);
	begin_block(self, 0x0bad);
	put_bytes(self, comment, sizeof(comment));
	end_block(self);
	begin_block(self, 1);
	put_u16s(self, ETHERNET, 0);
	put_u32(self, 0);
	put_option(self, 1, comment, sizeof(comment));
	put_option(self, 9, comment, 2);
	put_option(self, 2, "lo", 2);
	end_block(self);
	put_packet(self, PACKET, 0, 0, 'a');
	expect_frames(self, NULL, "a");
	EXPECT_STREQ("lo", self->c.interfaces[0].name);
}

/* A file without its last bytes is refused, unless it ends with a packet. */
TEST_F(pcapng, a_file_cut_off_at_any_byte_is_refused)
{
	unsigned n_whole = 0;

	put_section(self);
	put_interface(self, ETHERNET, 0, "eth0", 9);
	put_packet(self, PACKET, 0, 0, 'a');
	put_packet(self, SIMPLE_PACKET, 0, 0, 'b');
	put_packet(self, OLD_PACKET, 0, 0, 'c');
	for (uint32_t n = self->n; n >= sizeof(uint32_t); n--) {
		const bool is_whole = !read_bytes(self, n, NULL);

		n_whole += is_whole;
		EXPECT_EQ(is_whole ? 4 - n_whole : 0, self->c.n_frames);
		EXPECT_EQ(is_whole, !strstr(self->why, "; record again"));
		self->why[0] = '\0';
		capture_free(&self->c);
	}
	EXPECT_EQ(3, n_whole);
}

/* A 32-bit word of the file below, and what makes the file invalid. */
static const struct bad_word {
	const char *name;
	uint32_t at, value;
	const char *fact;
} bad_words[] = {
	{ "byte_order", 8, 0x12345678, "a section has byte order 0x12345678" },
	{ "length_of_a_section", 4, 12, "a block has 12 bytes (valid: 16 to 16777216" },
	{ "length_that_is_odd", 32, 25, "a block has 25 bytes (valid: 12 to 16777216" },
	{ "length_that_is_too_large", 32, 1 << 25, "a block has 33554432 bytes" },
	{ "length_at_the_end", 52, 24, "the two lengths of a block differ" },
	{ "length_of_an_option", 44, 9 | 5 << 16, "an option is longer than its block" },
	{ "time_resolution", 48, 20, "an interface has time resolution 0x14" },
	{ "binary_time_resolution", 48, 0xc0, "an interface has time resolution 0xc0" },
	{ "interface_of_a_packet", 64, 1, "a packet is of interface 1, which" },
	{ "length_of_a_packet", 76, 61, "a packet is longer than its block" },
	{ "largest_length_of_a_packet", 76, UINT32_MAX, "a packet is longer than its block" },
};

TEST_F_EACH(pcapng, an_invalid_word_is_refused, struct bad_word, bad_words)
{
	put_section(self);                         /* 28 bytes */
	put_interface(self, ETHERNET, 0, NULL, 9); /* 28 bytes */
	put_packet(self, PACKET, 0, 0, 'a');
	memcpy(self->bytes + row->at, &row->value, sizeof(row->value));
	expect_refused(self, NULL, row->fact);
	EXPECT_NE(NULL, strstr(self->why, "packet 1 is cut off or invalid ("));
	EXPECT_EQ(NULL, strstr(self->why, "packets before"));
}

TEST_F(pcapng, blocks_without_room_for_their_fields_are_refused)
{
	static const uint32_t types[] = { 1, PACKET, OLD_PACKET, SIMPLE_PACKET };

	for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		self->n = 0;
		put_section(self);
		put_interface(self, ETHERNET, 0, NULL, 0);
		begin_block(self, types[i]);
		for (unsigned k = 0; types[i] != SIMPLE_PACKET && k < (types[i] == 1 ? 1 : 4); k++)
			put_u32(self, 0);
		end_block(self);
		expect_refused(self, NULL, "is too short");
	}
}

TEST_F(pcapng, more_interfaces_than_the_limit_are_refused)
{
	put_section(self);
	for (unsigned i = 0; i < PCAPNG_MAX_INTERFACES; i++)
		put_interface(self, ETHERNET, 0, NULL, 0);
	expect_refused(self, NULL, "no packet in the file");
	put_interface(self, ETHERNET, 0, NULL, 0);
	expect_refused(self, NULL, "more than 4096 interfaces");
}
