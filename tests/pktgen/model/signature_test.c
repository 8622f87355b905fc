/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <stdlib.h>

#include "model/flow.h"

enum { HEADER_BYTES = 42, RUN = 0xabc, STREAM = 0xdef01 };

FIXTURE(signed_flow)
{
	struct flow flow;
	struct stack stack;
	struct size size;
	uint8_t frame[PKTGEN_MAX_SIZE];
};

static void free_flow(struct ct_fix_signed_flow *self)
{
	flow_free(&self->flow);
	stack_free(&self->stack);
}

static void make_flow(struct ct_fix_signed_flow *self, uint32_t size)
{
	static const uint8_t src[6] = { 2, 0, 0, 0, 0, 1 }, dst[6] = { 2, 0, 0, 0, 0, 2 };

	free_flow(self);
	size_set_fixed(&self->size, size);
	stack_parse(&self->stack, PKTGEN_DEFAULT_PACKET);
	stack_set_macs(&self->stack, src, dst);
	if (flow_init(&self->flow, RUN, STREAM, &self->stack, &self->size, 0, 1))
		ADD_FAILURE("no memory");
	memcpy(self->frame, self->flow.frame, self->flow.bytes);
}

FIXTURE_SETUP(signed_flow)
{
	make_flow(self, 64);
}
FIXTURE_TEARDOWN(signed_flow)
{
	free_flow(self);
}

static enum sign_verdict read_frame(struct ct_fix_signed_flow *self, uint64_t limit,
				    struct sign_mark *mark)
{
	return sign_read_frame(&self->flow.signer, self->frame, self->flow.bytes, limit, mark);
}

TEST_F(signed_flow, the_header_is_udp_over_ipv4_as_the_rfcs_define_it)
{
	/* Written by hand from RFC 791 and RFC 768. The UDP checksum is 0: none. */
	static const uint8_t header[] = {
		0x02, 0x00, 0x00, 0x00, 0x00, 0x02, 0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00,
		0x45, 0x00, 0x00, 0x2e, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11, 0xae, 0x97, 0xc6, 0x12,
		0x00, 0x01, 0xc6, 0x13, 0x00, 0x01, 0xc0, 0x00, 0x00, 0x09, 0x00, 0x1a, 0x00, 0x00,
	};

	EXPECT_EQ(60, self->flow.bytes);
	EXPECT_MEMEQ(header, self->flow.frame, sizeof(header));
}

TEST_F(signed_flow, a_signed_frame_reads_back)
{
	static const uint64_t seqs[] = { 0, 1, 0xffff, 0x10000, 0x123456789abc, (1ull << 48) - 1 };
	static const uint32_t sizes[] = { 64, 65, 128, 1518, 9018, PKTGEN_MAX_SIZE };
	struct sign_mark mark;

	for (unsigned s = 0; s < 6; s++) {
		make_flow(self, sizes[s]);
		for (unsigned i = 0; i < 6; i++) {
			SCOPED_TRACE("size %u, sequence %llu", sizes[s],
				     (unsigned long long)seqs[i]);
			sign_frame(&self->flow.signer, self->frame, seqs[i], 0xfedcba98u + i);
			EXPECT_EQ(SIGN_GOOD, read_frame(self, 1ull << 48, &mark));
			EXPECT_EQ(seqs[i], mark.seq);
			EXPECT_EQ(0xfedcba98u + i, mark.time_ns);
		}
	}
}

TEST_F(signed_flow, the_signature_is_big_endian)
{
	static const uint8_t fields[] = { 0xab, 0xcd, 0xef, 0x01, 0x12, 0x34, 0x56,
					  0x78, 0x9a, 0xbc, 0xfe, 0xdc, 0xba, 0x98 };

	sign_frame(&self->flow.signer, self->frame, 0x123456789abc, 0xfedcba98);
	EXPECT_MEMEQ(fields, self->frame + HEADER_BYTES, sizeof(fields));
}

