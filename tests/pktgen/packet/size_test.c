/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <string.h>

#include "packet/size.h"

static struct size make_size(const char *text)
{
	struct size s;
	const char *why = size_parse(&s, text);

	if (why)
		ADD_FAILURE("%s: %s", text, why);
	return s;
}

/* Counts how many of the packets @first to @first + @n - 1 have @bytes. */
static uint64_t count_sizes(const struct size *s, uint64_t first, uint64_t n, uint32_t bytes)
{
	uint64_t found = 0;

	for (uint64_t seq = first; seq < first + n; seq++)
		found += size_compute(s, seq) == bytes;
	return found;
}

TEST(size, the_same_for_all)
{
	const struct size s = make_size("1000");

	EXPECT_EQ(1000, size_compute(&s, 0));
	EXPECT_EQ(1000, size_compute(&s, 1ull << 41));
	EXPECT_EQ(1000, s.min);
	EXPECT_EQ(1000, s.max);
}

TEST(size, counts_up_and_begins_again)
{
	const struct size s = make_size("64-66");
	static const uint32_t want[] = { 64, 65, 66, 64, 65, 66, 64 };

	for (unsigned i = 0; i < 7; i++)
		EXPECT_EQ(want[i], size_compute(&s, i));
	EXPECT_EQ(65, size_compute(&s, 3000000000001));
	EXPECT_TRUE(size_compute_mean(&s) == 65);
}

TEST(size, a_list_is_sent_in_turn)
{
	const struct size s = make_size("1518,64,512");

	for (unsigned i = 0; i < 9; i++)
		EXPECT_EQ(1, count_sizes(&s, i, 3, 64));
	EXPECT_EQ(1518, size_compute(&s, 0));
	EXPECT_EQ(64, size_compute(&s, 1));
	EXPECT_EQ(512, size_compute(&s, 2));
	EXPECT_EQ(64, s.min);
	EXPECT_EQ(1518, s.max);
}

static const struct mix_case {
	const char *name, *text;
	uint32_t period;
	struct size_pair pairs[4];
} mixes[] = {
	{ "weights", "64:7,594:4,1518:1", 12, { { 64, 7 }, { 594, 4 }, { 1518, 1 } } },
	{ "imix", "imix", 12, { { 64, 7 }, { 570, 4 }, { 1518, 1 } } },
	{ "ipsec_imix",
	  "ipsec_imix",
	  10000,
	  { { 90, 5867 }, { 92, 200 }, { 594, 2366 }, { 1418, 1567 } } },
	{ "tcp_imix",
	  "tcp_imix",
	  10000,
	  { { 90, 5867 }, { 92, 200 }, { 594, 2366 }, { 1518, 1567 } } },
	{ "ipv6_imix",
	  "ipv6_imix",
	  10000,
	  { { 64, 5867 }, { 496, 200 }, { 594, 2366 }, { 1518, 1567 } } },
	{ "one_of_many", "64:9999,9999", 10000, { { 64, 9999 }, { 9999, 1 } } },
};

TEST_EACH(size, weights_are_met_exactly_in_each_period, struct mix_case, mixes)
{
	const struct size s = make_size(row->text);

	EXPECT_EQ(row->period, s.period);
	for (unsigned i = 0; i < 4 && row->pairs[i].weight; i++) {
		SCOPED_TRACE("size %u", row->pairs[i].size);
		EXPECT_EQ(row->pairs[i].weight, count_sizes(&s, 0, s.period, row->pairs[i].size));
		EXPECT_EQ(row->pairs[i].weight,
			  count_sizes(&s, 123456789012, s.period, row->pairs[i].size));
	}
}

TEST(size, raises_the_short_frames_of_a_predefined_mix_alone)
{
	struct size s = make_size("standard_imix");

	EXPECT_STREQ("standard_imix", s.name);
	EXPECT_EQ(58, s.named_min);
	EXPECT_EQ(64, s.min);
	EXPECT_EQ(5867 + 200, count_sizes(&s, 0, 10000, 64));
	size_raise(&s, 63);
	EXPECT_EQ(64, s.min);
	size_raise(&s, 110);
	EXPECT_EQ(58, s.named_min);
	EXPECT_EQ(110, s.min);
	EXPECT_EQ(1518, s.max);
	EXPECT_EQ(5867 + 200, count_sizes(&s, 0, 10000, 110));
	EXPECT_EQ(2366, count_sizes(&s, 0, 10000, 594));
	EXPECT_EQ(110, s.pairs[0].size);
	EXPECT_EQ(594, s.pairs[2].size);
	size_raise(&s, 1600);
	EXPECT_EQ(1600, s.min);
	EXPECT_EQ(1600, s.max);
	EXPECT_EQ(10000, count_sizes(&s, 0, 10000, 1600));
	/* A user chose these. */
	s = make_size("64:7,570:4,1518:1");
	EXPECT_EQ(NULL, s.name);
	size_raise(&s, 110);
	EXPECT_EQ(64, s.min);
	EXPECT_EQ(7, count_sizes(&s, 0, 12, 64));
	s = make_size("64");
	size_raise(&s, 110);
	EXPECT_EQ(64, s.min);
}

