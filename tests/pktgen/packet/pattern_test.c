/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include "packet/pattern.h"

TEST(pattern, one_value_is_the_same_in_every_frame)
{
	struct pattern p;

	ASSERT_TRUE(pattern_parse_ipv4(&p, "198.18.0.1") == NULL);
	EXPECT_EQ(0xc6120001, pattern_compute(&p, 0));
	EXPECT_EQ(0xc6120001, pattern_compute(&p, 1ull << 41));
	EXPECT_EQ(1, p.count);
}

TEST(pattern, a_range_counts_up_and_begins_again)
{
	struct pattern p;

	ASSERT_TRUE(pattern_parse_port(&p, "65533-65535") == NULL);
	for (uint64_t seq = 0; seq < 9; seq++)
		EXPECT_EQ(65533 + seq % 3, pattern_compute(&p, seq));
	EXPECT_EQ(65534, pattern_compute(&p, 3000000000001));
	EXPECT_EQ(65535, pattern_get_last(&p));
}

TEST(pattern, the_range_of_all_addresses)
{
	struct pattern p;

	ASSERT_TRUE(pattern_parse_ipv4(&p, "0.0.0.0-255.255.255.255") == NULL);
	EXPECT_EQ(1ull << 32, p.count);
	EXPECT_EQ(0, pattern_compute(&p, 0));
	EXPECT_EQ(UINT32_MAX, pattern_compute(&p, UINT32_MAX));
	EXPECT_EQ(5, pattern_compute(&p, (1ull << 32) + 5));
	EXPECT_EQ(UINT32_MAX, pattern_get_last(&p));
	ASSERT_TRUE(pattern_parse_ipv4(&p, "random:0.0.0.0-255.255.255.255") == NULL);
	EXPECT_NE(pattern_compute(&p, 1), pattern_compute(&p, 2));
}

TEST(pattern, random_values_cover_the_range_and_depend_on_the_seed)
{
	unsigned found[4] = { 0 }, same = 0;
	struct pattern p, q;

	ASSERT_TRUE(pattern_parse_port(&p, "random:1000-1003") == NULL);
	q = p;
	q.seed = 1;
	for (uint64_t seq = 0; seq < 40000; seq++) {
		const uint32_t v = pattern_compute(&p, seq);

		ASSERT_LE(1000, v);
		ASSERT_GE(1003, v);
		found[v - 1000]++;
		same += v == pattern_compute(&q, seq);
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
	{ "nothing", "", "must be a whole number" },
	{ "negative", "-5", "must be a whole number" },
	{ "first", "0-5", "first value of the range: is too small (valid: 1 to 65,535)" },
	{ "last", "5-65536", "last value of the range: is too large" },
	{ "open", "5-", "last value of the range: must be a whole number" },
	{ "three", "5-6-7", "last value of the range: must be a whole number" },
	{ "backwards", "6-5", "the first value of the range is above the last" },
	{ "random_value", "random:5", "must be random: and a range" },
};

TEST_EACH(pattern, refuses, struct refusal, refusals)
{
	struct pattern p;
	const char *why = pattern_parse_port(&p, row->text);

	ASSERT_TRUE(why != NULL);
	EXPECT_SUBSTR(row->why, why);
}
