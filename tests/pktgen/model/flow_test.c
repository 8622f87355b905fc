/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <stdlib.h>

#include "model/flow.h"

/* A flow with frames of several sizes, one with frames of one size, and a frame. */
FIXTURE(flow)
{
	struct flow mixed, fixed;
	uint8_t frame[PKTGEN_MAX_SIZE];
};

static void make_flow(struct flow *f, const char *sizes)
{
	const struct endpoint src = { .mac = { 2, 0, 0, 0, 0, 1 },
				      .ip = pattern_make_value(0xc6120001),
				      .port = pattern_make_value(49152) };
	const struct endpoint dst = { .mac = { 2, 0, 0, 0, 0, 2 },
				      .ip = pattern_make_value(0xc6130001),
				      .port = pattern_make_value(9) };
	struct size size;

	if (size_parse(&size, sizes))
		ADD_FAILURE("%s: not a size", sizes);
	flow_init(f, 7, &src, &dst, &size);
}

FIXTURE_SETUP(flow)
{
	make_flow(&self->mixed, "64:7,594:4,1518:1");
}
FIXTURE_TEARDOWN(flow) {}

static uint32_t write_frame(struct ct_fix_flow *self, uint64_t seq)
{
	const uint32_t bytes = flow_compute_bytes(&self->mixed, seq);

	flow_write_frame(&self->mixed, seq, bytes, 0xfedcba98, self->frame);
	return bytes;
}

/* signature_test.c compares the header of a fixed flow with one written by hand. */
TEST_F(flow, a_frame_of_any_size_has_the_bytes_of_a_flow_of_that_size)
{
	uint8_t want[PKTGEN_MAX_SIZE];

	make_flow(&self->mixed, "64-10000");
	for (uint32_t size = 64; size <= 10000; size += size < 200 ? 1 : 613) {
		char text[16];
		const uint64_t seq = size - 64;

		snprintf(text, sizeof(text), "%u", size);
		make_flow(&self->fixed, text);
		memcpy(want, self->fixed.frame, size - 4);
		sign_frame(&self->fixed.signer, want, seq, 0xfedcba98);
		SCOPED_TRACE("size %u", size);
		ASSERT_EQ(size - 4, write_frame(self, seq));
		ASSERT_MEMEQ(want, self->frame, size - 4);
	}
}

TEST_F(flow, frames_of_several_sizes_read_back)
{
	struct sign_mark mark;

	for (uint64_t seq = 0; seq < 100; seq++) {
		const uint32_t bytes = write_frame(self, seq);

		SCOPED_TRACE("sequence %u", (unsigned)seq);
		ASSERT_EQ(SIGN_GOOD, flow_read_frame(&self->mixed, self->frame, bytes, 100, &mark));
		ASSERT_EQ(seq, mark.seq);
		ASSERT_EQ(0xfedcba98, mark.time_ns);
		ASSERT_EQ(SIGN_FOREIGN,
			  flow_read_frame(&self->mixed, self->frame, bytes, seq, &mark));
	}
}

TEST_F(flow, every_damage_of_one_byte_is_found_and_the_sequence_is_still_read)
{
	struct sign_mark mark;

	for (uint64_t seq = 0; seq < 12; seq++) {
		const uint32_t bytes = write_frame(self, seq);

		for (uint32_t at = 0; at < bytes; at++) {
			SCOPED_TRACE("sequence %u, byte %u", (unsigned)seq, at);
			self->frame[at] ^= 0x41;
			mark.seq = 99;
			ASSERT_EQ(SIGN_DAMAGED,
				  flow_read_frame(&self->mixed, self->frame, bytes, 100, &mark));
			ASSERT_EQ(seq, mark.seq);
			self->frame[at] ^= 0x41;
		}
	}
}

/* An intact frame of a size that its sequence does not have was not sent by the run. */
TEST_F(flow, a_frame_of_the_wrong_size_for_its_sequence_is_not_good)
{
	static const uint32_t sizes[] = { 60, 590, 1514 };
	struct sign_mark mark;

	for (uint64_t seq = 0; seq < 12; seq++) {
		for (unsigned i = 0; i < 3; i++) {
			enum sign_verdict v;

			flow_write_frame(&self->mixed, seq, sizes[i], 1, self->frame);
			v = flow_read_frame(&self->mixed, self->frame, sizes[i], 12, &mark);
			SCOPED_TRACE("sequence %u, %u bytes", (unsigned)seq, sizes[i]);
			if (flow_compute_bytes(&self->mixed, seq) == sizes[i])
				EXPECT_EQ(SIGN_GOOD, v);
			else
				EXPECT_EQ(SIGN_UNREADABLE, v);
		}
	}
}

