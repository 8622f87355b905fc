/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLI_UNITS_H
#define CLI_UNITS_H

#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Numbers as people write them
 *
 * Every parser reads the text of one command-line argument. It returns NULL on success. Otherwise
 * it returns the end of an error message that says what is valid: "must be 1 or more" for
 * "--count 0: must be 1 or more". The text is valid until the thread's next call. A number
 * may have any number of decimals. Rates are rounded to a millionth of their unit, durations to
 * 1 ns; a count must be whole. A parser refuses a number that does not fit, or that rounds to 0.
 */

/** enum rate_unit - the unit of a rate */
enum rate_unit {
	RATE_MAX,     /* no limit: as fast as the port accepts frames */
	RATE_PACKETS, /* packets per second */
	RATE_BITS,    /* bits of frames per second, from the destination MAC to the FCS */
	RATE_LINE, /* percent of the link speed, including 20 bytes of preamble and gap per frame */
	RATE_LINE_BITS, /* bits of the line per second, including the same 20 bytes per frame */
};

/** struct rate - @micro millionths of @unit: "1.5kpps" is 1,500,000,000 of RATE_PACKETS */
struct rate {
	enum rate_unit unit;
	uint64_t micro;
};

/* Millionths of struct rate in one unit. */
enum { RATE_MICRO = 1000000 };

enum { UNITS_MAX_HOURS = 24 * 366 };

/** units_parse_count - parse "5", "10k", "2.5M" or "1G": 1 to @max */
const char *units_parse_count(const char *text, uint64_t max, uint64_t *count);

/** units_parse_duration - parse "10" (seconds), "500us", "250ms", "10s", "2min" or "1.5h" */
const char *units_parse_duration(const char *text, uint64_t *ns);

/** units_parse_rate - parse "max", "2Mpps", "9.5Gbps", "9.5Gbps-line", "40%" or "1k" (packets) */
const char *units_parse_rate(const char *text, struct rate *rate);

/** rate_get_part - return part @part of @n_parts equal parts, whose exact sum is the rate */
struct rate rate_get_part(const struct rate *rate, unsigned part, unsigned n_parts);

/** units_parse_range - parse a whole number from @min to @max, without a suffix */
const char *units_parse_range(const char *text, uint64_t min, uint64_t max, uint64_t *value);

/** units_parse_mac - parse six bytes, such as "02:00:00:00:00:01" */
const char *units_parse_mac(const char *text, uint8_t mac[6]);

/** units_parse_ipv4 - parse "192.0.2.1" into host byte order */
const char *units_parse_ipv4(const char *text, uint32_t *addr);

/**
 * units_format_count - format a number in groups of three digits: 10,000,000
 *
 * Return: one of eight static buffers of this thread; the eighth later call overwrites the text
 */
const char *units_format_count(uint64_t n);

/** units_get_plural - get the end of a noun behind a number: "" for 1, else "s" */
const char *units_get_plural(uint64_t n);

/**
 * units_format_si - format a number with an SI prefix: "5.12 M", "99.4 k", "7 ", "0.0017 "
 *
 * Return: a buffer, as units_format_count()
 */
const char *units_format_si(double value);

/**
 * units_format_time - format nanoseconds in a suitable unit: "850 ns", "12.3 us", "1.25 ms"
 *
 * Return: a buffer, as units_format_count()
 */
const char *units_format_time(double ns);

#endif