/* The test computes CRC-32C bit by bit, as another program may do to verify captured frames. */
TEST_F(signed_flow, the_check_is_crc32c_of_the_signature_alone)
{
	uint32_t crc = UINT32_MAX, check;

	make_flow(self, 128);
	sign_frame(&self->flow.signer, self->frame, 5, 6);
	for (unsigned i = 124 - SIGN_BYTES; i < 120; i++) {
		crc ^= self->frame[i];
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	memcpy(&check, self->frame + 120, sizeof(check));
	EXPECT_EQ(crc, rte_be_to_cpu_32(check));
}

TEST_F(signed_flow, every_damage_of_one_byte_is_found_and_the_sequence_is_still_read)
{
	struct sign_mark mark;

	sign_frame(&self->flow.signer, self->frame, 0x0123456789ab, 0xcafe1234);
	for (unsigned at = 0; at < self->flow.bytes; at++) {
		for (unsigned v = 1; v < 256; v++) {
			SCOPED_TRACE("byte %u changed by %02x", at, v);
			self->frame[at] ^= (uint8_t)v;
			mark.seq = 0;
			ASSERT_EQ(SIGN_DAMAGED, read_frame(self, 1ull << 48, &mark));
			ASSERT_EQ(0x0123456789ab, mark.seq);
			self->frame[at] ^= (uint8_t)v;
		}
	}
}

/*
 * Damages up to 101 payload bytes outside the signature, and up to SIGN_MAX_HEADER_DAMAGE bytes of
 * the header.
 */
TEST_F(signed_flow, much_damage_beside_the_signature_keeps_the_sequence)
{
	struct sign_mark mark;
	unsigned seed = 3;

	make_flow(self, 512);
	for (unsigned n = 0; n < 1000; n++) {
		memcpy(self->frame, self->flow.frame, self->flow.bytes);
		sign_frame(&self->flow.signer, self->frame, n, n);
		for (unsigned i = 0; i < 100; i++)
			self->frame[HEADER_BYTES + (unsigned)rand_r(&seed) % 400] ^= 0x55;
		for (unsigned i = 0; i < SIGN_MAX_HEADER_DAMAGE; i++)
			self->frame[(unsigned)rand_r(&seed) % HEADER_BYTES] ^= 0xff;
		self->frame[HEADER_BYTES]++;
		SCOPED_TRACE("frame %u", n);
		ASSERT_EQ(SIGN_DAMAGED, read_frame(self, 1000, &mark));
		ASSERT_EQ(n, mark.seq);
	}
}

/* Repair assumes one damaged byte: two damaged bytes must not look like another damaged byte. */
TEST_F(signed_flow, damage_of_two_signature_bytes_is_never_read_as_good)
{
	struct sign_mark mark;
	unsigned seed = 5, unreadable = 0;

	for (unsigned n = 0; n < 20000; n++) {
		const unsigned a = 46 + (unsigned)rand_r(&seed) % 14;
		const unsigned b = 46 + (a - 46 + 1 + (unsigned)rand_r(&seed) % 13) % 14;
		enum sign_verdict v;

		sign_frame(&self->flow.signer, self->frame, n, n);
		self->frame[a] ^= (uint8_t)(1 + (unsigned)rand_r(&seed) % 255);
		self->frame[b] ^= (uint8_t)(1 + (unsigned)rand_r(&seed) % 255);
		v = read_frame(self, 20000, &mark);
		ASSERT_NE(SIGN_GOOD, v);
		ASSERT_NE(SIGN_FOREIGN, v);
		unreadable += v == SIGN_UNREADABLE;
	}
	EXPECT_EQ(20000, unreadable);
}

TEST_F(signed_flow, a_frame_of_another_length_is_unreadable)
{
	struct sign_mark mark;

	make_flow(self, 128);
	sign_frame(&self->flow.signer, self->frame, 1, 1);
	EXPECT_EQ(SIGN_UNREADABLE,
		  sign_read_frame(&self->flow.signer, self->frame, 100, 10, &mark));
	EXPECT_EQ(SIGN_UNREADABLE,
		  sign_read_frame(&self->flow.signer, self->frame, 125, 10, &mark));
}

TEST_F(signed_flow, a_frame_with_another_header_is_foreign)
{
	uint8_t arp[60] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 1, 8, 6 };
	struct sign_mark mark;

	EXPECT_EQ(SIGN_FOREIGN, sign_read_frame(&self->flow.signer, arp, sizeof(arp), 10, &mark));
	EXPECT_EQ(SIGN_FOREIGN, sign_read_frame(&self->flow.signer, arp, 14, 10, &mark));
	EXPECT_EQ(SIGN_FOREIGN, sign_read_frame(&self->flow.signer, arp, 0, 10, &mark));
}