TEST_F(flow, a_frame_cut_short_is_unreadable)
{
	const uint32_t bytes = write_frame(self, 1);
	struct sign_mark mark;

	for (uint32_t cut = FLOW_HEADER_BYTES; cut < bytes; cut++) {
		SCOPED_TRACE("%u bytes", cut);
		ASSERT_EQ(SIGN_UNREADABLE,
			  flow_read_frame(&self->mixed, self->frame, cut, 100, &mark));
	}
	ASSERT_EQ(SIGN_FOREIGN, flow_read_frame(&self->mixed, self->frame, 20, 100, &mark));
}

TEST_F(flow, a_frame_with_another_header_is_foreign)
{
	struct sign_mark mark;

	memset(self->frame, 0, sizeof(self->frame));
	for (uint32_t bytes = 0; bytes < 2000; bytes++) {
		SCOPED_TRACE("%u bytes", bytes);
		ASSERT_EQ(SIGN_FOREIGN,
			  flow_read_frame(&self->mixed, self->frame, bytes, 100, &mark));
	}
}

/* A flow of 5 source addresses, 7 random source ports and sizes from 64 to 200. */
static void make_counting_flow(struct flow *f)
{
	struct endpoint src = { .mac = { 2, 0, 0, 0, 0, 1 } };
	struct endpoint dst = { .mac = { 2, 0, 0, 0, 0, 2 }, .port = pattern_make_value(9) };
	struct size size;

	size_parse(&size, "64-200");
	pattern_parse_ipv4(&src.ip, "198.18.255.254-198.19.0.2");
	pattern_parse_port(&src.port, "random:1000-1006");
	pattern_parse_ipv4(&dst.ip, "random:10.0.0.0-10.255.255.255");
	flow_init(f, 7, &src, &dst, &size);
}

TEST_F(flow, frames_with_counting_fields_equal_flows_with_these_values)
{
	struct endpoint src = { .mac = { 2, 0, 0, 0, 0, 1 } };
	struct endpoint dst = { .mac = { 2, 0, 0, 0, 0, 2 }, .port = pattern_make_value(9) };
	struct sign_mark mark;
	struct size size;

	make_counting_flow(&self->mixed);
	for (uint64_t seq = 0; seq < 500; seq++) {
		const uint32_t bytes = write_frame(self, seq);
		uint8_t want[PKTGEN_MAX_SIZE];
		uint32_t to;
		uint16_t port;

		memcpy(&to, self->frame + 30, sizeof(to));
		memcpy(&port, self->frame + 34, sizeof(port));
		dst.ip = pattern_make_value(rte_be_to_cpu_32(to));
		src.port = pattern_make_value(rte_be_to_cpu_16(port));
		src.ip = pattern_make_value(0xc612fffe + (uint32_t)(seq % 5));
		size_set_fixed(&size, bytes + 4);
		flow_init(&self->fixed, 7, &src, &dst, &size);
		memcpy(want, self->fixed.frame, bytes);
		sign_frame(&self->fixed.signer, want, seq, 0xfedcba98);
		SCOPED_TRACE("sequence %u", (unsigned)seq);
		ASSERT_MEMEQ(want, self->frame, bytes);
		ASSERT_TRUE(src.port.start >= 1000 && src.port.start <= 1006);
		ASSERT_EQ(10, dst.ip.start >> 24);
		ASSERT_EQ(SIGN_GOOD, flow_read_frame(&self->mixed, self->frame, bytes, 500, &mark));
		ASSERT_EQ(seq, mark.seq);
	}
}

TEST_F(flow, damage_of_a_frame_with_counting_fields_keeps_the_sequence)
{
	struct sign_mark mark;

	make_counting_flow(&self->mixed);
	for (uint64_t seq = 0; seq < 140; seq++) {
		const uint32_t bytes = write_frame(self, seq);

		for (uint32_t at = 0; at < bytes; at++) {
			SCOPED_TRACE("sequence %u, byte %u", (unsigned)seq, at);
			self->frame[at] ^= 0x41;
			mark.seq = 999;
			ASSERT_EQ(SIGN_DAMAGED,
				  flow_read_frame(&self->mixed, self->frame, bytes, 500, &mark));
			ASSERT_EQ(seq, mark.seq);
			self->frame[at] ^= 0x41;
		}
		for (uint32_t cut = FLOW_HEADER_BYTES; cut < bytes; cut += 7)
			ASSERT_EQ(SIGN_UNREADABLE,
				  flow_read_frame(&self->mixed, self->frame, cut, 500, &mark));
	}
}

/* The header of another frame of the flow, with its checksum, is damage too. */
TEST_F(flow, a_frame_with_the_fields_of_another_frame_is_damaged)
{
	uint8_t header[FLOW_HEADER_BYTES];
	struct sign_mark mark;
	uint32_t bytes;

	make_counting_flow(&self->mixed);
	write_frame(self, 137);
	memcpy(header, self->frame, sizeof(header));
	bytes = write_frame(self, 0);
	memcpy(self->frame + 26, header + 26, 4);
	EXPECT_EQ(SIGN_DAMAGED, flow_read_frame(&self->mixed, self->frame, bytes, 500, &mark));
	EXPECT_EQ(0, mark.seq);
}
