/* SPDX-License-Identifier: BSD-3-Clause */
#include "ct.h"

#include <string.h>

#include "cli/units.h"

static const struct rate_row {
	const char *name;
	enum rate_unit unit;
	uint64_t micro;
} good_rates[] = {
	{ "max", RATE_MAX, 0 },
	{ "2k", RATE_PACKETS, 2000000000 },
	{ "2M", RATE_PACKETS, 2000000000000 },
	{ "2G", RATE_PACKETS, 2000000000000000 },
	{ "1", RATE_PACKETS, 1000000 },
	{ "1pps", RATE_PACKETS, 1000000 },
	{ "0.5pps", RATE_PACKETS, 500000 },
	{ "0.001pps", RATE_PACKETS, 1000 },
	{ "1.5kpps", RATE_PACKETS, 1500000000 },
	{ "2.5Mpps", RATE_PACKETS, 2500000000000 },
	{ "2.5mpps", RATE_PACKETS, 2500000000000 },
	{ "10Gpps", RATE_PACKETS, 10000000000000000 },
	{ "9.5Gbps", RATE_BITS, 9500000000000000 },
	{ "100Mbps", RATE_BITS, 100000000000000 },
	{ "40%", RATE_LINE, 40000000 },
	{ "0.1%", RATE_LINE, 100000 },
	{ "100%", RATE_LINE, 100000000 },
	{ "1.6667pps", RATE_PACKETS, 1666700 },
	{ "0.000001pps", RATE_PACKETS, 1 },
	{ "0.0001%", RATE_LINE, 100 },
	{ "0.0000005%", RATE_LINE, 1 }, /* rounded, as the next two */
	{ "1.66666666666666666666666666667pps", RATE_PACKETS, 1666667 },
	{ "1.00000049999999999999999999999kbps", RATE_BITS, 1000000500 },
	{ "10000.00Gbps", RATE_BITS, 10000000000000000000u },
	{ ".5pps", RATE_PACKETS, 500000 },
	{ "5.pps", RATE_PACKETS, 5000000 },
};

TEST_EACH(units_parse_rate, takes, struct rate_row, good_rates)
{
	struct rate rate;

	ASSERT_EQ(NULL, units_parse_rate(row->name, &rate));
	EXPECT_EQ(row->unit, rate.unit);
	EXPECT_EQ(row->micro, rate.micro);
}

static const struct text {
	const char *name, *text;
} bad_rates[] = {
	{ "zero", "0" },
	{ "zero_pps", "0pps" },
	{ "zero_point_zero", "0.000Mpps" },
	{ "other_unit", "5parsecs" },
	{ "nothing", "" },
	{ "no_number", "pps" },
	{ "negative", "-1" },
	{ "plus", "+1" },
	{ "blank", "1 Mpps" },
	{ "exponent", "1e6" },
	{ "two_points", "1.2.3Mpps" },
	{ "point_alone", "." },
	{ "rounds_to_zero", "0.00000049pps" },
	{ "above_limit", "10.1Gpps" },
	{ "overflows_64_bits", "99999999999999999999pps" },
	{ "overflows_by_its_unit", "18446744073709551615Gbps" },
	{ "above_line", "101%" },
	{ "hex", "0x10" },
	{ "ambiguous_m", "10m" },
};

TEST_EACH(units_parse_rate, refuses, struct text, bad_rates)
{
	struct rate rate = { RATE_MAX, 77 };

	EXPECT_NE(NULL, units_parse_rate(row->text, &rate));
}

static const struct number {
	const char *name;
	uint64_t value;
} good_counts[] = {
	{ "1", 1 },
	{ "10M", 10000000 },
	{ "2.5k", 2500 },
	{ "1G", 1000000000 },
	{ "1.0", 1 },
	{ "1.00000000000000000000000000000k", 1000 },
	{ "0.001k", 1 },
	{ "1.000000001G", 1000000001 },
}, good_durations[] = {
	{ "10", 10000000000 },
	{ "10s", 10000000000 },
	{ "250ms", 250000000 },
	{ "0.5s", 500000000 },
	{ "500us", 500000 },
	{ "2min", 120000000000 },
	{ "1.5h", 5400000000000 },
	{ "0.5us", 500 },
	{ "1.23456789s", 1234567890 },
	{ "0.3333333333333333333333ms", 333333 },
	{ "0.0005us", 1 },
};

