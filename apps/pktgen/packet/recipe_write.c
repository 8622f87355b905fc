/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <rte_byteorder.h>
#include <rte_hash_crc.h>

#include "packet/recipe.h"

enum { SUM_BYTES = 2 };

uint64_t recipe_sum_words(const uint8_t *data, uint32_t bytes)
{
	uint64_t sum = 0;
	uint32_t four;
	uint16_t two;

	for (; bytes >= sizeof(four); data += sizeof(four), bytes -= (uint32_t)sizeof(four)) {
		memcpy(&four, data, sizeof(four));
		sum += four;
	}
	if (bytes >= sizeof(two)) {
		memcpy(&two, data, sizeof(two));
		sum += two;
		data += sizeof(two);
	}
	if (bytes % 2) {
		two = 0;
		memcpy(&two, data, 1);
		sum += two;
	}
	return sum;
}

/* ---- fields --------------------------------------------------------------------- */

/* Writes a field that shares its bytes with others. Returns the new words minus the old ones. */
static uint64_t write_bits(const struct recipe_field *f, uint64_t value, uint8_t *at)
{
	const unsigned pad = f->bytes % 2 * 8; /* completes the last word */
	uint64_t old = 0, word;

	for (unsigned i = 0; i < f->bytes; i++)
		old = old << 8 | at[i];
	word = (old & ~f->mask) | (value << f->shift & f->mask);
	for (unsigned i = 0; i < f->bytes; i++)
		at[i] = (uint8_t)(word >> 8 * (f->bytes - 1u - i));
	/* Subtracts by adding the complement. The words are big-endian here, hence the swap. */
	return recipe_swap_sum((uint64_t)recipe_fold_sum(word << pad) +
			       (uint16_t)~recipe_fold_sum(old << pad));
}

static inline uint64_t write_word(const struct recipe_field *f, uint64_t value, uint8_t *at)
{
	const uint16_t half = rte_cpu_to_be_16((uint16_t)value);
	const uint32_t whole = rte_cpu_to_be_32((uint32_t)value);

	if (f->access == RECIPE_HALF) {
		memcpy(at, &half, sizeof(half));
		return half;
	}
	if (f->access == RECIPE_WHOLE) {
		memcpy(at, &whole, sizeof(whole));
		return whole;
	}
	return write_bits(f, value, at);
}

static uint64_t write_wide(pattern_value value, uint8_t *at)
{
	const uint64_t high = rte_cpu_to_be_64((uint64_t)(value >> 64));
	const uint64_t low = rte_cpu_to_be_64((uint64_t)value);

	memcpy(at, &high, sizeof(high));
	memcpy(at + sizeof(high), &low, sizeof(low));
	return (high & UINT32_MAX) + (high >> 32) + (low & UINT32_MAX) + (low >> 32);
}

uint64_t recipe_write_field(const struct recipe_field *f, pattern_value value, uint8_t *headers)
{
	uint8_t *at = headers + f->offset;

	return f->access == RECIPE_WIDE ? write_wide(value, at)
					: write_word(f, (uint64_t)value, at);
}

/* Writes the value of a field in frame @n. Returns the words that it added. */
static inline uint64_t write_field(const struct recipe_field *f, uint64_t n, uint8_t *headers)
{
	uint8_t *at = headers + f->offset;

	if (f->access == RECIPE_WIDE)
		return write_wide(pattern_compute(&f->wide, n), at);
	return write_word(f, pattern_word_compute(&f->word, n), at);
}

/* ---- checksums ------------------------------------------------------------------- */

static void add_to_others(uint64_t *sums, const struct recipe_cover *cover, uint64_t sum)
{
	for (unsigned even = cover->even; even; even &= even - 1)
		sums[__builtin_ctz(even)] += sum;
	for (unsigned odd = cover->odd; odd; odd &= odd - 1)
		sums[__builtin_ctz(odd)] += recipe_swap_sum(sum);
}

/* Adds the words of some bytes to the checksums that cover them. */
static inline void add_words(uint64_t *sums, const struct recipe_cover *cover, uint64_t sum)
{
	sums[cover->first] += sum;
	sums[cover->second] += sum;
	if (__builtin_expect(cover->has_others, 0))
		add_to_others(sums, cover, sum);
}

