/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/units.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/reason.h"

/* A unit that may follow a number; one unit is @milli thousandths of the parser's base unit. */
struct suffix {
	const char *text;
	uint64_t milli;
	int kind;
};

enum { N_TEXT = 8, TEXT_BYTES = 32 };

/* No parser accepts "m": it could mean million or minute. */
#define AMBIGUOUS_M                                                                                \
	"the suffix m is ambiguous (valid: M = million in a count or a rate, min = minutes in a "  \
	"duration)"

#define K 1000ull
#define M (K * K)
#define G (K * M)

static char *get_next_text(void)
{
	static _Thread_local char texts[N_TEXT][TEXT_BYTES];
	static _Thread_local unsigned turn;

	return texts[turn++ % N_TEXT];
}

/* A decimal number: @number * 10^-@decimals. */
struct decimal {
	uint64_t number;
	unsigned decimals;
	bool too_large; /* the digits do not fit into 64 bits */
};

/* Reads digits with at most one point. Returns the text after them, or NULL without a digit. */
static const char *parse_decimal(const char *text, struct decimal *d)
{
	bool point = false, digit = false;

	*d = (struct decimal){ 0 };
	for (; (*text >= '0' && *text <= '9') || (*text == '.' && !point); text++) {
		if (*text == '.') {
			point = true;
			continue;
		}
		digit = true;
		d->too_large |=
			__builtin_mul_overflow(d->number, 10, &d->number) ||
			__builtin_add_overflow(d->number, (uint64_t)(*text - '0'), &d->number);
		d->decimals += point;
	}
	return digit ? text : NULL;
}

enum scaled_status {
	SCALED_OK,
	SCALED_NO_NUMBER, /* no number, an unknown suffix, or finer than a thousandth */
	SCALED_AMBIGUOUS, /* the suffix m */
	SCALED_TOO_LARGE, /* more than 64 bits of thousandths */
};

/* Reads a number with a suffix. @milli: receives thousandths; @row: receives the suffix's row */
static enum scaled_status parse_scaled(const char *text, const struct suffix *rows,
				       const struct suffix **row, uint64_t *milli)
{
	struct decimal d;

	text = parse_decimal(text, &d);
	if (!text)
		return SCALED_NO_NUMBER;
	for (; rows->text; rows++) {
		if (!strcasecmp(text, rows->text) && strcmp(text, "m"))
			break;
	}
	if (!rows->text)
		return strcasecmp(text, "m") ? SCALED_NO_NUMBER : SCALED_AMBIGUOUS;
	*row = rows;
	if (d.too_large || __builtin_mul_overflow(d.number, rows->milli, &d.number))
		return SCALED_TOO_LARGE;
	for (; d.decimals; d.decimals--) {
		if (d.number % 10)
			return SCALED_NO_NUMBER;
		d.number /= 10;
	}
	*milli = d.number;
	return SCALED_OK;
}

const char *units_parse_count(const char *text, uint64_t max, uint64_t *count)
{
	static const struct suffix rows[] = {
		{ "", K, 0 },      { "k", K * K, 0 }, { "M", M * K, 0 },
		{ "G", G * K, 0 }, { NULL, 0, 0 },
	};
	const struct suffix *row;
	uint64_t milli = 0;
	const enum scaled_status status = parse_scaled(text, rows, &row, &milli);

	if (status == SCALED_AMBIGUOUS)
		return AMBIGUOUS_M;
	if (status == SCALED_TOO_LARGE || (status == SCALED_OK && milli / 1000 > max))
		return reason_format("is too large (valid: 1 to %s)", units_format_count(max));
	if (status != SCALED_OK || milli % 1000)
		return "must be a whole number, also with k, M or G (valid: 5000, 10k, 2.5M, 1G)";
	if (milli == 0)
		return "must be 1 or more";
	*count = milli / 1000;
	return NULL;
}

const char *units_parse_duration(const char *text, uint64_t *ns)
{
	/* The base unit is 1 ms, so @milli is in us; thousandths of 1 ns would overflow. */
	static const struct suffix rows[] = {
		{ "", M, 0 },         { "us", 1, 0 },       { "ms", K, 0 }, { "s", M, 0 },
		{ "min", 60 * M, 0 }, { "h", 3600 * M, 0 }, { NULL, 0, 0 },
	};
	const struct suffix *row;
	uint64_t us = 0;
	const enum scaled_status status = parse_scaled(text, rows, &row, &us);

	if (status == SCALED_AMBIGUOUS)
		return AMBIGUOUS_M;
	if (status == SCALED_TOO_LARGE || (status == SCALED_OK && us > UNITS_MAX_HOURS * 3600 * M))
		return reason_format("is too large (valid: at most %dh, a year)", UNITS_MAX_HOURS);
	if (status != SCALED_OK)
		return "must be a time in s, or with a unit (valid: 10, 500us, 250ms, 10s, 2min, "
		       "1.5h)";
	if (us == 0)
		return "must be longer than 0";
	*ns = us * 1000;
	return NULL;
}

/* The largest rate of each unit, in thousandths, and as text. */
static const struct {
	uint64_t milli;
	const char *text;
} max_rates[] = {
	[RATE_PACKETS] = { 10 * G * K, "10Gpps" },
	[RATE_BITS] = { 10 * K * G * K, "10000Gbps" },
	[RATE_LINE] = { 100 * K, "100%" },
	[RATE_LINE_BITS] = { 10 * K * G * K, "10000Gbps-line" },
};

