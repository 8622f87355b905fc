/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "measure/histogram.h"

enum { N_SAMPLES = 100000 };
static const uint64_t minute_ns = 60000000000;

static const struct digits_case {
	const char *name;
	unsigned digits, tenth; /* @tenth: 10 to the power of @digits */
} digits_cases[] = { { "one", 1, 10 }, { "two", 2, 100 }, { "three", 3, 1000 } };

/*
 * The figures of the referee are those of HdrHistogram 2.1.11 for Java, in Debian
 * libhdrhistogram-java: class Histogram(60000000000L, digits). Its methods of the name
 * lowestEquivalentValue, highestEquivalentValue and getValueAtPercentile gave the figures.
 * getNeededByteBufferCapacity gave the lengths: 40 bytes, and 9 bytes for each slot.
 */
static const struct slot_case {
	const char *name;
	unsigned digits;
	uint64_t ns, lowest, highest;
} slot_cases[] = {
	{ "1_zero", 1, 0, 0, 0 },
	{ "1_last_single", 1, 31, 31, 31 },
	{ "1_first_double", 1, 33, 32, 33 },
	{ "1_power", 1, 1024, 1024, 1087 },
	{ "1_above_32_bits", 1, 4294967296, 4294967296, 4563402751 },
	{ "1_limit", 1, 68719476735, 66571993088, 68719476735 },
	{ "2_last_single", 2, 255, 255, 255 },
	{ "2_first_double", 2, 256, 256, 257 },
	{ "2_last_double", 2, 511, 510, 511 },
	{ "2_first_of_four", 2, 512, 512, 515 },
	{ "2_below_a_million", 2, 999999, 999424, 1003519 },
	{ "2_odd", 2, 123456789, 123207680, 123731967 },
	{ "2_32_bits", 2, 4294967295, 4278190080, 4294967295 },
	{ "2_minute", 2, 60000000000, 59861106688, 60129542143 },
	{ "2_limit", 2, 68719476735, 68451041280, 68719476735 },
	{ "3_last_single", 3, 2047, 2047, 2047 },
	{ "3_first_double", 3, 2049, 2048, 2049 },
	{ "3_odd", 3, 123456789, 123404288, 123469823 },
	{ "3_minute", 3, 60000000000, 59995324416, 60028878847 },
	{ "3_limit", 3, 68719476735, 68685922304, 68719476735 },
};

TEST_EACH(histogram, has_the_slots_of_the_referee, struct slot_case, slot_cases)
{
	struct histogram h;
	uint64_t slot;

	ASSERT_EQ(0, histogram_init(&h, row->digits, minute_ns));
	EXPECT_EQ((1ull << 36) - 1, h.limit_ns);
	slot = histogram_find_slot(&h, row->ns);
	EXPECT_EQ(row->lowest, histogram_find_lowest(&h, (unsigned)slot));
	EXPECT_EQ(row->highest, histogram_find_highest(&h, (unsigned)slot));
	histogram_free(&h);
}

static const struct length_case {
	const char *name;
	unsigned digits;
	uint64_t highest_ns;
	size_t referee_bytes; /* without the 40 bytes of the head */
} length_cases[] = {
	{ "1_smallest", 1, 2, 36 * 8 },
	{ "2_smallest", 2, 2, 288 * 8 },
	{ "3_smallest", 3, 2, 2304 * 8 },
	{ "2_below_a_power", 2, 255, 288 * 8 },
	{ "2_power", 2, 256, 432 * 8 },
	{ "3_below_its_first_power", 3, 256, 2304 * 8 },
	{ "1_ms", 1, 1000000, 306 * 8 },
	{ "2_ms", 2, 1000000, 2016 * 8 },
	{ "3_ms", 3, 1000000, 12672 * 8 },
	{ "2_minute", 2, 68719476735, 4320 * 8 },
	{ "2_above_a_minute", 2, 68719476736, 4464 * 8 },
	{ "3_above_a_minute", 3, 68719476736, 32256 * 8 },
};

TEST_EACH(histogram, has_as_many_slots_as_the_referee, struct length_case, length_cases)
{
	struct histogram h;

	ASSERT_EQ(0, histogram_init(&h, row->digits, row->highest_ns));
	EXPECT_EQ(row->referee_bytes, h.n_slots * 9ull);
	EXPECT_EQ(h.n_slots * 8ull + (h.n_slots >> h.half_log2) * 8ull,
		  histogram_get_bytes(row->digits, row->highest_ns));
	EXPECT_LE(row->highest_ns, h.limit_ns);
	EXPECT_EQ(h.n_slots - 1, histogram_find_slot(&h, h.limit_ns));
	histogram_free(&h);
}

