/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/units.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/reason.h"

/* A unit that may follow a number; one unit is @steps steps of the parser. */
struct suffix {
	const char *text;
	uint64_t steps;
	int kind;
};

enum { N_TEXT = 8, TEXT_BYTES = 32, MAX_FRACTION = 18, MAX_DECIMALS = 8 };

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

/* A decimal number: @whole, and the digits after its point. */
struct decimal {
	uint64_t whole;
	const char *fraction;
	unsigned n_fraction;
	bool too_large; /* @whole does not fit into 64 bits */
};

/* Reads digits with at most one point. Returns the text after them, or NULL without a digit. */
static const char *parse_decimal(const char *text, struct decimal *d)
{
	const size_t n_whole = strspn(text, "0123456789");

	*d = (struct decimal){ 0 };
	for (size_t i = 0; i < n_whole; i++)
		d->too_large |=
			__builtin_mul_overflow(d->whole, 10, &d->whole) ||
			__builtin_add_overflow(d->whole, (uint64_t)(text[i] - '0'), &d->whole);
	text += n_whole;
	if (*text == '.') {
		d->fraction = text + 1;
		d->n_fraction = (unsigned)strspn(d->fraction, "0123456789");
		text = d->fraction + d->n_fraction;
	}
	return n_whole || d->n_fraction ? text : NULL;
}

/* Converts a fraction to steps, and rounds to the nearest. @is_exact: receives false if it does. */
static uint64_t scale_fraction(const struct decimal *d, uint64_t steps, bool *is_exact)
{
	unsigned __int128 digits = 0, power = 1;

	for (unsigned i = 0; i < d->n_fraction; i++) {
		const unsigned digit = (unsigned)(d->fraction[i] - '0');

		if (i >= MAX_FRACTION) { /* far below a step */
			*is_exact &= !digit;
			continue;
		}
		digits = digits * 10 + digit;
		power *= 10;
	}
	digits *= steps;
	*is_exact &= digits % power == 0;
	return (uint64_t)((digits + power / 2) / power);
}

enum scaled_status {
	SCALED_OK,
	SCALED_NO_NUMBER, /* no number, or an unknown suffix */
	SCALED_AMBIGUOUS, /* the suffix m */
	SCALED_TOO_LARGE, /* more than 64 bits of steps */
	SCALED_TOO_SMALL, /* above 0, but rounded to 0 */
};

/* A number with a suffix: @n steps of the parser. @is_exact: no digit was rounded. */
struct scaled {
	uint64_t n;
	bool is_exact;
	const struct suffix *row;
};

static enum scaled_status parse_scaled(const char *text, const struct suffix *rows,
				       struct scaled *s)
{
	struct decimal d;
	uint64_t fraction;

	text = parse_decimal(text, &d);
	if (!text)
		return SCALED_NO_NUMBER;
	for (; rows->text; rows++) {
		if (!strcasecmp(text, rows->text) && strcmp(text, "m"))
			break;
	}
	if (!rows->text)
		return strcasecmp(text, "m") ? SCALED_NO_NUMBER : SCALED_AMBIGUOUS;
	*s = (struct scaled){ .is_exact = true, .row = rows };
	fraction = scale_fraction(&d, rows->steps, &s->is_exact);
	if (d.too_large || __builtin_mul_overflow(d.whole, rows->steps, &s->n) ||
	    __builtin_add_overflow(s->n, fraction, &s->n))
		return SCALED_TOO_LARGE;
	return s->n || s->is_exact ? SCALED_OK : SCALED_TOO_SMALL;
}

const char *units_parse_count(const char *text, uint64_t max, uint64_t *count)
{
	static const struct suffix rows[] = {
		{ "", 1, 0 }, { "k", K, 0 }, { "M", M, 0 }, { "G", G, 0 }, { NULL, 0, 0 },
	};
	struct scaled s;
	const enum scaled_status status = parse_scaled(text, rows, &s);

	if (status == SCALED_AMBIGUOUS)
		return AMBIGUOUS_M;
	if (status == SCALED_TOO_LARGE || (status == SCALED_OK && s.n > max))
		return reason_format("is too large (valid: 1 to %s)", units_format_count(max));
	if (status != SCALED_OK || !s.is_exact)
		return "must be a whole number, also with k, M or G (valid: 5000, 10k, 2.5M, 1G)";
	if (s.n == 0)
		return "must be 1 or more";
	*count = s.n;
	return NULL;
}