TEST_EACH(units_parse_count, takes, struct number, good_counts)
{
	uint64_t n = 0;

	ASSERT_EQ(NULL, units_parse_count(row->name, UINT64_MAX, &n));
	EXPECT_EQ(row->value, n);
}

TEST_EACH(units_parse_duration, takes, struct number, good_durations)
{
	uint64_t ns = 0;

	ASSERT_EQ(NULL, units_parse_duration(row->name, &ns));
	EXPECT_EQ(row->value, ns);
}

static const struct text bad_counts[] = {
	{ "zero", "0" }, { "negative", "-5" }, { "half", "0.5" }, { "odd_part", "1.0001k" },
	{ "odd_far_part", "1.0000000000000000000000001" },
	{ "unit", "5x" }, { "nothing", "" }, { "overflow", "20000000000G" },
	{ "ambiguous_m", "10m" },
}, bad_durations[] = {
	{ "zero", "0" }, { "zero_ms", "0ms" }, { "negative", "-1s" }, { "unit", "5parsecs" },
	{ "rounds_to_zero", "0.0004us" }, { "two_years", "17600h" },
	{ "overflow", "99999999999999999h" },
	{ "ambiguous_m", "10m" }, { "ambiguous_M", "10M" },
};

TEST_EACH(units_parse_count, refuses, struct text, bad_counts)
{
	uint64_t n;

	EXPECT_NE(NULL, units_parse_count(row->text, UINT64_MAX, &n));
}

TEST(units_parse_count, refuses_what_is_above_the_limit)
{
	uint64_t n = 0;

	EXPECT_EQ(NULL, units_parse_count("100", 100, &n));
	EXPECT_NE(NULL, units_parse_count("101", 100, &n));
}

TEST_EACH(units_parse_duration, refuses, struct text, bad_durations)
{
	uint64_t ns;

	EXPECT_NE(NULL, units_parse_duration(row->text, &ns));
}

static const char digits_20[] = "100000000000000000000"; /* 10^20: more than 64 bits */

/* "too large" tells a user that the parser understood the number; the limit is part of the line. */
TEST(units, refuse_a_number_of_more_than_64_bits_as_too_large_and_name_the_limit)
{
	struct rate rate;
	uint64_t n;

	EXPECT_SUBSTR("too large (valid: 1 to 1,000)", units_parse_count(digits_20, 1000, &n));
	EXPECT_SUBSTR("too large (valid: 64 to 100)", units_parse_range(digits_20, 64, 100, &n));
	EXPECT_SUBSTR("too large (valid: at most 8784h", units_parse_duration(digits_20, &n));
	EXPECT_SUBSTR("too large (valid: at most 10Gpps)", units_parse_rate(digits_20, &rate));
}

TEST(units, refuse_a_number_that_rounds_to_0_and_name_the_least)
{
	struct rate rate;
	uint64_t n;

	EXPECT_SUBSTR("too small (valid: at least 0.000001 pps",
		      units_parse_rate("0.0000001%", &rate));
	EXPECT_SUBSTR("too short (valid: at least 0.001us)", units_parse_duration("0.0001us", &n));
}

TEST(units, the_refusal_of_10m_names_both_spellings)
{
	struct rate rate;
	uint64_t n;
	const char *const why[] = { units_parse_count("10m", 1000000000, &n),
				    units_parse_duration("10m", &n),
				    units_parse_rate("10m", &rate) };

	for (unsigned i = 0; i < 3; i++) {
		EXPECT_SUBSTR("M = million", why[i]);
		EXPECT_SUBSTR("min = minutes", why[i]);
	}
}

