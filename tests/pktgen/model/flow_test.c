/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/flow.h"
#include "model/job.h"

enum { HEADER_BYTES = 42 };

/* A stream with its headers and sizes, as flow_init() needs them. */
struct stream {
	struct flow flow;
	struct stack stack;
	struct size size;
};

/* A flow with frames of several sizes, one with frames of one size, and a frame. */
FIXTURE(flow)
{
	struct stream mixed, fixed;
	uint8_t frame[PKTGEN_MAX_SIZE];
};

static void free_stream(struct stream *s)
{
	flow_free(&s->flow);
	stack_free(&s->stack);
}

/* Makes part @part of @n_parts of a flow. */
static void make_part(struct stream *s, const char *packet, const char *sizes, unsigned part,
		      unsigned n_parts)
{
	static const uint8_t src[6] = { 2, 0, 0, 0, 0, 1 }, dst[6] = { 2, 0, 0, 0, 0, 2 };
	const char *why = stack_parse(&s->stack, packet);

	if (!why)
		why = size_parse(&s->size, sizes);
	if (why)
		ADD_FAILURE("%s, %s: %s", packet, sizes, why);
	stack_set_macs(&s->stack, src, dst);
	if (flow_init(&s->flow, 1, 7, &s->stack, &s->size, part, n_parts))
		ADD_FAILURE("%s: no memory", packet);
}

static void make_stream(struct stream *s, const char *packet, const char *sizes)
{
	free_stream(s);
	make_part(s, packet, sizes, 0, 1);
}

FIXTURE_SETUP(flow)
{
	make_stream(&self->mixed, PKTGEN_DEFAULT_PACKET, "64:7,594:4,1518:1");
}
FIXTURE_TEARDOWN(flow)
{
	free_stream(&self->mixed);
	free_stream(&self->fixed);
}

static uint32_t write_frame(struct ct_fix_flow *self, uint64_t seq)
{
	const uint32_t bytes = flow_compute_bytes(&self->mixed.flow, seq);

	flow_write_frame(&self->mixed.flow, seq, bytes, 0xfedcba98, self->frame);
	return bytes;
}

