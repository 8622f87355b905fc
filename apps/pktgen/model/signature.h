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
 * The last 18 bytes of a generated frame are its signature, which identifies run, stream and frame.
 *
 *      0       1.5         4                 10          14          18
 *      +-------+-----------+-----------------+-----------+-----------+
 *      |  run  |  stream   |    sequence     |   time    |   check   |  big-endian
 *      +-------+-----------+-----------------+-----------+-----------+
 *      |<---- constant --->|<------------- variable ---------------->|
 *
 *   run       12 bits: the number of the run
 *   stream    20 bits: the number of the stream in the run
 *   sequence  0, 1, 2, ... in each stream
 *   time      when the frame was made: nanoseconds since the start of the run, mod 2^32
 *   check     CRC-32C of the 14 bytes before it (start: all ones; not inverted)
 *
 * doc/adr/0008-the-signature-stands-alone.md has the reasons. doc/pktgen.md ("The signature") says
 * how a damaged frame is recognized.
 */

enum {
	SIGN_BYTES = 18,
	SIGN_CONSTANT_BYTES = 4,
	SIGN_VARIABLE_BYTES = 14,
	SIGN_SEQ_BYTES = 6,
	SIGN_CHECK_BYTES = 4,
	SIGN_COVERED_BYTES = SIGN_VARIABLE_BYTES - SIGN_CHECK_BYTES,
	SIGN_MAX_SEQ_LOG2 = 48,
	SIGN_STREAM_BITS = 20,
	SIGN_MAX_RUN = (1 << 12) - 1,
	SIGN_MAX_STREAMS = 1 << SIGN_STREAM_BITS,
	/* with more damaged header bytes than this, a frame does not belong to the flow */
	SIGN_MAX_HEADER_DAMAGE = 8,
	/* bytes that may follow a signature: padding to 60 bytes, or the trailer of a device */
	SIGN_MAX_TRAILER = 64,
};

/** enum sign_verdict - result of reading a received frame */
enum sign_verdict {
	SIGN_GOOD,       /* belongs to the flow, and is as it was sent */
	SIGN_CHANGED,    /* belongs to the flow; a device changed its headers (flow_compare()) */
	SIGN_FRAGMENT,   /* a part of a frame of the flow (flow_compare()) */
	SIGN_DAMAGED,    /* belongs to the flow, damaged; its sequence number is known */
	SIGN_UNREADABLE, /* belongs to the flow, damaged; its sequence number is unknown */
	SIGN_FOREIGN,    /* does not belong to the flow */
};

/**
 * struct signer - signs and reads the frames of one flow
 * @template: a frame of the flow; its variable bytes are ignored
 * @bytes: length of the frame, without FCS
 * @header_bytes: length of Ethernet, IP and UDP header
 * @state: CRC of run and stream, which are the same in all frames
 */
struct signer {
	const uint8_t *template;
	uint32_t bytes;
	uint32_t header_bytes;
	uint32_t state;
};

/** struct sign_mark - sequence number and time, read from a frame */
struct sign_mark {
	uint64_t seq;
	uint32_t time_ns;
};

/**
 * struct sign_found - a signature with a right check in a frame
 * @at: its offset in the frame
 * @run, @stream: the numbers of its run and of its stream
 */
struct sign_found {
	uint32_t at, run, stream;
	struct sign_mark mark;
};

/**
 * signer_init - prepare to sign the frames of a flow
 * @s: the signer
 * @frame: header and payload of the flow. Receives the constant bytes of the signature; must live
 *         as long as @s
 * @bytes: length of @frame without FCS, at least @header_bytes + SIGN_BYTES
 * @header_bytes: length of Ethernet, IP and UDP header
 * @run: number of the run, at most SIGN_MAX_RUN
 * @stream: number of the stream, below SIGN_MAX_STREAMS
 */
void signer_init(struct signer *s, uint8_t *frame, uint32_t bytes, uint32_t header_bytes,
		 uint32_t run, uint32_t stream);

/* Computes the check from sequence and time, 8 + 2 bytes at @variable as they are in the frame. */
static inline uint32_t sign_compute_crc(const struct signer *s, const uint8_t *variable)
{
	uint64_t head;
	uint16_t tail;

	memcpy(&head, variable, sizeof(head));
	memcpy(&tail, variable + sizeof(head), sizeof(tail));
	return rte_hash_crc_2byte(tail, rte_hash_crc_8byte(head, s->state));
}

