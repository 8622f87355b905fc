/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLI_UNITS_H
#define CLI_UNITS_H

#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Numbers as people write them
 *
 * Every parser takes the text of one command-line argument. It returns NULL when it understood
 * the argument, or else the reason of the refusal, which names the valid arguments: the end of
 * a message such as "--count 0: must be 1 or more". The reason is valid until the next call in
 * the same thread. No parser rounds or cuts a number: a number that does not fit is refused.
 */

/** enum rate_unit - the unit of a rate */
enum rate_unit {
	RATE_MAX,     /* no limit: as fast as the port takes frames */
	RATE_PACKETS, /* packets per second */
	RATE_BITS,    /* bits of frames per second, from the destination MAC to the FCS */
	RATE_LINE,    /* percent of the link; each frame also counts 20 bytes of preamble and gap */
	RATE_LINE_BITS, /* bits of the line per second; each frame also counts these 20 bytes */
};

/** struct rate - @milli thousandths of @unit: "1.5kpps" is 1,500,000 of RATE_PACKETS */
struct rate {
	enum rate_unit unit;
	uint64_t milli;
};

enum { UNITS_MAX_HOURS = 24 * 366 };

/** units_parse_count - parse "5", "10k", "2.5M" or "1G": 1 to @max */
const char *units_parse_count(const char *text, uint64_t max, uint64_t *count);

/** units_parse_duration - parse "10" (seconds), "500us", "250ms", "10s", "2min" or "1.5h" */
const char *units_parse_duration(const char *text, uint64_t *ns);

/** units_parse_rate - parse "max", "2Mpps", "9.5Gbps", "9.5Gbps-line", "40%" or "1k" (packets) */
const char *units_parse_rate(const char *text, struct rate *rate);

/** rate_get_part - get part @part of @n_parts equal ones; the sum of all is the rate, exactly */
struct rate rate_get_part(const struct rate *rate, unsigned part, unsigned n_parts);

/** units_parse_range - parse a whole number from @min to @max, without a suffix */
const char *units_parse_range(const char *text, uint64_t min, uint64_t max, uint64_t *value);

/** units_parse_mac - parse six bytes, as "02:00:00:00:00:01" */
const char *units_parse_mac(const char *text, uint8_t mac[6]);

/** units_parse_ipv4 - parse "192.0.2.1" into host byte order */
const char *units_parse_ipv4(const char *text, uint32_t *addr);

/**
 * units_format_count - format a number in groups of three digits: 10,000,000
 *
 * Return: one of eight static buffers of this thread; the ninth call uses the first one again
 */
const char *units_format_count(uint64_t n);

/**
 * units_format_si - format a number with three digits and an SI prefix: "5.12 M", "99.4 k", "7 "
 *
 * Return: a buffer, as units_format_count()
 */
const char *units_format_si(double value);

/**
 * units_format_time - format nanoseconds in the unit that fits: "850 ns", "12.3 us", "1.25 ms"
 *
 * Return: a buffer, as units_format_count()
 */
const char *units_format_time(double ns);

#endif