const char *units_parse_duration(const char *text, uint64_t *ns)
{
	static const struct suffix rows[] = {
		{ "", G, 0 },         { "us", K, 0 },       { "ms", M, 0 }, { "s", G, 0 },
		{ "min", 60 * G, 0 }, { "h", 3600 * G, 0 }, { NULL, 0, 0 },
	};
	struct scaled s;
	const enum scaled_status status = parse_scaled(text, rows, &s);

	if (status == SCALED_AMBIGUOUS)
		return AMBIGUOUS_M;
	if (status == SCALED_TOO_LARGE || (status == SCALED_OK && s.n > UNITS_MAX_HOURS * 3600 * G))
		return reason_format("is too large (valid: at most %dh, a year)", UNITS_MAX_HOURS);
	if (status == SCALED_NO_NUMBER)
		return "must be a time in s, or with a unit (valid: 10, 500us, 250ms, 10s, 2min, "
		       "1.5h)";
	if (status == SCALED_TOO_SMALL)
		return "is too short (valid: at least 0.001us)";
	if (s.n == 0)
		return "must be longer than 0";
	*ns = s.n;
	return NULL;
}

/* The largest rate of each unit, in millionths, and as text. */
static const struct {
	uint64_t micro;
	const char *text;
} max_rates[] = {
	[RATE_PACKETS] = { 10 * G * M, "10Gpps" },
	[RATE_BITS] = { 10 * K * G * M, "10000Gbps" },
	[RATE_LINE] = { 100 * M, "100%" },
	[RATE_LINE_BITS] = { 10 * K * G * M, "10000Gbps-line" },
};

const char *units_parse_rate(const char *text, struct rate *rate)
{
	static const struct suffix rows[] = {
		{ "", M, RATE_PACKETS },
		{ "k", K * M, RATE_PACKETS },
		{ "M", M * M, RATE_PACKETS },
		{ "G", G * M, RATE_PACKETS },
		{ "pps", M, RATE_PACKETS },
		{ "kpps", K * M, RATE_PACKETS },
		{ "Mpps", M * M, RATE_PACKETS },
		{ "Gpps", G * M, RATE_PACKETS },
		{ "bps", M, RATE_BITS },
		{ "kbps", K * M, RATE_BITS },
		{ "Mbps", M * M, RATE_BITS },
		{ "Gbps", G * M, RATE_BITS },
		{ "%", M, RATE_LINE },
		{ "bps-line", M, RATE_LINE_BITS },
		{ "kbps-line", K * M, RATE_LINE_BITS },
		{ "Mbps-line", M * M, RATE_LINE_BITS },
		{ "Gbps-line", G * M, RATE_LINE_BITS },
		{ NULL, 0, 0 },
	};
	enum scaled_status status;
	struct scaled s;

	if (!strcasecmp(text, "max")) {
		*rate = (struct rate){ RATE_MAX, 0 };
		return NULL;
	}
	status = parse_scaled(text, rows, &s);
	if (status == SCALED_AMBIGUOUS)
		return AMBIGUOUS_M;
	if (status == SCALED_NO_NUMBER)
		return "must be max, or a number of pps, kpps, Mpps, bps, kbps, Mbps, Gbps or % "
		       "(valid: 1000, 2.5Mpps, 10Gbps, 10Gbps-line, 40%)";
	*rate = (struct rate){ (enum rate_unit)s.row->kind, s.n };
	if (status == SCALED_TOO_LARGE || s.n > max_rates[rate->unit].micro)
		return reason_format("is too large (valid: at most %s)",
				     max_rates[rate->unit].text);
	if (status == SCALED_TOO_SMALL)
		return "is too small (valid: at least 0.000001 pps, bps or %)";
	return s.n ? NULL : "must be above 0 (max: as fast as the port accepts frames)";
}

struct rate rate_get_part(const struct rate *rate, unsigned part, unsigned n_parts)
{
	const unsigned __int128 micro = rate->micro;

	return (struct rate){ rate->unit, (uint64_t)(micro * (part + 1) / n_parts) -
						  (uint64_t)(micro * part / n_parts) };
}

const char *units_parse_range(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
	struct decimal d;
	const char *end = parse_decimal(text, &d);

	if (!end || *end || strchr(text, '.'))
		return reason_format("must be a whole number (valid: %s to %s)",
				     units_format_count(min), units_format_count(max));
	if (d.too_large || d.whole < min || d.whole > max)
		return reason_format("is %s (valid: %s to %s)",
				     !d.too_large && d.whole < min ? "too small" : "too large",
				     units_format_count(min), units_format_count(max));
	*value = d.whole;
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

const char *units_get_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

const char *units_format_si(double value)
{
	static const char prefix[] = " kMGT";
	char *text = get_next_text();
	unsigned p = 0, decimals;

	while (value >= 999.5 && prefix[p + 1]) {
		value /= 1000;
		p++;
	}
	decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
	if (!p && value == (uint64_t)value)
		decimals = 0;
	for (double rest = value; rest > 0 && rest < 0.0995 && decimals < MAX_DECIMALS; rest *= 10)
		decimals++;
	snprintf(text, TEXT_BYTES, "%.*f %.*s", (int)decimals, value, p ? 1 : 0, prefix + p);
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