static inline uint32_t sign_read_check(const uint8_t *variable)
{
	uint32_t check;

	memcpy(&check, variable + SIGN_COVERED_BYTES, sizeof(check));
	return rte_be_to_cpu_32(check);
}

/** sign_write_variable - write sequence, time and check: SIGN_VARIABLE_BYTES bytes */
static inline void sign_write_variable(const struct signer *s, uint8_t *variable, uint64_t seq,
				       uint32_t time_ns)
{
	const uint64_t head = rte_cpu_to_be_64(seq << 16 | time_ns >> 16);
	const uint16_t tail = rte_cpu_to_be_16((uint16_t)time_ns);
	uint32_t check;

	memcpy(variable, &head, sizeof(head));
	memcpy(variable + sizeof(head), &tail, sizeof(tail));
	check = rte_cpu_to_be_32(sign_compute_crc(s, variable));
	memcpy(variable + SIGN_COVERED_BYTES, &check, sizeof(check));
}

/** sign_frame - write sequence, time and check into a copy of the template */
static inline void sign_frame(const struct signer *s, uint8_t *frame, uint64_t seq,
			      uint32_t time_ns)
{
	sign_write_variable(s, frame + s->bytes - SIGN_VARIABLE_BYTES, seq, time_ns);
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

/**
 * sign_peek_stream - read the number of the stream from the signature, without the check
 *
 * Return: the number; -1 if the frame is too short, or has the number of another run than @run
 */
static inline int sign_peek_stream(const uint8_t *frame, uint32_t bytes, uint32_t run)
{
	uint32_t word;

	if (bytes < SIGN_BYTES)
		return -1;
	memcpy(&word, frame + bytes - SIGN_BYTES, sizeof(word));
	word = rte_be_to_cpu_32(word);
	return word >> SIGN_STREAM_BITS == run ? (int)(word % SIGN_MAX_STREAMS) : -1;
}

/**
 * sign_find - find the last signature of a frame, whatever stands before it
 * @frame, @bytes: the frame, without FCS. At most SIGN_MAX_TRAILER bytes follow the signature
 * @found: receives the signature
 *
 * Return: whether there is a signature with a right check
 */
bool sign_find(const uint8_t *frame, uint32_t bytes, struct sign_found *found);

/**
 * sign_is_as_sent - find out whether a received frame is one of the flow, without any damage
 * @limit: lowest sequence number that the sender has not used yet
 * @mark: receives sequence and time, if true
 */
static inline bool sign_is_as_sent(const struct signer *s, const uint8_t *frame, uint32_t bytes,
				   uint64_t limit, struct sign_mark *mark)
{
	const uint32_t constant = s->bytes - SIGN_VARIABLE_BYTES;

	if (bytes != s->bytes || memcmp(frame, s->template, constant))
		return false;
	*mark = sign_decode_mark(frame + constant);
	return sign_compute_crc(s, frame + constant) == sign_read_check(frame + constant) &&
	       mark->seq < limit;
}

/**
 * sign_read_damaged - find out which frame of the flow a damaged frame is (rare)
 * @s: the signer of the expected flow
 * @frame: the frame, without FCS; not as it was sent
 * @bytes: length of @frame
 * @limit: lowest sequence number that the sender has not used yet; frames from this number on
 *         belong to an earlier run
 * @mark: receives the sequence number if SIGN_DAMAGED
 *
 * Return: SIGN_DAMAGED, SIGN_UNREADABLE or SIGN_FOREIGN
 */
enum sign_verdict sign_read_damaged(const struct signer *s, const uint8_t *frame, uint32_t bytes,
				    uint64_t limit, struct sign_mark *mark);

/** sign_read_frame - sign_read_damaged() for any frame: SIGN_GOOD if it is as it was sent */
static inline enum sign_verdict sign_read_frame(const struct signer *s, const uint8_t *frame,
						uint32_t bytes, uint64_t limit,
						struct sign_mark *mark)
{
	if (sign_is_as_sent(s, frame, bytes, limit, mark))
		return SIGN_GOOD;
	return sign_read_damaged(s, frame, bytes, limit, mark);
}

#endif