TEST_F(signed_flow, a_frame_of_another_run_or_stream_is_foreign)
{
	struct sign_found found;
	struct sign_mark mark;
	struct flow other;

	for (unsigned i = 0; i < 2; i++) {
		const uint32_t run = RUN ^ (i == 0), stream = STREAM ^ (i == 1);

		SCOPED_TRACE("run %x, stream %x", run, stream);
		ASSERT_EQ(0, flow_init(&other, run, stream, &self->stack, &self->size, 0, 1));
		memcpy(self->frame, other.frame, other.bytes);
		sign_frame(&other.signer, self->frame, 5, 6);
		EXPECT_EQ(SIGN_FOREIGN, read_frame(self, 10, &mark));
		EXPECT_TRUE(sign_find(self->frame, other.bytes, &found));
		EXPECT_EQ(run, found.run);
		EXPECT_EQ(stream, found.stream);
		flow_free(&other);
	}
}

TEST_F(signed_flow, a_signature_is_found_only_if_it_is_intact)
{
	const uint32_t bytes = self->flow.bytes;
	uint8_t *signature = self->frame + bytes - SIGN_BYTES;
	struct sign_found found;

	sign_frame(&self->flow.signer, self->frame, 1, 2);
	ASSERT_TRUE(sign_find(self->frame, bytes, &found));
	EXPECT_EQ(RUN, found.run);
	EXPECT_EQ(STREAM, found.stream);
	EXPECT_EQ(bytes - SIGN_BYTES, found.at);
	EXPECT_EQ(1, found.mark.seq);
	EXPECT_EQ(2, found.mark.time_ns);
	EXPECT_TRUE(sign_find(signature, SIGN_BYTES, &found));
	EXPECT_FALSE(sign_find(signature + 1, SIGN_BYTES - 1, &found));
	EXPECT_FALSE(sign_find(signature, 0, &found));
	EXPECT_EQ(STREAM, sign_peek_stream(self->frame, bytes, RUN));
	EXPECT_EQ(-1, sign_peek_stream(self->frame, bytes, RUN + 1));
	EXPECT_EQ(-1, sign_peek_stream(self->frame, SIGN_BYTES - 1, RUN));
	for (unsigned i = 1; i <= SIGN_BYTES; i++) {
		SCOPED_TRACE("byte %u from the end", i);
		self->frame[bytes - i] ^= 0x40;
		EXPECT_FALSE(sign_find(self->frame, bytes, &found));
		self->frame[bytes - i] ^= 0x40;
	}
}

/* The last of two signatures counts, also if both are in front of a trailer. */
TEST_F(signed_flow, a_signature_is_found_in_front_of_a_trailer)
{
	uint8_t frame[2 * SIGN_BYTES + SIGN_MAX_TRAILER + 1] = { 0 };
	const uint8_t *signature = self->frame + self->flow.bytes - SIGN_BYTES;
	struct sign_found found;

	for (uint64_t seq = 8; seq < 10; seq++) {
		sign_frame(&self->flow.signer, self->frame, seq, 2);
		memcpy(frame + (seq - 8) * SIGN_BYTES, signature, SIGN_BYTES);
	}
	for (uint32_t after = 0; after <= SIGN_MAX_TRAILER; after++) {
		SCOPED_TRACE("%u bytes after it", after);
		ASSERT_TRUE(sign_find(frame, 2 * SIGN_BYTES + after, &found));
		EXPECT_EQ(SIGN_BYTES, found.at);
		EXPECT_EQ(9, found.mark.seq);
	}
	EXPECT_FALSE(sign_find(frame, sizeof(frame), &found));
}

TEST_F(signed_flow, a_sequence_that_the_sender_has_not_used_is_foreign)
{
	struct sign_mark mark;

	sign_frame(&self->flow.signer, self->frame, 10, 1);
	EXPECT_EQ(SIGN_GOOD, read_frame(self, 11, &mark));
	EXPECT_EQ(SIGN_FOREIGN, read_frame(self, 10, &mark));
}
