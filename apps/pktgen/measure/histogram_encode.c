/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/histogram_encode.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

enum {
	COOKIE_V2 = 0x1c849313,
	COOKIE_V2_COMPRESSED = 0x1c849314,
	HEADER_BYTES = 40,
	COMPRESSED_HEADER_BYTES = 8,
	MAX_NUMBER_BYTES = 9,
};

static uint8_t *put_be32(uint8_t *to, uint32_t n)
{
	for (unsigned i = 4; i--; n >>= 8)
		to[i] = (uint8_t)n;
	return to + 4;
}

static uint8_t *put_be64(uint8_t *to, uint64_t n)
{
	return put_be32(put_be32(to, (uint32_t)(n >> 32)), (uint32_t)n);
}

/* Writes a number as ZigZag LEB128; the ninth byte has 8 bits. */
static uint8_t *put_number(uint8_t *to, int64_t n)
{
	uint64_t left = (uint64_t)n << 1 ^ (uint64_t)(n >> 63);

	for (unsigned i = 1; i < MAX_NUMBER_BYTES && left >= 0x80; i++, left >>= 7)
		*to++ = (uint8_t)(left | 0x80);
	*to++ = (uint8_t)left;
	return to;
}

static uint8_t *put_counts(uint8_t *to, const struct histogram *h, unsigned n_slots)
{
	for (unsigned i = 0; i < n_slots; i++) {
		int64_t zeros = 0;

		while (i < n_slots && !histogram_get_count(h, i)) {
			zeros++;
			i++;
		}
		if (zeros)
			to = put_number(to, zeros > 1 ? -zeros : 0);
		if (i < n_slots)
			to = put_number(to, (int64_t)histogram_get_count(h, i));
	}
	return to;
}

/* Returns the number of slots up to that of the maximum. */
static unsigned count_used_slots(const struct histogram *h)
{
	const uint64_t max = h->max_ns < h->limit_ns ? h->max_ns : h->limit_ns;

	return (unsigned)histogram_find_slot(h, max) + 1;
}

uint8_t *histogram_encode(const struct histogram *h, size_t *bytes)
{
	const unsigned n_slots = count_used_slots(h);
	uint8_t *data = malloc(HEADER_BYTES + (size_t)n_slots * MAX_NUMBER_BYTES), *to = data, *end;
	const double ratio = 1;
	uint64_t ratio_bits;

	if (!data)
		return NULL;
	memcpy(&ratio_bits, &ratio, sizeof(ratio_bits));
	end = put_counts(data + HEADER_BYTES, h, n_slots);
	to = put_be32(to, COOKIE_V2);
	to = put_be32(to, (uint32_t)(end - data - HEADER_BYTES));
	to = put_be32(to, 0); /* normalizing index offset */
	to = put_be32(to, h->digits);
	to = put_be64(to, 1); /* lowest discernible value */
	to = put_be64(to, h->limit_ns);
	put_be64(to, ratio_bits);
	*bytes = (size_t)(end - data);
	return data;
}

static char *encode_base64(const uint8_t *data, size_t n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *text = malloc((n + 2) / 3 * 4 + 1), *to = text;

	for (size_t i = 0; text && i < n; i += 3) {
		const unsigned left = n - i < 3 ? (unsigned)(n - i) : 3;
		const uint32_t group = (uint32_t)data[i] << 16 |
				       (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
				       (left > 2 ? data[i + 2] : 0);

		*to++ = digits[group >> 18];
		*to++ = digits[group >> 12 & 63];
		*to++ = left > 1 ? digits[group >> 6 & 63] : '=';
		*to++ = left > 2 ? digits[group & 63] : '=';
	}
	if (text)
		*to = '\0';
	return text;
}

char *histogram_encode_text(const struct histogram *h)
{
	size_t n = 0;
	uint8_t *plain = histogram_encode(h, &n), *packed = NULL;
	uLongf n_packed = plain ? compressBound(n) : 0;
	char *text = NULL;

	if (plain)
		packed = malloc(COMPRESSED_HEADER_BYTES + n_packed);
	if (packed && compress(packed + COMPRESSED_HEADER_BYTES, &n_packed, plain, n) == Z_OK) {
		put_be32(put_be32(packed, COOKIE_V2_COMPRESSED), (uint32_t)n_packed);
		text = encode_base64(packed, COMPRESSED_HEADER_BYTES + n_packed);
	}
	free(plain);
	free(packed);
	return text;
}