/* signature_test.c compares the header of a fixed flow with one written by hand. */
TEST_F(flow, a_frame_of_any_size_has_the_bytes_of_a_flow_of_that_size)
{
	uint8_t want[PKTGEN_MAX_SIZE];

	make_stream(&self->mixed, PKTGEN_DEFAULT_PACKET, "64-10000");
	for (uint32_t size = 64; size <= 10000; size += size < 200 ? 1 : 613) {
		char text[16];
		const uint64_t seq = size - 64;

		snprintf(text, sizeof(text), "%u", size);
		make_stream(&self->fixed, PKTGEN_DEFAULT_PACKET, text);
		memcpy(want, self->fixed.flow.frame, size - 4);
		sign_frame(&self->fixed.flow.signer, want, seq, 0xfedcba98);
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
		ASSERT_EQ(SIGN_GOOD,
			  flow_read_frame(&self->mixed.flow, self->frame, bytes, 100, &mark));
		ASSERT_EQ(seq, mark.seq);
		ASSERT_EQ(0xfedcba98, mark.time_ns);
		ASSERT_EQ(SIGN_FOREIGN,
			  flow_read_frame(&self->mixed.flow, self->frame, bytes, seq, &mark));
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
			ASSERT_EQ(SIGN_DAMAGED, flow_read_frame(&self->mixed.flow, self->frame,
								bytes, 100, &mark));
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

			flow_write_frame(&self->mixed.flow, seq, sizes[i], 1, self->frame);
			v = flow_read_frame(&self->mixed.flow, self->frame, sizes[i], 12, &mark);
			SCOPED_TRACE("sequence %u, %u bytes", (unsigned)seq, sizes[i]);
			if (flow_compute_bytes(&self->mixed.flow, seq) == sizes[i])
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

	for (uint32_t cut = HEADER_BYTES; cut < bytes; cut++) {
		SCOPED_TRACE("%u bytes", cut);
		ASSERT_EQ(SIGN_UNREADABLE,
			  flow_read_frame(&self->mixed.flow, self->frame, cut, 100, &mark));
	}
	ASSERT_EQ(SIGN_FOREIGN, flow_read_frame(&self->mixed.flow, self->frame, 20, 100, &mark));
}

TEST_F(flow, a_frame_with_another_header_is_foreign)
{
	struct sign_mark mark;

	memset(self->frame, 0, sizeof(self->frame));
	for (uint32_t bytes = 0; bytes < 2000; bytes++) {
		SCOPED_TRACE("%u bytes", bytes);
		ASSERT_EQ(SIGN_FOREIGN,
			  flow_read_frame(&self->mixed.flow, self->frame, bytes, 100, &mark));
	}
}

/* 5 source addresses, random source ports and destination addresses, sizes from 64 to 200. */
static void make_counting_flow(struct stream *s)
{
	make_stream(
		s,
		"ethernet/ipv4(src=198.18.255.254-198.19.0.2,dst=random:10.0.0.0-10.255.255.255@2)/"
		"udp(src_port=random:1000-1006,checksum=0)",
		"64-200");
}

TEST_F(flow, frames_with_counting_fields_equal_flows_with_these_values)
{
	struct sign_mark mark;

	make_counting_flow(&self->mixed);
	for (uint64_t seq = 0; seq < 500; seq++) {
		const uint32_t bytes = write_frame(self, seq);
		char packet[256], size[16], src[32], dst[32];
		uint8_t want[PKTGEN_MAX_SIZE];
		uint32_t to;
		uint16_t port;

		memcpy(&to, self->frame + 30, sizeof(to));
		memcpy(&port, self->frame + 34, sizeof(port));
		to = rte_be_to_cpu_32(to);
		port = rte_be_to_cpu_16(port);
		pattern_format_value(to, FIELD_IPV4, dst, sizeof(dst));
		pattern_format_value(0xc612fffe + (uint32_t)(seq % 5), FIELD_IPV4, src,
				     sizeof(src));
		snprintf(size, sizeof(size), "%u", bytes + 4);
		snprintf(packet, sizeof(packet),
			 "ethernet/ipv4(src=%s,dst=%s)/udp(src_port=%u,checksum=0)", src, dst,
			 port);
		make_stream(&self->fixed, packet, size);
		memcpy(want, self->fixed.flow.frame, bytes);
		sign_frame(&self->fixed.flow.signer, want, seq, 0xfedcba98);
		SCOPED_TRACE("sequence %u", (unsigned)seq);
		ASSERT_MEMEQ(want, self->frame, bytes);
		ASSERT_TRUE(port >= 1000 && port <= 1006);
		ASSERT_EQ(10, to >> 24);
		ASSERT_EQ(SIGN_GOOD,
			  flow_read_frame(&self->mixed.flow, self->frame, bytes, 500, &mark));
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
			ASSERT_EQ(SIGN_DAMAGED, flow_read_frame(&self->mixed.flow, self->frame,
								bytes, 500, &mark));
			ASSERT_EQ(seq, mark.seq);
			self->frame[at] ^= 0x41;
		}
		for (uint32_t cut = HEADER_BYTES; cut < bytes; cut += 7)
			ASSERT_EQ(SIGN_UNREADABLE,
				  flow_read_frame(&self->mixed.flow, self->frame, cut, 500, &mark));
	}
}

/* The header of another frame of the flow, with its checksum, is damage too. */
TEST_F(flow, a_frame_with_the_fields_of_another_frame_is_damaged)
{
	uint8_t header[HEADER_BYTES];
	struct sign_mark mark;
	uint32_t bytes;

	make_counting_flow(&self->mixed);
	write_frame(self, 137);
	memcpy(header, self->frame, sizeof(header));
	bytes = write_frame(self, 0);
	memcpy(self->frame + 26, header + 26, 4);
	EXPECT_EQ(SIGN_DAMAGED, flow_read_frame(&self->mixed.flow, self->frame, bytes, 500, &mark));
	EXPECT_EQ(0, mark.seq);
}

/* ---- every protocol --------------------------------------------------------------- */

static const struct protocol {
	const char *name, *packet;
} protocols[] = {
	{ "vlan", "ethernet/vlan(id=1-100,priority=3)/ipv4/udp" },
	{ "qinq", "ethernet(ether_type=0x88a8)/vlan(id=7)/vlan(id=1-9)/ipv6/udp" },
	{ "mpls", "ethernet/mpls(label=100-200)/mpls(traffic_class=5)/ipv4/udp" },
	{ "arp", "ethernet/arp(target_protocol_addr=10.0.0.1-10.0.0.250)" },
	{ "tcp", "ethernet/ipv4(options=94040000)/tcp(ctl_syn=1,seq_num=0-4294967295/1460)" },
	{ "sctp", "ethernet/ipv4/sctp(tsn=5-900)" },
	{ "icmp", "ethernet/ipv4/icmp(sequence_number=0-65535)" },
	{ "icmpv6", "ethernet/ipv6(src=2001:2::1-2001:2::ffff)/icmpv6" },
	{ "ipv6", "ethernet/ipv6(dst=mask:2001:2::/::ffff:0:0:1)/ipv6_hop_by_hop/ipv6_routing/"
		  "ipv6_fragment(identification=1-77)/ipv6_destination/tcp" },
	{ "vxlan",
	  "ethernet/ipv4/udp(src_port=random:49152-65535)/vxlan(vni=1-16)/ethernet/ipv4/tcp" },
	{ "gre", "ethernet/ipv4/gre(key=1-5,checksum_present=1)/ipv6/udp" },
	{ "gtp",
	  "ethernet/ipv4/udp/gtpv1(teid=1-999,sequence_number=0-65535)/ipv4/udp(dst_port=1;2;80)" },
	{ "odd", "ethernet(ether_type=0x0800)/custom(bytes=45)/custom(bytes=000102)/ipv4/udp" },
	{ "bad", "ethernet/ipv4(header_checksum=bad)/udp(checksum=bad)" },
};

