/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_SIGNATURE_H
#define PKTGEN_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_hash_crc.h>

/**
 * DOC: Signed frames
 *
 * The last 18 bytes of a frame say which one it is. That is all the payload a frame of 64
 * bytes on the wire has (60 without FCS: Ethernet 14, IPv4 20, UDP 8, and these).
 *
 *      0     2     4                 10          14          18
 *      +-----+-----+-----------------+-----------+-----------+
 *      |magic| flow|    sequence     |   time    |   check   |  big-endian
 *      +-----+-----+-----------------+-----------+-----------+
 *      |<- constant ->|<------------- variable ------------->|
 *
 *   sequence  0, 1, 2, ... of its flow; 48 bits last 32 days at 100 Mpps
 *   time      of sending: nanoseconds since the start of the run, mod 2^32
 *   check     CRC-32C (start: all ones; not inverted) of the payload up to here
 *
 * Everything but the variable bytes is the same in all frames of a flow. Signing therefore
 * costs the CRC of 10 bytes, whatever the size, on top of the CRC of what never changes,
 * and reading compares the constant part with the template.
 *
 * A damaged frame still tells its sequence in most cases:
 *
 *   damage in constant bytes only, however much: sequence, time and check agree;
 *   damage in one variable byte: the CRC is linear, so the difference between check and
 *   CRC depends on the damage alone, and each of the 14 * 255 damages of one byte makes a
 *   difference of its own (tests/pktgen/model/signature_test.c goes through all of them).
 *
 * Other damage makes the frame "unreadable": its sequence is not known.
 */

enum {
	SIGN_BYTES = 18,
	SIGN_CONSTANT_BYTES = 4,
	SIGN_VARIABLE_BYTES = 14,
	SIGN_SEQ_BYTES = 6,
	SIGN_CHECK_BYTES = 4,
	SIGN_COVERED_BYTES = SIGN_VARIABLE_BYTES - SIGN_CHECK_BYTES,
	SIGN_MAGIC = 0xdeb1,
	SIGN_MAX_SEQ_LOG2 = 48,
	/* a frame that differs from the template in more bytes of its header is not ours */
	SIGN_MAX_HEADER_DAMAGE = 8,
};

/** enum sign_verdict - what a frame is */
enum sign_verdict {
	SIGN_GOOD,
	SIGN_DAMAGED,    /* ours and not as it was sent; its sequence is known */
	SIGN_UNREADABLE, /* ours and not as it was sent; its sequence is not known */
	SIGN_FOREIGN,    /* not ours */
};

/**
 * struct signer - what signs and reads the frames of one flow
 * @template: a frame of the flow; the variable bytes do not matter
 * @bytes: of the frame, without FCS
 * @header_bytes: up to and with the UDP header
 * @state: CRC of the payload up to the sequence
 */
struct signer {
	const uint8_t *template;
	uint32_t bytes;
	uint32_t header_bytes;
	uint32_t state;
};

/** struct sign_mark - what a frame says of itself */
struct sign_mark {
	uint64_t seq;
	uint32_t time_ns;
};

/**
 * signer_init - sign the frames of a flow
 * @s: the signer
 * @frame: header and fill are there; its signature's constant bytes are written here. Must outlive
 * @s
 * @bytes: without FCS; at least @header_bytes + SIGN_BYTES
 * @header_bytes: of Ethernet, IP and UDP
 * @flow: its number
 */
void signer_init(struct signer *s, uint8_t *frame, uint32_t bytes, uint32_t header_bytes,
		 uint16_t flow);

/* sequence and time as they stand in the frame: 8 bytes and 2 bytes */
static inline uint32_t sign_compute_crc(const struct signer *s, const uint8_t *variable)
{
	uint64_t head;
	uint16_t tail;

	memcpy(&head, variable, sizeof(head));
	memcpy(&tail, variable + sizeof(head), sizeof(tail));
	return rte_hash_crc_2byte(tail, rte_hash_crc_8byte(head, s->state));
}

/** sign_frame - write sequence, time and check into a copy of the template */
static inline void sign_frame(const struct signer *s, uint8_t *frame, uint64_t seq,
			      uint32_t time_ns)
{
	uint8_t *variable = frame + s->bytes - SIGN_VARIABLE_BYTES;
	const uint64_t head = rte_cpu_to_be_64(seq << 16 | time_ns >> 16);
	const uint16_t tail = rte_cpu_to_be_16((uint16_t)time_ns);
	uint32_t check;

	memcpy(variable, &head, sizeof(head));
	memcpy(variable + sizeof(head), &tail, sizeof(tail));
	check = rte_cpu_to_be_32(sign_compute_crc(s, variable));
	memcpy(variable + SIGN_COVERED_BYTES, &check, sizeof(check));
}

static inline struct sign_mark sign_decode_mark(const uint8_t *variable)
{
	uint64_t head;
	uint16_t tail;

	memcpy(&head, variable, sizeof(head));
	memcpy(&tail, variable + sizeof(head), sizeof(tail));
	head = rte_be_to_cpu_64(head);
	return (struct sign_mark){ head >> 16, (uint32_t)(head << 16) | rte_be_to_cpu_16(tail) };
}

/** sign_read_damaged - the rare case of sign_read_frame(): something is not as it was sent */
enum sign_verdict sign_read_damaged(const struct signer *s, const uint8_t *frame, uint32_t bytes,
				    uint64_t limit, struct sign_mark *mark);

/**
 * sign_read_frame - what is this frame?
 * @s: the signer of the flow that is expected
 * @frame: the frame, without FCS
 * @bytes: of it
 * @limit: sequences below this were given out; a frame beyond is of another run
 * @mark: set if SIGN_GOOD or SIGN_DAMAGED; of a damaged frame only the sequence holds
 */
static inline enum sign_verdict sign_read_frame(const struct signer *s, const uint8_t *frame,
						uint32_t bytes, uint64_t limit,
						struct sign_mark *mark)
{
	const uint32_t constant = s->bytes - SIGN_VARIABLE_BYTES;
	uint32_t check;

	if (bytes == s->bytes && !memcmp(frame, s->template, constant)) {
		memcpy(&check, frame + constant + SIGN_COVERED_BYTES, sizeof(check));
		*mark = sign_decode_mark(frame + constant);
		if (sign_compute_crc(s, frame + constant) == rte_be_to_cpu_32(check) &&
		    mark->seq < limit)
			return SIGN_GOOD;
	}
	return sign_read_damaged(s, frame, bytes, limit, mark);
}

#endif
