/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/signature.h"

void signer_init(struct signer *s, uint8_t *frame, uint32_t bytes, uint32_t header_bytes,
		 uint32_t run, uint32_t stream)
{
	const uint32_t word = rte_cpu_to_be_32(run << SIGN_STREAM_BITS | stream);

	memcpy(frame + bytes - SIGN_BYTES, &word, sizeof(word));
	*s = (struct signer){
		.template = frame,
		.bytes = bytes,
		.header_bytes = header_bytes,
		.state = rte_hash_crc(&word, sizeof(word), UINT32_MAX),
	};
}

/* Compares headers; a frame of the flow may have SIGN_MAX_HEADER_DAMAGE wrong bytes there. */
static bool is_flow_frame(const struct signer *s, const uint8_t *frame, uint32_t bytes)
{
	unsigned damage = 0;

	if (bytes < s->header_bytes)
		return false;
	for (uint32_t i = 0; i < s->header_bytes; i++)
		damage += frame[i] != s->template[i];
	return damage <= SIGN_MAX_HEADER_DAMAGE;
}

/* Reads the signature at @at. Returns whether its check is right. */
static bool read_signature(const uint8_t *at, struct sign_found *found)
{
	const uint8_t *variable = at + SIGN_CONSTANT_BYTES;
	struct signer s;
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	s.state = rte_hash_crc(&word, sizeof(word), UINT32_MAX);
	if (sign_compute_crc(&s, variable) != sign_read_check(variable))
		return false;
	word = rte_be_to_cpu_32(word);
	found->run = word >> SIGN_STREAM_BITS;
	found->stream = word % SIGN_MAX_STREAMS;
	found->mark = sign_decode_mark(variable);
	return true;
}

bool sign_find(const uint8_t *frame, uint32_t bytes, struct sign_found *found)
{
	for (uint32_t after = 0; after <= SIGN_MAX_TRAILER && bytes >= SIGN_BYTES + after;
	     after++) {
		found->at = bytes - SIGN_BYTES - after;
		if (read_signature(frame + found->at, found))
			return true;
	}
	return false;
}

/*
 * Repairs one damaged byte of sequence or time. The CRC is linear: received check xor computed CRC
 * is the CRC (from state 0) of the damage alone, so the loop tries every damage of one byte. If at
 * most one byte of that difference is not 0, only the check is damaged. Returns whether sequence
 * and time are right now.
 */
static bool repair_variable(const struct signer *s, uint8_t *variable)
{
	const uint32_t differ = sign_compute_crc(s, variable) ^ sign_read_check(variable);
	const struct signer zero = { .state = 0 };

	for (unsigned i = 0; i < SIGN_CHECK_BYTES; i++) {
		if (!(differ & ~(0xffu << 8 * i)))
			return true;
	}
	for (unsigned i = 0; i < SIGN_COVERED_BYTES; i++) {
		uint8_t damage[SIGN_COVERED_BYTES] = { 0 };

		for (unsigned v = 1; v <= UINT8_MAX; v++) {
			damage[i] = (uint8_t)v;
			if (sign_compute_crc(&zero, damage) == differ) {
				variable[i] ^= (uint8_t)v;
				return true;
			}
		}
	}
	return false;
}

/* Is the signature at the end intact, and of another run or stream? */
static bool has_other_stream(const struct signer *s, const uint8_t *frame, uint32_t bytes)
{
	struct sign_found found;

	return bytes >= SIGN_BYTES && read_signature(frame + bytes - SIGN_BYTES, &found) &&
	       memcmp(frame + bytes - SIGN_BYTES, s->template + s->bytes - SIGN_BYTES,
		      SIGN_CONSTANT_BYTES);
}

enum sign_verdict sign_read_damaged(const struct signer *s, const uint8_t *frame, uint32_t bytes,
				    uint64_t limit, struct sign_mark *mark)
{
	const uint32_t constant = s->bytes - SIGN_VARIABLE_BYTES;
	uint8_t variable[SIGN_VARIABLE_BYTES];
	bool whole;

	if (!is_flow_frame(s, frame, bytes) || has_other_stream(s, frame, bytes))
		return SIGN_FOREIGN;
	if (bytes != s->bytes)
		return SIGN_UNREADABLE;
	memcpy(variable, frame + constant, sizeof(variable));
	whole = sign_compute_crc(s, variable) == sign_read_check(variable);
	*mark = sign_decode_mark(variable);
	if (whole && mark->seq < limit)
		return SIGN_DAMAGED;
	if (whole && !memcmp(frame, s->template, constant))
		return SIGN_FOREIGN; /* an intact frame of an earlier run */
	if (whole || !repair_variable(s, variable))
		return SIGN_UNREADABLE;
	*mark = sign_decode_mark(variable);
	return mark->seq < limit ? SIGN_DAMAGED : SIGN_UNREADABLE;
}