TEST(units_parse_range, takes_its_bounds_and_no_number_beyond)
{
	uint64_t v = 0;

	EXPECT_EQ(NULL, units_parse_range("64", 64, 100, &v));
	EXPECT_EQ(64, v);
	EXPECT_EQ(NULL, units_parse_range("100", 64, 100, &v));
	EXPECT_EQ(100, v);
	EXPECT_NE(NULL, units_parse_range("63", 64, 100, &v));
	EXPECT_NE(NULL, units_parse_range("101", 64, 100, &v));
	EXPECT_NE(NULL, units_parse_range("64.0", 64, 100, &v));
	EXPECT_NE(NULL, units_parse_range("6k", 64, 100000, &v));
	EXPECT_NE(NULL, units_parse_range("-64", 0, 100, &v));
}

TEST(units_parse_mac, takes_six_bytes)
{
	static const uint8_t want[6] = { 2, 0, 0xff, 0, 0xab, 1 };
	uint8_t mac[6] = { 0 };

	ASSERT_EQ(NULL, units_parse_mac("02:00:ff:00:AB:01", mac));
	EXPECT_MEMEQ(want, mac, sizeof(mac));
}

static const struct text bad_macs[] = {
	{ "five", "02:00:00:00:00" },
	{ "seven", "02:00:00:00:00:01:02" },
	{ "sign", "02:00:00:00:00:+1" },
	{ "words", "mac" },
	{ "three_digits", "002:00:00:00:00:01" },
	{ "nothing", "" },
};

TEST_EACH(units_parse_mac, refuses, struct text, bad_macs)
{
	uint8_t mac[6];

	EXPECT_NE(NULL, units_parse_mac(row->text, mac));
}

TEST(units_parse_ipv4, takes_dotted_numbers_only)
{
	uint32_t ip = 0;

	EXPECT_EQ(NULL, units_parse_ipv4("198.18.0.1", &ip));
	EXPECT_EQ(0xc6120001, ip);
	EXPECT_NE(NULL, units_parse_ipv4("198.18.1", &ip));
	EXPECT_NE(NULL, units_parse_ipv4("256.0.0.1", &ip));
	EXPECT_NE(NULL, units_parse_ipv4("::1", &ip));
}

TEST(units_get_plural, is_empty_for_one_alone)
{
	EXPECT_STREQ("", units_get_plural(1));
	EXPECT_STREQ("s", units_get_plural(0));
	EXPECT_STREQ("s", units_get_plural(2));
	EXPECT_STREQ("s", units_get_plural(UINT64_MAX));
}

TEST(units_format_count, puts_a_comma_at_every_third_digit)
{
	EXPECT_STREQ("0", units_format_count(0));
	EXPECT_STREQ("999", units_format_count(999));
	EXPECT_STREQ("1,000", units_format_count(1000));
	EXPECT_STREQ("10,000,000", units_format_count(10000000));
	EXPECT_STREQ("18,446,744,073,709,551,615", units_format_count(UINT64_MAX));
}

TEST(units_format_time, has_the_unit_that_fits)
{
	EXPECT_STREQ("0 ns", units_format_time(0));
	EXPECT_STREQ("999 ns", units_format_time(999.4));
	EXPECT_STREQ("1.00 us", units_format_time(999.5));
	EXPECT_STREQ("9.99 us", units_format_time(9994));
	EXPECT_STREQ("10.0 us", units_format_time(9995));
	EXPECT_STREQ("100 us", units_format_time(99950));
	EXPECT_STREQ("1.25 ms", units_format_time(1250000));
	EXPECT_STREQ("4.29 s", units_format_time(4294967295.));
	EXPECT_STREQ("1000 s", units_format_time(1e12));
}

TEST(units_format_si, has_three_digits_or_two_of_a_small_number)
{
	EXPECT_STREQ("0 ", units_format_si(0));
	EXPECT_STREQ("7 ", units_format_si(7));
	EXPECT_STREQ("1.50 ", units_format_si(1.5));
	EXPECT_STREQ("0.10 ", units_format_si(0.0996));
	EXPECT_STREQ("0.0017 ", units_format_si(0.001667));
	EXPECT_STREQ("0.0000010 ", units_format_si(0.000001));
	EXPECT_STREQ("1.00 k", units_format_si(999.9));
	EXPECT_STREQ("99.4 k", units_format_si(99400));
	EXPECT_STREQ("5.12 M", units_format_si(5120000));
	EXPECT_STREQ("100 G", units_format_si(1e11));
}
