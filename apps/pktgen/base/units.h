/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_UNITS_H
#define PKTGEN_UNITS_H

#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Numbers as people write them
 *
 * Every parser takes the text of one command-line argument and gives NULL when it was
 * understood, or half a sentence that says what is allowed. Nothing is rounded or cut in
 * silence: what does not fit is refused.
 */

/** enum rate_unit - what a rate counts */
enum rate_unit {
	RATE_MAX,     /* as fast as it goes */
	RATE_PACKETS, /* packets a second */
	RATE_BITS,    /* bits of frames a second: from destination MAC to FCS */
	RATE_LINE,    /* percent of the link, preamble and gap (20 bytes a frame) included */
};

/** struct rate - @milli thousandths of @unit: "1.5kpps" is 1,500,000 of RATE_PACKETS */
struct rate {
	enum rate_unit unit;
	uint64_t milli;
};

enum {
	UNITS_MAX_PPS = 10 * 1000 * 1000, /* in thousands */
	UNITS_MAX_HOURS = 24 * 366,
};

/** units_parse_count - "5", "10k", "2.5M", "1G"; 1 to @max */
const char *units_parse_count(const char *text, uint64_t max, uint64_t *count);

/** units_parse_duration - "10" (seconds), "500us", "250ms", "2m", "1.5h", into nanoseconds */
const char *units_parse_duration(const char *text, uint64_t *ns);

/** units_parse_rate - "max", "2Mpps", "9.5Gbps", "40%", "1000" (packets a second) */
const char *units_parse_rate(const char *text, struct rate *rate);

/** units_parse_range - a whole number from @min to @max. The reason does not name the range */
const char *units_parse_range(const char *text, uint64_t min, uint64_t max, uint64_t *value);

/** units_parse_mac - "02:00:00:00:00:01"; a unicast address if @unicast */
const char *units_parse_mac(const char *text, uint8_t mac[6]);

/** units_parse_ipv4 - "192.0.2.1", into host byte order */
const char *units_parse_ipv4(const char *text, uint32_t *addr);

/**
 * units_format_count - a number in groups of three: 10,000,000
 *
 * Return: one of eight static buffers of this thread, in turn
 */
const char *units_format_count(uint64_t n);

/** units_format_si - "5.12 M", "99.4 k", "7": 3 digits, SI prefix. Return: as above */
const char *units_format_si(double value);

#endif