/* Half a period has half of each size: the short frames do not come all at once. */
TEST(size, a_mix_is_spread_over_its_period)
{
	const struct size s = make_size("64:50,1518:50");

	for (unsigned i = 0; i < 50; i++)
		EXPECT_EQ(1, count_sizes(&s, 2ull * i, 2, 64));
}

TEST(size, random_sizes_cover_the_range_evenly_and_repeat_for_the_same_number)
{
	const struct size s = make_size("random:64-67");
	uint64_t same = 0;

	for (uint32_t bytes = 64; bytes <= 67; bytes++) {
		const uint64_t n = count_sizes(&s, 0, 40000, bytes);

		SCOPED_TRACE("size %u", bytes);
		EXPECT_LT(9700, n);
		EXPECT_GT(10300, n);
	}
	EXPECT_EQ(0, s.period);
	for (uint64_t seq = 0; seq < 10000; seq++)
		same += size_compute(&s, seq) == size_compute(&s, seq + 1);
	EXPECT_LT(2300, same);
	EXPECT_GT(2700, same);
	EXPECT_EQ(size_compute(&s, 77), size_compute(&s, 77));
}

static const struct refusal {
	const char *name, *text, *why;
} refusals[] = {
	{ "nothing", "", "must be a whole number" },
	{ "too_small", "63", "is too small (valid: 64 to 10,000)" },
	{ "backwards", "1518-64", "give 64-1518" },
	{ "open_range", "64-", "must be a range" },
	{ "long_range", "64-10001", "last size: is too large (valid: 64 to 10,000)" },
	{ "empty_item", "64,,65", "size : must be a whole number" },
	{ "last_comma", "64,", "size : must be a whole number" },
	{ "small_item", "64,63:2", "size 63: is too small" },
	{ "no_weight", "64:0", "weight 0: is too small (valid: 1 to 10,000)" },
	{ "text_weight", "64:x", "weight x: must be a whole number" },
	{ "sum_of_weights", "64:9999,65:2", "add up to 10,001 (valid: at most 10,000)" },
	{ "unknown", "jmix", "unknown name (valid: imix," },
	{ "small_first_size", "63-70", "first size: is too small" },
	{ "no_step", "64-70/0", "step: is too small (valid: 1 to 10,000)" },
	{ "large_step", "64-70/10001", "step: is too large" },
	{ "step_of_random_sizes", "random:64-70/2", "last size: must be a whole number" },
	{ "long_item", "64:00000000000000000000000000000000000001", "must be sizes with commas" },
};

TEST_EACH(size, refuses, struct refusal, refusals)
{
	struct size s;
	const char *why = size_parse(&s, row->text);

	ASSERT_TRUE(why != NULL);
	EXPECT_SUBSTR(row->why, why);
}

TEST(size, refuses_too_many_sizes)
{
	char text[3 * SIZE_MAX_PAIRS + 3] = "64";
	struct size s;

	for (unsigned i = 1; i < SIZE_MAX_PAIRS; i++)
		strcat(text, ",64");
	EXPECT_TRUE(size_parse(&s, text) == NULL);
	strcat(text, ",64");
	EXPECT_SUBSTR("too many sizes (valid: at most 32)", size_parse(&s, text));
}

TEST(size, is_written_as_it_was_given)
{
	static const struct {
		const char *name, *text;
		double mean;
	} rows[] = {
		{ "64", "64", 64 },
		{ "64-1518", "64 to 1518", 791 },
		{ "64-1518/2", "64 to 1518 by 2", 791 },
		{ "64-100/10", "64 to 94 by 10", 79 },
		{ "random:64-99", "random 64 to 99", 81.5 },
		{ "imix", "64:7,570:4,1518:1", 4246 / 12.0 },
		{ "9999", "9999", 9999 },
	};
	char text[64];

	FOR_EACH_ROW (row, rows) {
		const struct size s = make_size(row->name);

		size_format(&s, text, sizeof(text));
		EXPECT_STREQ(row->text, text);
		EXPECT_EQ(row->mean, size_compute_mean(&s));
	}
}

TEST(size, a_long_text_is_cut)
{
	const struct size s = make_size("imix"), steps = make_size("64-1518/2");
	char text[16];

	memset(text, '#', sizeof(text));
	size_format(&s, text, 8);
	EXPECT_MEMEQ("64:7,57\0########", text, sizeof(text));
	size_format(&steps, text, 12);
	EXPECT_MEMEQ("64 to 1518 \0####", text, sizeof(text));
}