/* Writes an Internet checksum, and returns it. */
static inline uint16_t write_sum(const struct recipe_sum *s, uint64_t sum, uint8_t *headers)
{
	uint16_t check = (uint16_t)~recipe_fold_sum(sum);

	if (s->is_special) {
		if (s->is_partial)
			check = (uint16_t)~check;
		check ^= s->is_bad;
		if (s->has_zero && !s->is_partial && !check)
			check = s->is_bad ? UINT16_MAX - 1 : UINT16_MAX;
	}
	memcpy(headers + s->offset, &check, sizeof(check));
	return check;
}

/*
 * Writes the CRC-32C of SCTP: inverted, least significant byte first (RFC 9260, appendix A).
 * Returns the sum of its words.
 */
static uint64_t write_crc(const struct recipe *p, const struct recipe_sum *s, const uint8_t *frame,
			  uint32_t bytes, uint8_t *headers)
{
	uint32_t crc;

	memset(headers + s->offset, 0, sizeof(crc));
	crc = rte_hash_crc(headers + s->start, p->bytes - s->start, UINT32_MAX);
	crc = ~rte_hash_crc(frame + p->bytes, bytes - p->bytes, crc) ^ s->is_bad;
	crc = rte_cpu_to_le_32(crc);
	memcpy(headers + s->offset, &crc, sizeof(crc));
	return crc;
}

static inline uint64_t write_check(const struct recipe *p, const struct recipe_sum *s,
				   const uint8_t *frame, uint32_t bytes, uint64_t payload_sum,
				   uint64_t sum, uint8_t *headers)
{
	if (s->kind == AUTO_CRC32C)
		return write_crc(p, s, frame, bytes, headers);
	if (!s->end)
		sum += __builtin_expect(s->is_odd, 0) ? recipe_swap_sum(payload_sum) : payload_sum;
	if (s->kind == AUTO_SUM_PSEUDO)
		sum += rte_cpu_to_be_16((uint16_t)(bytes - s->start));
	return write_sum(s, sum, headers);
}

/* Copies the template without a call for most lengths; the last block overlaps the one before. */
static inline void copy_template(const struct recipe *p, uint8_t *headers)
{
	enum { BLOCK = 16 };
	const uint32_t bytes = p->bytes;

	if (bytes < BLOCK || bytes > 8 * BLOCK) {
		memcpy(headers, p->template, bytes);
		return;
	}
	for (uint32_t i = 0; i < bytes - BLOCK; i += BLOCK)
		memcpy(headers + i, p->template + i, BLOCK);
	memcpy(headers + bytes - BLOCK, p->template + bytes - BLOCK, BLOCK);
}

static inline void write_lengths(const struct recipe *p, uint32_t bytes, uint64_t *sums,
				 uint8_t *headers)
{
	const struct recipe_length *end = p->lengths + p->n_lengths;

	for (const struct recipe_length *l = p->lengths; l < end; l++) {
		const uint16_t length = rte_cpu_to_be_16((uint16_t)(bytes - l->from));

		memcpy(headers + l->offset, &length, sizeof(length));
		add_words(sums, &l->cover, length);
	}
}

void recipe_write(const struct recipe *p, uint64_t n, const uint8_t *frame, uint32_t bytes,
		  uint64_t payload_sum, uint8_t *headers)
{
	const struct recipe_field *end = p->fields + p->n_fields;
	const unsigned n_sums = p->n_sums;
	uint64_t sums[RECIPE_MAX_SUMS + 1]; /* the last one takes what no checksum covers */

	copy_template(p, headers);
	sums[RECIPE_MAX_SUMS] = 0;
	for (unsigned i = 0; i < n_sums; i++)
		sums[i] = p->sums[i].constant;
	for (const struct recipe_field *f = p->fields; f < end; f++)
		add_words(sums, &f->cover, write_field(f, n, headers));
	write_lengths(p, bytes, sums, headers);
	/* Checksums may cover those before them in the list, so the order matters. */
	for (unsigned i = 0; i < n_sums; i++)
		add_words(sums, &p->sums[i].cover,
			  write_check(p, &p->sums[i], frame, bytes, payload_sum, sums[i], headers));
}

void recipe_copy_variable(const struct recipe *p, const uint8_t *from, uint8_t *to)
{
	for (unsigned i = 0; i < p->n_fields; i++)
		memcpy(to + p->fields[i].offset, from + p->fields[i].offset, p->fields[i].bytes);
	for (unsigned i = 0; i < p->n_sums; i++)
		memcpy(to + p->sums[i].offset, from + p->sums[i].offset,
		       p->sums[i].kind == AUTO_CRC32C ? sizeof(uint32_t) : SUM_BYTES);
}
