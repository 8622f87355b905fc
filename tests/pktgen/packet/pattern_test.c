/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <string.h>

#include "packet/pattern_word.h"

static const char *parse_ipv4(struct pattern *p, const char *text)
{
	return pattern_parse(p, text, FIELD_IPV4, 32);
}

static const char *parse_port(struct pattern *p, const char *text)
{
	return pattern_parse(p, text, FIELD_NUMBER, 16);
}

static uint32_t compute_low(const struct pattern *p, uint64_t n)
{
	return (uint32_t)pattern_compute(p, n);
}

static uint32_t get_last(const struct pattern *p)
{
	return (uint32_t)pattern_get_last(p);
}

TEST(pattern, one_value_is_the_same_in_every_frame)
{
	struct pattern p;

	ASSERT_TRUE(parse_ipv4(&p, "198.18.0.1") == NULL);
	EXPECT_EQ(0xc6120001, compute_low(&p, 0));
	EXPECT_EQ(0xc6120001, compute_low(&p, 1ull << 41));
	EXPECT_EQ(1, p.count);
}

TEST(pattern, a_range_counts_up_and_begins_again)
{
	struct pattern p;

	ASSERT_TRUE(parse_port(&p, "65533-65535") == NULL);
	for (uint64_t seq = 0; seq < 9; seq++)
		EXPECT_EQ(65533 + seq % 3, compute_low(&p, seq));
	EXPECT_EQ(65534, compute_low(&p, 3000000000001));
	EXPECT_EQ(65535, get_last(&p));
}

TEST(pattern, the_range_of_all_addresses)
{
	struct pattern p;

	ASSERT_TRUE(parse_ipv4(&p, "0.0.0.0-255.255.255.255") == NULL);
	EXPECT_EQ(1ull << 32, p.count);
	EXPECT_EQ(0, compute_low(&p, 0));
	EXPECT_EQ(UINT32_MAX, compute_low(&p, UINT32_MAX));
	EXPECT_EQ(5, compute_low(&p, (1ull << 32) + 5));
	EXPECT_EQ(UINT32_MAX, get_last(&p));
	ASSERT_TRUE(parse_ipv4(&p, "random:0.0.0.0-255.255.255.255") == NULL);
	EXPECT_NE(compute_low(&p, 1), compute_low(&p, 2));
}

TEST(pattern, random_values_cover_the_range_and_depend_on_the_seed)
{
	unsigned found[4] = { 0 }, same = 0;
	struct pattern p, q;

	ASSERT_TRUE(parse_port(&p, "random:1000-1003") == NULL);
	q = p;
	q.seed = 1;
	for (uint64_t seq = 0; seq < 40000; seq++) {
		const uint32_t v = compute_low(&p, seq);

		ASSERT_LE(1000, v);
		ASSERT_GE(1003, v);
		found[v - 1000]++;
		same += v == compute_low(&q, seq);
	}
	for (unsigned i = 0; i < 4; i++) {
		EXPECT_LT(9700, found[i]);
		EXPECT_GT(10300, found[i]);
	}
	EXPECT_LT(9700, same);
	EXPECT_GT(10300, same);
}

static const struct refusal {
	const char *name, *text, *why;
} refusals[] = {
	{ "nothing", "", "must be a number from 0 to 65535" },
	{ "negative", "-5", "must be a number" },
	{ "large", "65536", "must be a number from 0 to 65535" },
	{ "last", "5-65536", "last value of the range: must be a number from 0 to 65535" },
	{ "open", "5-", "last value of the range: must be a number" },
	{ "three", "5-6-7", "last value of the range: must be a number" },
	{ "step", "5-9/0", "step of the range: 0 (valid: at least 1)" },
	{ "step_text", "5-9/x", "step of the range: must be a number" },
	{ "random_value", "random:5", "must be a range: FIRST-LAST" },
	{ "random_backwards", "random:6-5", "the first value of the range is above the last" },
	{ "seed", "random:5-6@x", "seed: must be a number" },
	{ "list", "5,x,7", "value 2 of the list: must be a number" },
	{ "list_end", "5,", "value 2 of the list: must be a number" },
	{ "mask", "mask:5", "must be VALUE/MASK" },
	{ "hex", "0x10000", "must be a number" },
};

TEST_EACH(pattern, refuses, struct refusal, refusals)
{
	struct pattern p;
	const char *why = parse_port(&p, row->text);

	ASSERT_TRUE(why != NULL);
	EXPECT_SUBSTR(row->why, why);
	pattern_free(&p);
}