TEST_EACH(histogram, gives_each_time_one_slot_that_keeps_the_digits, struct digits_case,
	  digits_cases)
{
	struct histogram h;
	uint64_t next = 0;
	unsigned i;

	ASSERT_EQ(0, histogram_init(&h, row->digits, minute_ns));
	for (i = 0; i < h.n_slots; i++) {
		const uint64_t low = histogram_find_lowest(&h, i);
		const uint64_t high = histogram_find_highest(&h, i);

		ASSERT_EQ(next, low);
		ASSERT_EQ(i, histogram_find_slot(&h, low));
		ASSERT_EQ(i, histogram_find_slot(&h, high));
		ASSERT_LE((high - low) * row->tenth, low);
		next = high + 1;
	}
	EXPECT_EQ(h.limit_ns + 1, next);
	histogram_free(&h);
}

/* Made for the referee by the same lines, in Java. */
static uint64_t make_sample(uint64_t *x, unsigned i)
{
	*x = *x * 6364136223846793005ull + 1442695040888963407ull;
	return *x >> (34 + i % 24);
}

static const struct referee_case {
	const char *name;
	unsigned digits;
	uint64_t p50, p90, p99, p999, p9999;
} referee_cases[] = {
	{ "1", 1, 139263, 117440511, 838860799, 1073741823, 1073741823 },
	{ "2", 2, 132095, 115343359, 813694975, 1048575999, 1073741823 },
	{ "3", 3, 131711, 115146751, 812122111, 1048575999, 1071644671 },
};

static uint64_t find_rounded(const struct histogram *h, unsigned ppm)
{
	const uint64_t slot = histogram_find_slot(h, histogram_find_percentile(h, ppm));

	return histogram_find_highest(h, (unsigned)slot);
}

TEST_EACH(histogram, computes_the_figures_of_the_referee, struct referee_case, referee_cases)
{
	struct histogram h;
	uint64_t x = 1;
	unsigned i;

	ASSERT_EQ(0, histogram_init(&h, row->digits, minute_ns));
	for (i = 0; i < N_SAMPLES; i++)
		histogram_record(&h, make_sample(&x, i));
	EXPECT_EQ(row->p50, find_rounded(&h, 500000));
	EXPECT_EQ(row->p90, find_rounded(&h, 900000));
	EXPECT_EQ(row->p99, find_rounded(&h, 990000));
	EXPECT_EQ(row->p999, find_rounded(&h, 999000));
	EXPECT_EQ(row->p9999, find_rounded(&h, 999900));
	histogram_free(&h);
}

static int compare_times(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

TEST_EACH(histogram, finds_the_percentiles_of_a_sorted_array, struct digits_case, digits_cases)
{
	static const unsigned ppm[] = { 0, 1, 499999, 500000, 900000, 990000, 999900, 1000000 };
	enum { N = 7919 }; /* a prime: ranks are rounded */
	static uint64_t sorted[N];
	struct histogram h;
	uint64_t x = 7, sum = 0;
	unsigned i;

	ASSERT_EQ(0, histogram_init(&h, row->digits, minute_ns));
	for (i = 0; i < N; i++) {
		sorted[i] = make_sample(&x, i) + 1;
		sum += sorted[i];
		histogram_record(&h, sorted[i]);
	}
	qsort(sorted, N, sizeof(*sorted), compare_times);
	for (i = 0; i < sizeof(ppm) / sizeof(*ppm); i++) {
		const unsigned rank = (unsigned)ceil((double)N * ppm[i] / 1e6);
		const uint64_t exact = sorted[rank ? rank - 1 : 0];
		const uint64_t found = histogram_find_percentile(&h, ppm[i]);

		EXPECT_LE(exact, found);
		EXPECT_EQ(histogram_find_slot(&h, exact), histogram_find_slot(&h, found));
	}
	EXPECT_EQ(sorted[0], h.min_ns);
	EXPECT_EQ(sorted[N - 1], h.max_ns);
	EXPECT_EQ(sorted[N - 1], histogram_find_percentile(&h, 1000000));
	EXPECT_EQ(N, histogram_count(&h));
	EXPECT_TRUE(histogram_compute_mean(&h) == (double)sum / N);
	histogram_free(&h);
}

TEST(histogram, adds_parts_to_the_whole)
{
	struct histogram whole, sum, part[3], other;
	uint64_t x = 3;
	unsigned i;

	ASSERT_EQ(0, histogram_init(&whole, 2, minute_ns));
	ASSERT_EQ(0, histogram_init(&sum, 2, minute_ns));
	ASSERT_EQ(0, histogram_init(&other, 3, minute_ns));
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, histogram_init(&part[i], 2, minute_ns));
	for (i = 0; i < 1000; i++) {
		const uint64_t ns = make_sample(&x, i) << (i % 10);

		histogram_record(&whole, ns);
		histogram_record(&part[i % 2], ns); /* the third one stays empty */
	}
	for (i = 0; i < 3; i++)
		EXPECT_EQ(0, histogram_add(&sum, &part[i]));
	EXPECT_EQ(-EINVAL, histogram_add(&sum, &other));
	EXPECT_LT(0, whole.n_above);
	EXPECT_EQ(whole.n_above, sum.n_above);
	EXPECT_EQ(whole.sum_ns, sum.sum_ns);
	EXPECT_EQ(whole.min_ns, sum.min_ns);
	EXPECT_EQ(whole.max_ns, sum.max_ns);
	for (i = 0; i < whole.n_slots; i++)
		ASSERT_EQ(histogram_get_count(&whole, i), histogram_get_count(&sum, i));
	histogram_free(&whole);
	histogram_free(&sum);
	histogram_free(&other);
	for (i = 0; i < 3; i++)
		histogram_free(&part[i]);
}

