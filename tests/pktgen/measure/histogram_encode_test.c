/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "measure/histogram_encode.h"

/*
 * HdrHistogram 2.1.11 for Java (Debian's libhdrhistogram-java) wrote these bytes, for the times of
 * make_times() in new Histogram(1, 4294967295L, 2), encoding V2 without compression.
 */
enum { JAVA_BYTES = 2057 };
static const uint32_t java_crc32 = 0x8ea22439;
static const uint8_t java_head[] = {
	0x1c, 0x84, 0x93, 0x13, 0x00, 0x00, 0x07, 0xe1, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00,
	0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0x3f, 0xf0, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x74, 0x90, 0x01, 0x40, 0x3a, 0x26, 0x20, 0x34, 0x18, 0x12, 0x0e, 0x0c,
	0x0e, 0x08, 0x0e, 0x0c, 0x0a, 0x08, 0x04, 0x08, 0x04, 0x10, 0x0a, 0x02,
};

static void make_times(struct histogram *h)
{
	uint64_t state = 1;

	for (unsigned i = 0; i < 2000; i++) {
		state = (state * 1103515245 + 12345) & 0x7fffffff;
		histogram_record(h, state >> i % 31);
	}
	histogram_record_many(h, 77, 1ull << 40);
	histogram_record(h, 4294967295);
}

TEST(histogram_encode, the_bytes_are_those_of_hdrhistogram)
{
	struct histogram h;
	size_t n = 0;
	uint8_t *data;

	ASSERT_EQ(0, histogram_init(&h, 2, 4294967295));
	make_times(&h);
	data = histogram_encode(&h, &n);
	ASSERT_TRUE(data != NULL);
	ASSERT_EQ(JAVA_BYTES, n);
	EXPECT_MEMEQ(java_head, data, sizeof(java_head));
	EXPECT_EQ(java_crc32, crc32(0, data, JAVA_BYTES));
	free(data);
	histogram_free(&h);
}

static unsigned find_digit(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	return (unsigned)(strchr(digits, c) - digits);
}

/* Decodes base64 (RFC 4648). Returns the number of bytes. */
static size_t decode_base64(const char *text, uint8_t *to)
{
	size_t n = 0;

	for (; *text && *text != '='; text += 4) {
		const uint32_t group = find_digit(text[0]) << 18 | find_digit(text[1]) << 12 |
				       (text[2] == '=' ? 0 : find_digit(text[2]) << 6) |
				       (text[3] == '=' ? 0 : find_digit(text[3]));

		to[n++] = (uint8_t)(group >> 16);
		if (text[2] != '=')
			to[n++] = (uint8_t)(group >> 8);
		if (text[3] != '=')
			to[n++] = (uint8_t)group;
	}
	return n;
}

TEST(histogram_encode, the_text_unpacks_to_the_bytes)
{
	static uint8_t packed[JAVA_BYTES * 2], data[JAVA_BYTES * 2];
	uLongf n_data = sizeof(data);
	struct histogram h;
	size_t n_packed;
	char *text;

	ASSERT_EQ(0, histogram_init(&h, 2, 4294967295));
	make_times(&h);
	text = histogram_encode_text(&h);
	ASSERT_TRUE(text != NULL);
	EXPECT_EQ(0, strlen(text) % 4);
	n_packed = decode_base64(text, packed);
	EXPECT_MEMEQ("\x1c\x84\x93\x14", packed, 4);
	EXPECT_EQ(n_packed - 8, (size_t)packed[6] << 8 | packed[7]);
	ASSERT_EQ(Z_OK, uncompress(data, &n_data, packed + 8, n_packed - 8));
	ASSERT_EQ(JAVA_BYTES, n_data);
	EXPECT_EQ(java_crc32, crc32(0, data, JAVA_BYTES));
	free(text);
	histogram_free(&h);
}

TEST(histogram_encode, an_empty_histogram_has_one_slot)
{
	struct histogram h;
	size_t n = 0;
	uint8_t *data;

	ASSERT_EQ(0, histogram_init(&h, 2, 4294967295));
	data = histogram_encode(&h, &n);
	ASSERT_TRUE(data != NULL);
	EXPECT_EQ(41, n);
	free(data);
	histogram_free(&h);
}