/* Values at a limit: @why is NULL, or why they are refused. */
static const struct limit {
	const char *name, *text;
	enum field_format format;
	unsigned bits;
	const char *why;
} limits[] = {
	{ "bits_of_a_number", "4095", FIELD_NUMBER, 12, NULL },
	{ "more_bits", "4096", FIELD_NUMBER, 12, "must be a number from 0 to 4095" },
	{ "all_64_bits", "18446744073709551615", FIELD_NUMBER, 64, NULL },
	{ "more_than_64_bits", "18446744073709551616", FIELD_NUMBER, 64,
	  "must be a number from 0 to 18446744073709551615" },
	{ "largest_range", "::-::7fff:ffff:ffff:ffff", FIELD_IPV6, 128, NULL },
	{ "larger_range", "::-::8000:0:0:0", FIELD_IPV6, 128,
	  "the range has more than 2^63 values; give a shorter one, or mask:" },
	{ "larger_range_with_a_step", "::-::8000:0:0:0/2", FIELD_IPV6, 128, NULL },
	{ "largest_random_range", "random:::-::7fff:ffff:ffff:ffff", FIELD_IPV6, 128, NULL },
	{ "larger_random_range", "random:::-::8000:0:0:0", FIELD_IPV6, 128,
	  "the range has more than 2^63 values; give a shorter one, or mask:" },
	{ "smallest_random_range", "random:5-5", FIELD_NUMBER, 16, NULL },
	{ "largest_seed", "random:1-9@4294967295", FIELD_NUMBER, 16, NULL },
	{ "larger_seed", "random:1-9@4294967296", FIELD_NUMBER, 16,
	  "seed: must be a number from 0 to 4294967295" },
	{ "seed_of_a_mask", "mask:1/255@4294967296", FIELD_NUMBER, 16, "seed: must be a number" },
	{ "value_of_a_mask", "mask:65536/1", FIELD_NUMBER, 16, "value: must be a number from 0" },
	{ "bits_of_a_mask", "mask:1/65536", FIELD_NUMBER, 16, "mask: must be a number from 0" },
	{ "first_value", "65536-9", FIELD_NUMBER, 16, "first value of the range: must be" },
	{ "step_of_a_mac", "02::-03::/65536", FIELD_MAC, 48, "first value of the range: must be" },
	{ "long_item", "000000000000000000000000000000000000000000000000000000000000005,6",
	  FIELD_NUMBER, 16, NULL },
	{ "longer_item", "0000000000000000000000000000000000000000000000000000000000000005,6",
	  FIELD_NUMBER, 16, "value 1 of the list: too long (valid: at most 63 characters)" },
	{ "not_ipv6", "10.0.0.1", FIELD_IPV6, 128,
	  "must be an IPv6 address, for example 2001:db8::1" },
};

TEST_EACH(pattern, has_limits_of, struct limit, limits)
{
	struct pattern p;
	const char *why = pattern_parse(&p, row->text, row->format, row->bits);

	if (row->why)
		EXPECT_SUBSTR(row->why, why);
	else
		EXPECT_EQ(NULL, why);
	pattern_free(&p);
}

TEST(pattern, a_list_has_65536_values_at_most)
{
	static char text[2 * 65537];
	struct pattern p;

	for (unsigned i = 0; i < 65537; i++)
		memcpy(text + 2 * i, "7,", 2);
	text[2 * 65537 - 1] = '\0';
	EXPECT_SUBSTR("65537 values (valid: at most 65536)", parse_port(&p, text));
	text[2 * 65536 - 1] = '\0';
	EXPECT_EQ(NULL, parse_port(&p, text));
	EXPECT_EQ(65536, p.count);
	pattern_free(&p);
}

static const struct sequence {
	const char *name, *text;
	enum field_format format;
	unsigned bits;
	const char *values; /* values of the frames 0, 1, 2 ... */
} sequences[] = {
	{ "step", "9-20/5", FIELD_NUMBER, 16, "9 14 19 9 14 " },
	{ "down", "20-9/5", FIELD_NUMBER, 16, "20 15 10 20 15 " },
	{ "list", "7,1,0x10", FIELD_NUMBER, 16, "7 1 16 7 1 " },
	{ "mac", "02:00:00:00:00:ff-02:00:00:00:01:00", FIELD_MAC, 48,
	  "02:00:00:00:00:ff 02:00:00:00:01:00 02:00:00:00:00:ff " },
	{ "subnets", "10.0.1.0-10.0.3.0/256", FIELD_IPV4, 32,
	  "10.0.1.0 10.0.2.0 10.0.3.0 10.0.1.0 " },
	{ "ipv6", "2001:db8::ffff-2001:db8::1:0", FIELD_IPV6, 128,
	  "2001:db8::ffff 2001:db8::1:0 2001:db8::ffff " },
	{ "prefixes", "2001:db8::1-2001:db8:0:3::1/0:0:0:1::", FIELD_IPV6, 128,
	  "2001:db8::1 2001:db8:0:1::1 2001:db8:0:2::1 2001:db8:0:3::1 2001:db8::1 " },
};