const char *units_parse_rate(const char *text, struct rate *rate)
{
	static const struct suffix rows[] = {
		{ "", K, RATE_PACKETS },
		{ "k", K * K, RATE_PACKETS },
		{ "M", M * K, RATE_PACKETS },
		{ "G", G * K, RATE_PACKETS },
		{ "pps", K, RATE_PACKETS },
		{ "kpps", K * K, RATE_PACKETS },
		{ "Mpps", M * K, RATE_PACKETS },
		{ "Gpps", G * K, RATE_PACKETS },
		{ "bps", K, RATE_BITS },
		{ "kbps", K * K, RATE_BITS },
		{ "Mbps", M * K, RATE_BITS },
		{ "Gbps", G * K, RATE_BITS },
		{ "%", K, RATE_LINE },
		{ "bps-line", K, RATE_LINE_BITS },
		{ "kbps-line", K * K, RATE_LINE_BITS },
		{ "Mbps-line", M * K, RATE_LINE_BITS },
		{ "Gbps-line", G * K, RATE_LINE_BITS },
		{ NULL, 0, 0 },
	};
	const struct suffix *row;
	enum scaled_status status;

	if (!strcasecmp(text, "max")) {
		*rate = (struct rate){ RATE_MAX, 0 };
		return NULL;
	}
	status = parse_scaled(text, rows, &row, &rate->milli);
	if (status == SCALED_AMBIGUOUS)
		return AMBIGUOUS_M;
	if (status == SCALED_NO_NUMBER)
		return "must be max, or a number of pps, kpps, Mpps, bps, kbps, Mbps, Gbps or % "
		       "(valid: 1000, 2.5Mpps, 10Gbps, 10Gbps-line, 40%)";
	rate->unit = (enum rate_unit)row->kind;
	if (status == SCALED_TOO_LARGE || rate->milli > max_rates[rate->unit].milli)
		return reason_format("is too large (valid: at most %s)",
				     max_rates[rate->unit].text);
	return rate->milli ? NULL : "must be above 0 (max: as fast as the port accepts frames)";
}

struct rate rate_get_part(const struct rate *rate, unsigned part, unsigned n_parts)
{
	const uint64_t from = rate->milli * part / n_parts;

	return (struct rate){ rate->unit, rate->milli * (part + 1) / n_parts - from };
}

const char *units_parse_range(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
	struct decimal d;
	const char *end = parse_decimal(text, &d);

	if (!end || *end || strchr(text, '.'))
		return reason_format("must be a whole number (valid: %s to %s)",
				     units_format_count(min), units_format_count(max));
	if (d.too_large || d.number < min || d.number > max)
		return reason_format("is %s (valid: %s to %s)",
				     !d.too_large && d.number < min ? "too small" : "too large",
				     units_format_count(min), units_format_count(max));
	*value = d.number;
	return NULL;
}

const char *units_parse_mac(const char *text, uint8_t mac[6])
{
	uint8_t got[6];
	int end = -1;

	/* Otherwise sscanf() would accept "+1" and " 1" as a byte. */
	if (strspn(text, "0123456789abcdefABCDEF:") == strlen(text))
		sscanf(text, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%n", &got[0], &got[1], &got[2],
		       &got[3], &got[4], &got[5], &end);
	if (end < 0 || text[end])
		return "must be a MAC address (valid: 02:00:00:00:00:01)";
	memcpy(mac, got, sizeof(got));
	return NULL;
}

const char *units_parse_ipv4(const char *text, uint32_t *addr)
{
	struct in_addr in;

	if (inet_pton(AF_INET, text, &in) != 1)
		return "must be an IPv4 address (valid: 198.18.0.1)";
	*addr = ntohl(in.s_addr);
	return NULL;
}

const char *units_format_count(uint64_t n)
{
	char *text = get_next_text() + TEXT_BYTES - 1;

	*text = 0;
	for (unsigned digits = 0; n || !digits; n /= 10, digits++) {
		if (digits && digits % 3 == 0)
			*--text = ',';
		*--text = (char)('0' + n % 10);
	}
	return text;
}

const char *units_format_si(double value)
{
	static const char prefix[] = " kMGT";
	char *text = get_next_text();
	unsigned p = 0;

	while (value >= 999.5 && prefix[p + 1]) {
		value /= 1000;
		p++;
	}
	snprintf(text, TEXT_BYTES, p || value != (uint64_t)value ? "%.*f %.*s" : "%.*f %.*s",
		 !p && value == (uint64_t)value ? 0
		 : value < 9.995                ? 2
		 : value < 99.95                ? 1
						: 0,
		 value, p ? 1 : 0, prefix + p);
	return text;
}

const char *units_format_time(double ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	char *text = get_next_text();
	unsigned u = 0;

	while (ns >= 999.5 && u + 1 < sizeof(units) / sizeof(units[0])) {
		ns /= 1000;
		u++;
	}
	snprintf(text, TEXT_BYTES, "%.*f %s",
		 !u || ns >= 99.95 ? 0
		 : ns < 9.995      ? 2
				   : 1,
		 ns, units[u]);
	return text;
}
