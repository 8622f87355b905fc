/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INPUT_H
#define INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** struct input - the rest of an input of the fuzzer; a read after its end gives 0 */
struct input {
	const uint8_t *at;
	size_t left;
};

static inline void take_bytes(struct input *in, void *to, size_t bytes)
{
	const size_t n = bytes < in->left ? bytes : in->left;

	memset(to, 0, bytes);
	memcpy(to, in->at, n);
	in->at += n;
	in->left -= n;
}

static inline uint8_t take_u8(struct input *in)
{
	uint8_t v;

	take_bytes(in, &v, sizeof(v));
	return v;
}

static inline uint16_t take_u16(struct input *in)
{
	uint16_t v;

	take_bytes(in, &v, sizeof(v));
	return v;
}

/**
 * take_words - fill @to with 0, and then with words that the input places
 *
 * u8 n, n times: u16 number of the word, its 4 bytes.
 */
static inline void take_words(struct input *in, void *to, size_t bytes)
{
	const uint8_t n = take_u8(in);

	memset(to, 0, bytes);
	for (unsigned i = 0; i < n; i++) {
		const size_t at = take_u16(in) * 4u;

		if (at + 4 <= bytes)
			take_bytes(in, (uint8_t *)to + at, 4);
	}
}

#endif