TEST_EACH(pattern, values_follow_one_another, struct sequence, sequences)
{
	struct pattern p;
	char got[256] = "", again[PATTERN_TEXT_BYTES];
	size_t n = 0;

	ASSERT_TRUE(pattern_parse(&p, row->text, row->format, row->bits) == NULL);
	for (uint64_t seq = 0; n < strlen(row->values); seq++) {
		n += (size_t)pattern_format_value(pattern_compute(&p, seq), row->format, got + n,
						  sizeof(got) - n);
		got[n++] = ' ';
		got[n] = '\0';
	}
	EXPECT_STREQ(row->values, got);
	pattern_format(&p, row->format, again, sizeof(again));
	if (strcmp(row->name, "list") && strcmp(row->name, "prefixes") &&
	    strcmp(row->name, "step") && strcmp(row->name, "down"))
		EXPECT_STREQ(row->text, again);
	pattern_free(&p);
}

/* pattern_parse() reads the text of pattern_format() as the same pattern. */
TEST_EACH(pattern, the_text_of_a_pattern_reads_back, struct sequence, sequences)
{
	char text[PATTERN_TEXT_BYTES];
	struct pattern p, q;

	ASSERT_TRUE(pattern_parse(&p, row->text, row->format, row->bits) == NULL);
	pattern_format(&p, row->format, text, sizeof(text));
	ASSERT_TRUE(pattern_parse(&q, text, row->format, row->bits) == NULL);
	for (uint64_t seq = 0; seq < 20; seq++)
		EXPECT_TRUE(pattern_compute(&p, seq) == pattern_compute(&q, seq));
	pattern_free(&p);
	pattern_free(&q);
}

TEST(pattern, only_the_bits_of_the_mask_are_random)
{
	uint32_t ones = 0, zeros = 0;
	struct pattern p;

	ASSERT_TRUE(parse_ipv4(&p, "mask:10.1.0.7/0.0.255.3@9") == NULL);
	for (uint64_t seq = 0; seq < 1000; seq++) {
		const uint32_t v = (uint32_t)pattern_compute(&p, seq);

		ASSERT_EQ(0x0a010004, v & ~0x0000ff03u);
		ones |= v;
		zeros |= ~v;
	}
	EXPECT_EQ(0xff03, ones & zeros);
}

/* The word and the pattern must agree at the ends of the counts, and for any number between. */
static void compare_word(const struct pattern *p)
{
	static const uint64_t far[] = { 0, 1ull << 41, (1ull << 48) - 1, UINT64_MAX };
	struct pattern_word w;

	pattern_word_init(&w, p);
	for (unsigned i = 0; i < sizeof(far) / sizeof(far[0]); i++) {
		for (uint64_t k = 0; k < 300; k++) {
			ASSERT_EQ((uint64_t)pattern_compute(p, far[i] - k),
				  pattern_word_compute(&w, far[i] - k));
			ASSERT_EQ((uint64_t)pattern_compute(p, p->count * (1 + k) - 1),
				  pattern_word_compute(&w, p->count * (1 + k) - 1));
		}
	}
}

TEST(pattern, a_word_has_the_values_of_its_pattern)
{
	static const char *const texts[] = {
		"7",
		"0-65535",
		"65535-0",
		"1000-1002",
		"9-20000/5",
		"20000-9/7",
		"1,7,9,9,65535,0",
		"random:9-20@7",
		"random:0-65535",
		"mask:4660/255",
		"mask:0/65535@3",
		"5,6",
	};
	struct pattern p;

	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		ASSERT_TRUE(parse_port(&p, texts[i]) == NULL);
		compare_word(&p);
		p.repeat = 5;
		compare_word(&p);
		pattern_free(&p);
	}
	ASSERT_TRUE(pattern_parse(&p, "0-9223372036854775806", FIELD_NUMBER, 64) == NULL);
	compare_word(&p);
}
