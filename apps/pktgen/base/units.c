/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/units.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* What may stand behind a number, and how many thousandths one of it is. */
struct suffix {
	const char *text;
	uint64_t milli;
	int kind;
};

enum { N_TEXT = 8, TEXT_BYTES = 32 };

static char *get_next_text(void)
{
	static _Thread_local char texts[N_TEXT][TEXT_BYTES];
	static _Thread_local unsigned turn;

	return texts[turn++ % N_TEXT];
}

/*
 * A decimal number, exactly: *number * 10^-*decimals. No sign, no exponent, no blanks.
 * Returns what follows it, or NULL: no number, or it does not fit.
 */
static const char *parse_decimal(const char *text, uint64_t *number, unsigned *decimals)
{
	bool point = false, digit = false;

	*number = 0;
	*decimals = 0;
	for (; (*text >= '0' && *text <= '9') || (*text == '.' && !point); text++) {
		if (*text == '.') {
			point = true;
			continue;
		}
		digit = true;
		if (__builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, (uint64_t)(*text - '0'), number))
			return NULL;
		*decimals += point;
	}
	return digit ? text : NULL;
}

/* number and suffix into thousandths. Returns the suffix's row, or NULL. */
static const struct suffix *parse_scaled(const char *text, const struct suffix *rows,
					 uint64_t *milli)
{
	unsigned decimals;
	uint64_t number;

	text = parse_decimal(text, &number, &decimals);
	if (!text)
		return NULL;
	for (; rows->text; rows++) {
		if (!strcasecmp(text, rows->text))
			break;
	}
	if (!rows->text || __builtin_mul_overflow(number, rows->milli, &number))
		return NULL;
	for (; decimals; decimals--) {
		if (number % 10)
			return NULL; /* finer than a thousandth */
		number /= 10;
	}
	*milli = number;
	return rows;
}

const char *units_parse_count(const char *text, uint64_t max, uint64_t *count)
{
	static const struct suffix rows[] = {
		{ "", 1000, 0 },
		{ "k", 1000ull * 1000, 0 },
		{ "M", 1000ull * 1000 * 1000, 0 },
		{ "G", 1000ull * 1000 * 1000 * 1000, 0 },
		{ NULL, 0, 0 },
	};
	uint64_t milli;

	if (!parse_scaled(text, rows, &milli) || milli % 1000)
		return "must be a whole number with k, M or G behind it if you like, as 5000 or "
		       "2.5M";
	if (milli == 0)
		return "must be 1 or more";
	if (milli / 1000 > max)
		return "is too large";
	*count = milli / 1000;
	return NULL;
}

const char *units_parse_duration(const char *text, uint64_t *ns)
{
	/* thousandths of a nanosecond would overflow: here a thousandth is a microsecond */
	static const struct suffix rows[] = {
		{ "", 1000ull * 1000, 0 },
		{ "s", 1000ull * 1000, 0 },
		{ "ms", 1000, 0 },
		{ "us", 1, 0 },
		{ "m", 60ull * 1000 * 1000, 0 },
		{ "min", 60ull * 1000 * 1000, 0 },
		{ "h", 3600ull * 1000 * 1000, 0 },
		{ NULL, 0, 0 },
	};
	uint64_t us;

	if (!parse_scaled(text, rows, &us))
		return "must be a time, as 10, 10s, 250ms, 500us, 2m or 1h";
	if (us == 0)
		return "must be longer than 0";
	if (us > UNITS_MAX_HOURS * 3600ull * 1000 * 1000)
		return "must be a year at most";
	*ns = us * 1000;
	return NULL;
}

const char *units_parse_rate(const char *text, struct rate *rate)
{
	const uint64_t k = 1000, M = k * k, G = M * k;
	const struct suffix rows[] = {
		{ "", k, RATE_PACKETS },
		{ "pps", k, RATE_PACKETS },
		{ "kpps", k * k, RATE_PACKETS },
		{ "Mpps", M * k, RATE_PACKETS },
		{ "Gpps", G * k, RATE_PACKETS },
		{ "bps", k, RATE_BITS },
		{ "kbps", k * k, RATE_BITS },
		{ "Mbps", M * k, RATE_BITS },
		{ "Gbps", G * k, RATE_BITS },
		{ "%", k, RATE_LINE },
		{ NULL, 0, 0 },
	};
	const struct suffix *row;

	if (!strcasecmp(text, "max")) {
		*rate = (struct rate){ RATE_MAX, 0 };
		return NULL;
	}
	row = parse_scaled(text, rows, &rate->milli);
	if (!row)
		return "must be max, or a number with pps, kpps, Mpps, bps, kbps, Mbps, Gbps or %, "
		       "as 2.5Mpps or 10Gbps";
	rate->unit = (enum rate_unit)row->kind;
	if (rate->milli == 0)
		return "must be above 0 (max: as fast as it goes)";
	if (rate->unit == RATE_PACKETS && rate->milli > UNITS_MAX_PPS * M)
		return "must be 10Gpps at most";
	if (rate->unit == RATE_BITS && rate->milli > 10 * k * G * k)
		return "must be 10000Gbps at most";
	if (rate->unit == RATE_LINE && rate->milli > 100 * k)
		return "must be 100% at most";
	return NULL;
}

const char *units_parse_range(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
	unsigned decimals;
	uint64_t n;
	const char *end = parse_decimal(text, &n, &decimals);

	if (!end || *end || strchr(text, '.'))
		return "must be a whole number";
	if (n < min || n > max)
		return "is out of range";
	*value = n;
	return NULL;
}

const char *units_parse_mac(const char *text, uint8_t mac[6])
{
	uint8_t got[6];
	int end = -1;

	/* %2hhx would take "+1" and " 1" too: only digits and colons may be there */
	if (strspn(text, "0123456789abcdefABCDEF:") == strlen(text))
		sscanf(text, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%n", &got[0], &got[1], &got[2],
		       &got[3], &got[4], &got[5], &end);
	if (end < 0 || text[end])
		return "must be a MAC address, as 02:00:00:00:00:01";
	memcpy(mac, got, sizeof(got));
	return NULL;
}

const char *units_parse_ipv4(const char *text, uint32_t *addr)
{
	struct in_addr in;

	if (inet_pton(AF_INET, text, &in) != 1)
		return "must be an IPv4 address, as 198.18.0.1";
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
