/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_RECIPE_H
#define PKTGEN_RECIPE_H

#include "packet/pattern_word.h"
#include "packet/stack.h"

/**
 * DOC: Recipes
 *
 * A recipe makes the headers of any frame of a flow. It consists of a template, and of the
 * fields, lengths and checksums that differ between frames. The headers are at most
 * STACK_MAX_BYTES long; the payload after them ends with the frame.
 */

enum {
	RECIPE_MAX_LENGTHS = STACK_MAX_HEADERS,
	RECIPE_MAX_SUMS = STACK_MAX_HEADERS,
};

/** enum recipe_access - what a field fills: some of the bits, or 2, 4 or 16 whole bytes */
enum recipe_access { RECIPE_BITS, RECIPE_HALF, RECIPE_WHOLE, RECIPE_WIDE };

/**
 * struct recipe_cover - the checksums, except CRC-32C, that cover some bytes
 * @first, @second: indices of two checksums whose covered bytes begin at an even distance from
 *   these bytes; RECIPE_MAX_SUMS: none
 * @has_others: there are more than these two
 * @even, @odd: bit i for sums[i]: all others, at an even and at an odd distance
 */
struct recipe_cover {
	uint8_t first, second;
	bool has_others;
	uint16_t even, odd;
};

/**
 * struct recipe_field - a field whose value differs between frames
 * @offset, @bytes: the bytes that contain the field: 1 to 8, or 16
 * @shift: bits below the field in these bytes
 * @mask: the bits of the field in up to 8 bytes
 * @word: the values of a field of 1 to 8 bytes
 * @wide: the values of a field of 16 bytes
 */
struct recipe_field {
	uint16_t offset;
	uint8_t bytes, shift;
	enum recipe_access access;
	struct recipe_cover cover;
	uint64_t mask;
	union {
		struct pattern_word word;
		struct pattern wide;
	};
};

/** struct recipe_length - 16 bits at @offset: bytes from @from to the end of the frame */
struct recipe_length {
	uint16_t offset, from;
	struct recipe_cover cover;
};

/**
 * struct recipe_sum - a checksum
 * @kind: AUTO_SUM_HEADER, AUTO_SUM_PSEUDO, AUTO_SUM or AUTO_CRC32C
 * @offset: its place
 * @start, @end: the bytes that it covers; @end is 0 for the end of the frame
 * @addresses, @address_bytes: the IP addresses of the pseudo header
 * @protocol: IP protocol of the pseudo header
 * @cover: the checksums of earlier headers that cover this one
 * @constant: sum of the words that are the same in all frames (recipe_sum_words())
 * @is_bad: write a wrong checksum
 * @is_partial: write the sum of the pseudo header, because the port writes the checksum
 * @is_special: @is_bad, @is_partial or @has_zero
 * @is_odd: covers the payload, which begins at an odd distance from @start
 * @has_zero: 0 means "no checksum", so a checksum of 0 becomes all ones (RFC 768)
 */
struct recipe_sum {
	enum field_auto kind;
	uint16_t offset, start, end, addresses, address_bytes;
	uint8_t protocol;
	bool is_bad, has_zero, is_partial, is_special, is_odd;
	struct recipe_cover cover;
	uint64_t constant;
};

/**
 * struct recipe - the headers of the frames of a flow
 * @bytes: length of the headers
 * @covers_payload: a checksum depends on the payload
 * @by_port: a port writes the checksums
 * @template: the headers without the fields, lengths and checksums that differ between frames
 */
struct recipe {
	uint32_t bytes;
	bool covers_payload, by_port;
	unsigned n_fields, n_lengths, n_sums;
	struct recipe_length lengths[RECIPE_MAX_LENGTHS];
	struct recipe_sum sums[RECIPE_MAX_SUMS];
	uint8_t template[STACK_MAX_BYTES];
	struct recipe_field fields[STACK_MAX_FIELDS]; /* recipe_make() allocates only @n_fields */
};

/**
 * recipe_init - compile a stack
 * @p: the recipe
 * @s: a complete stack (stack_check()). It owns the patterns, and must outlive @p
 * @bytes: length of all frames, without FCS; 0: the frames differ in length
 * @by_port: a port writes the checksums (packet/offload.h). The recipe writes 0 as the checksum of
 *   an IPv4 header, and the sum of the pseudo header as the others
 */
void recipe_init(struct recipe *p, const struct stack *s, uint32_t bytes, bool by_port);

/** recipe_make - make a recipe of the least size. free() it. Return: NULL if there is no memory */
struct recipe *recipe_make(const struct stack *s, uint32_t bytes, bool by_port);

/** recipe_compute_bytes - compute the length of the headers of a stack, without a recipe */
uint32_t recipe_compute_bytes(const struct stack *s);

/**
 * recipe_write - write the headers of a frame
 * @p: the recipe
 * @n: number of the frame
 * @frame: a frame that has its payload
 * @bytes: length of @frame, without FCS
 * @payload_sum: if p->covers_payload: unfolded sum of the 16-bit words (memory order) of the
 *   payload, as if it began at an even offset
 * @headers: receives the headers, p->bytes bytes; may be @frame
 */
void recipe_write(const struct recipe *p, uint64_t n, const uint8_t *frame, uint32_t bytes,
		  uint64_t payload_sum, uint8_t *headers);

/**
 * recipe_copy_variable - copy all bytes that may differ between frames, except lengths
 * @p: the recipe
 * @from: headers of a received frame
 * @to: headers that receive these bytes
 */
void recipe_copy_variable(const struct recipe *p, const uint8_t *from, uint8_t *to);

/**
 * recipe_write_field - write a value into the bits of its field
 *
 * Bytes that the field fills must be zero before.
 *
 * Return: sum of the words that the field added to the headers (recipe_sum_words(), as if the
 * field began at an even offset)
 */
uint64_t recipe_write_field(const struct recipe_field *f, pattern_value value, uint8_t *headers);

/** recipe_fold_sum - reduce a sum of words to 16 bits */
static inline uint16_t recipe_fold_sum(uint64_t sum)
{
	uint32_t half;

	/* The upper half becomes the sum of both; the lower half carries into it. */
	sum += sum << 32 | sum >> 32;
	half = (uint32_t)(sum >> 32);
	half += half << 16 | half >> 16;
	return (uint16_t)(half >> 16);
}

/** recipe_swap_sum - convert a sum for an even offset to one for an odd offset, folded */
static inline uint16_t recipe_swap_sum(uint64_t sum)
{
	return __builtin_bswap16(recipe_fold_sum(sum));
}

/** recipe_sum_words - add up the 16-bit words (memory order) of @bytes bytes, without folding */
uint64_t recipe_sum_words(const uint8_t *data, uint32_t bytes);

#endif