/* Intact frames read back; damage of any byte is found, and the sequence is still read. */
TEST_EACH(flow, frames_of_every_protocol_read_back, struct protocol, protocols)
{
	static struct stream s;
	static uint8_t frame[PKTGEN_MAX_SIZE];
	struct sign_mark mark;

	make_stream(&s, row->packet, "random:200-260");
	for (uint64_t seq = 0; seq < 64; seq++) {
		const uint32_t bytes = flow_compute_bytes(&s.flow, seq);

		SCOPED_TRACE("sequence %u", (unsigned)seq);
		flow_write_frame(&s.flow, seq, bytes, 0xfedcba98, frame);
		ASSERT_EQ(SIGN_GOOD, flow_read_frame(&s.flow, frame, bytes, 64, &mark));
		ASSERT_EQ(seq, mark.seq);
		for (uint32_t at = seq % 5; at < bytes; at += 5) {
			frame[at] ^= 0x41;
			mark.seq = 999;
			SCOPED_TRACE("byte %u", at);
			ASSERT_EQ(SIGN_DAMAGED, flow_read_frame(&s.flow, frame, bytes, 64, &mark));
			ASSERT_EQ(seq, mark.seq);
			frame[at] ^= 0x41;
		}
	}
	free_stream(&s);
}

TEST_F(flow, the_parts_of_a_flow_have_all_its_frames)
{
	static const char packet[] = "ethernet/ipv4(src=10.0.0.1-10.0.0.99)/tcp(dst_port=1-50)";
	uint8_t want[PKTGEN_MAX_SIZE];

	make_stream(&self->mixed, packet, "100-131");
	for (unsigned part = 0; part < 3; part++) {
		free_stream(&self->fixed);
		make_part(&self->fixed, packet, "100-131", part, 3);
		for (uint64_t seq = 0; seq < 50; seq++) {
			const uint32_t bytes = flow_compute_bytes(&self->fixed.flow, seq);

			ASSERT_EQ(flow_compute_bytes(&self->mixed.flow, part + 3 * seq), bytes);
			flow_write_frame(&self->fixed.flow, seq, bytes, 5, self->frame);
			flow_write_frame(&self->mixed.flow, part + 3 * seq, bytes, 5, want);
			/* The headers, but not the checksum of TCP, which covers the sequence. */
			ASSERT_MEMEQ(want, self->frame, 50);
		}
	}
}

TEST(flow, the_smallest_size_has_room_for_headers_and_signature)
{
	struct stack s;

	ASSERT_TRUE(!stack_parse(&s, PKTGEN_DEFAULT_PACKET));
	EXPECT_EQ(64, flow_compute_min_size(&s));
	stack_free(&s);
	ASSERT_TRUE(!stack_parse(&s, "ethernet/ipv6/tcp"));
	EXPECT_EQ(14 + 40 + 20 + 18 + 4, flow_compute_min_size(&s));
	stack_free(&s);
	ASSERT_TRUE(!stack_parse(&s, "ethernet/ipv4/gre(key=5)/ipv4/udp"));
	EXPECT_EQ(14 + 20 + 8 + 20 + 8 + 18 + 4, flow_compute_min_size(&s));
	stack_free(&s);
}

/* The memory of a flow with an address that counts, besides its histograms: limits its growth. */
TEST(flow_memory, a_flow_needs_few_bytes)
{
	struct stream s = { 0 };

	make_part(&s, "ethernet/ipv4(dst=10.0.0.1-10.0.0.9)/udp", "imix", 0, 1);
	EXPECT_TRUE(sizeof(struct job_flow) < 1024);
	EXPECT_TRUE(malloc_usable_size(s.stack.headers) + malloc_usable_size(s.stack.fields) <
		    2048);
	EXPECT_TRUE(malloc_usable_size(s.flow.recipe) < 2560);
	EXPECT_TRUE(malloc_usable_size(s.flow.frame) < 1600);
	free_stream(&s);
}