TEST(histogram, counts_times_above_its_limit_in_the_last_slot)
{
	struct histogram h;

	ASSERT_EQ(0, histogram_init(&h, 2, 1000));
	EXPECT_EQ(1023, h.limit_ns);
	histogram_record(&h, 1023);
	EXPECT_EQ(0, h.n_above);
	histogram_record(&h, 1024);
	histogram_record(&h, UINT64_MAX / 4);
	EXPECT_EQ(2, h.n_above);
	EXPECT_EQ(3, histogram_get_count(&h, h.n_slots - 1));
	EXPECT_EQ(1023, h.min_ns);
	EXPECT_EQ(UINT64_MAX / 4, h.max_ns);
	EXPECT_EQ(1023, histogram_find_percentile(&h, 1000000));
	histogram_free(&h);
}

TEST(histogram, keeps_the_mean_when_the_sum_exceeds_64_bits)
{
	struct histogram h;
	unsigned i;
	double mean;

	ASSERT_EQ(0, histogram_init(&h, 3, 1ull << 61));
	for (i = 0; i < 100; i++)
		histogram_record(&h, 1ull << 61);
	mean = histogram_compute_mean(&h);
	EXPECT_TRUE(fabs(mean / 0x1p61 - 1) < 0.001);
	histogram_free(&h);

	/* Each time counts as the middle of its slot then: 5, 300 to 301, and 1020 to 1023. */
	ASSERT_EQ(0, histogram_init(&h, 2, 1000));
	histogram_record_many(&h, 1ull << 61, 3);
	EXPECT_TRUE(histogram_compute_mean(&h) == 0x1p61);
	histogram_record_many(&h, 5, 3);
	histogram_record_many(&h, 300, 2);
	histogram_record(&h, 1ull << 61);
	EXPECT_TRUE(histogram_compute_mean(&h) == (3 * 5 + 2 * 301 + 4 * 1022) / 9.0);
	histogram_free(&h);
}

TEST(histogram, is_zero_when_empty)
{
	struct histogram h;

	ASSERT_EQ(0, histogram_init(&h, 2, minute_ns));
	EXPECT_EQ(0, histogram_count(&h));
	EXPECT_EQ(0, histogram_find_percentile(&h, 500000));
	EXPECT_TRUE(histogram_compute_mean(&h) == 0);
	histogram_free(&h);
	EXPECT_TRUE(!h.blocks);
}

TEST(histogram, refuses_arguments_out_of_range)
{
	struct histogram h;

	EXPECT_EQ(-EINVAL, histogram_init(&h, 0, minute_ns));
	EXPECT_EQ(-EINVAL, histogram_init(&h, 4, minute_ns));
	EXPECT_EQ(-EINVAL, histogram_init(&h, 2, 1));
	EXPECT_EQ(-EINVAL, histogram_init(&h, 2, (1ull << 62) + 1));
	EXPECT_EQ(0, histogram_get_bytes(4, minute_ns));
	EXPECT_TRUE(!h.blocks);
}

TEST(histogram, only_the_powers_of_two_in_use_have_memory)
{
	struct histogram h;
	unsigned n = 0;

	ASSERT_EQ(0, histogram_init(&h, 2, minute_ns));
	for (uint64_t ns = 1024; ns < 2048; ns++)
		histogram_record(&h, ns);
	histogram_record(&h, 1 << 20);
	for (unsigned i = 0; i < h.n_slots >> h.half_log2; i++)
		n += h.blocks[i] != NULL;
	EXPECT_EQ(2, n);
	EXPECT_EQ(1025, histogram_count(&h));
	histogram_free(&h);
}
