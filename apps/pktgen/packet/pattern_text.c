/* SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/reason.h"
#include "cli/units.h"
#include "packet/line.h"
#include "packet/pattern.h"

enum { ITEM_BYTES = 64, MAC_BYTES = 6 };

static const pattern_value max_count = (pattern_value)1 << 63;

/* ---- one value ------------------------------------------------------------------ */

static pattern_value get_largest(unsigned bits)
{
	return bits >= 128 ? ~(pattern_value)0 : ((pattern_value)1 << bits) - 1;
}

static pattern_value join_bytes(const uint8_t *bytes, unsigned n)
{
	pattern_value value = 0;

	for (unsigned i = 0; i < n; i++)
		value = value << 8 | bytes[i];
	return value;
}

static const char *parse_number(const char *text, unsigned bits, pattern_value *value)
{
	const pattern_value most = get_largest(bits);
	const bool is_hex = !strncmp(text, "0x", 2);
	char *end = NULL;

	errno = 0;
	*value = *text >= '0' && *text <= '9' ? strtoull(text, &end, is_hex ? 16 : 10) : 0;
	if (!end || *end || errno || *value > most)
		return reason_format(
			"must be a number from 0 to %llu",
			(unsigned long long)(bits >= 64 ? UINT64_MAX : (uint64_t)most));
	return NULL;
}

static const char *parse_ipv6(const char *text, pattern_value *value)
{
	struct in6_addr addr;

	if (inet_pton(AF_INET6, text, &addr) != 1)
		return "must be an IPv6 address, for example 2001:db8::1";
	*value = join_bytes(addr.s6_addr, sizeof(addr.s6_addr));
	return NULL;
}

const char *pattern_parse_value(pattern_value *value, const char *text, enum field_format format,
				unsigned bits)
{
	uint8_t mac[MAC_BYTES] = { 0 };
	uint32_t ipv4 = 0;
	const char *why = NULL;

	*value = 0;
	switch (format) {
	case FIELD_NUMBER:
		return parse_number(text, bits, value);
	case FIELD_MAC:
		why = units_parse_mac(text, mac);
		*value = join_bytes(mac, sizeof(mac));
		return why;
	case FIELD_IPV4:
		why = units_parse_ipv4(text, &ipv4);
		*value = ipv4;
		return why;
	case FIELD_IPV6:
		return parse_ipv6(text, value);
	}
	return why;
}

/* ---- several values ------------------------------------------------------------- */

/* Reads the value between @text and @end. @name: its name in a refusal. */
static const char *parse_part(pattern_value *value, const char *text, const char *end,
			      enum field_format format, unsigned bits, const char *name)
{
	char item[ITEM_BYTES];
	const char *why;

	if (end - text >= ITEM_BYTES)
		return reason_format("%s: too long (valid: at most %d characters)", name,
				     ITEM_BYTES - 1);
	snprintf(item, sizeof(item), "%.*s", (int)(end - text), text);
	why = pattern_parse_value(value, item, format, bits);
	return why ? reason_format("%s: %s", name, why) : NULL;
}

static const char *parse_list(struct pattern *p, const char *text, enum field_format format,
			      unsigned bits)
{
	pattern_value *values;
	const char *why = NULL;
	unsigned n = 1, i = 0;
	int rc = 0;

	for (const char *c = text; *c; c++)
		n += *c == ',';
	if (n > PATTERN_MAX_VALUES)
		return reason_format("%u values (valid: at most %d)", n, PATTERN_MAX_VALUES);
	values = calloc(n, sizeof(*values));
	if (!values)
		return "no memory for the list";
	for (; i < n && !why; i++) {
		const char *end = text + strcspn(text, ",");
		char name[ITEM_BYTES];

		snprintf(name, sizeof(name), "value %u of the list", i + 1);
		why = parse_part(&values[i], text, end, format, bits, name);
		text = end + 1;
	}
	if (!why)
		rc = pattern_make_list(p, values, n);
	free(values);
	return rc ? "no memory for the list" : why;
}

/* Reads "FIRST-LAST". @end: end of LAST. */
static const char *parse_ends(const char *text, const char *end, enum field_format format,
			      unsigned bits, pattern_value *first, pattern_value *last)
{
	const char *dash = memchr(text, '-', (size_t)(end - text)), *why;

	if (!dash)
		return "must be a range: FIRST-LAST";
	why = parse_part(first, text, dash, format, bits, "first value of the range");
	if (why)
		return why;
	return parse_part(last, dash + 1, end, format, bits, "last value of the range");
}

static const char *parse_range(struct pattern *p, const char *text, enum field_format format,
			       unsigned bits)
{
	const char *slash = strchr(text, '/'), *end = slash ? slash : text + strlen(text), *why;
	pattern_value first, last, step = 1, n;

	why = parse_ends(text, end, format, bits, &first, &last);
	if (!why && slash)
		why = parse_part(&step, slash + 1, slash + strlen(slash),
				 slash[1] && strpbrk(slash + 1, ".:") ? format : FIELD_NUMBER, bits,
				 "step of the range");
	if (why)
		return why;
	if (!step)
		return "step of the range: 0 (valid: at least 1)";
	n = (last > first ? last - first : first - last) / step + 1;
	if (n > max_count)
		return "the range has more than 2^63 values; give a shorter one, or mask:";
	p->kind = last >= first ? PATTERN_INCREMENT : PATTERN_DECREMENT;
	p->start = first;
	p->step = step;
	p->count = (uint64_t)n;
	return NULL;
}

/* Reads "@SEED" at @text, if there is one. */
static const char *parse_seed(const char *text, uint64_t *seed)
{
	if (!*text)
		return NULL;
	*seed = 0;
	return units_parse_range(text + 1, 0, UINT32_MAX, seed)
		       ? reason_format("seed: must be a number from 0 to %u", UINT32_MAX)
		       : NULL;
}

static const char *parse_random(struct pattern *p, const char *text, enum field_format format,
				unsigned bits)
{
	const char *end = text + strcspn(text, "@"), *why;
	pattern_value first, last;

	why = parse_ends(text, end, format, bits, &first, &last);
	if (!why)
		why = parse_seed(end, &p->seed);
	if (why)
		return why;
	if (first > last)
		return "the first value of the range is above the last; swap them";
	if (last - first >= max_count)
		return "the range has more than 2^63 values; give a shorter one, or mask:";
	p->kind = PATTERN_RANDOM;
	p->start = first;
	p->count = (uint64_t)(last - first + 1);
	return NULL;
}

static const char *parse_mask(struct pattern *p, const char *text, enum field_format format,
			      unsigned bits)
{
	const char *end = text + strcspn(text, "@"),
		   *slash = memchr(text, '/', (size_t)(end - text));
	const char *why;

	if (!slash)
		return "must be VALUE/MASK, for example mask:10.0.0.0/0.0.255.0";
	why = parse_part(&p->start, text, slash, format, bits, "value");
	if (!why)
		why = parse_part(&p->step, slash + 1, end, format, bits, "mask");
	if (!why)
		why = parse_seed(end, &p->seed);
	p->kind = PATTERN_MASK;
	p->count = 1;
	return why;
}

const char *pattern_parse(struct pattern *p, const char *text, enum field_format format,
			  unsigned bits)
{
	static const char random[] = "random:", mask[] = "mask:";

	*p = pattern_make_value(0);
	if (!strncmp(text, random, strlen(random)))
		return parse_random(p, text + strlen(random), format, bits);
	if (!strncmp(text, mask, strlen(mask)))
		return parse_mask(p, text + strlen(mask), format, bits);
	if (strchr(text, ','))
		return parse_list(p, text, format, bits);
	if (*text && strchr(text + 1, '-'))
		return parse_range(p, text, format, bits);
	return pattern_parse_value(&p->start, text, format, bits);
}

/* ---- text for people ------------------------------------------------------------- */

int pattern_format_value(pattern_value value, enum field_format format, char *text, size_t bytes)
{
	uint8_t b[16];
	char ipv6[INET6_ADDRSTRLEN];

	for (unsigned i = 0; i < sizeof(b); i++)
		b[i] = (uint8_t)(value >> 8 * (15 - i));
	switch (format) {
	case FIELD_NUMBER:
		break;
	case FIELD_MAC:
		return snprintf(text, bytes, "%02x:%02x:%02x:%02x:%02x:%02x", b[10], b[11], b[12],
				b[13], b[14], b[15]);
	case FIELD_IPV4:
		return snprintf(text, bytes, "%u.%u.%u.%u", b[12], b[13], b[14], b[15]);
	case FIELD_IPV6:
		inet_ntop(AF_INET6, b, ipv6, sizeof(ipv6));
		return snprintf(text, bytes, "%s", ipv6);
	}
	return snprintf(text, bytes, "%llu", (unsigned long long)value);
}

static void add_value(struct line *l, pattern_value value, enum field_format format)
{
	char item[ITEM_BYTES];

	pattern_format_value(value, format, item, sizeof(item));
	line_add_text(l, "%s", item);
}

static void add_seed(struct line *l, const struct pattern *p)
{
	if (p->seed)
		line_add_text(l, "@%llu", (unsigned long long)p->seed);
}

static void add_list(struct line *l, const struct pattern *p, enum field_format format)
{
	for (unsigned i = 0; i < p->list->n; i++) {
		if (l->n + ITEM_BYTES > l->bytes) {
			line_add_text(l, ",...");
			return;
		}
		line_add_text(l, "%s", i ? "," : "");
		add_value(l, p->list->values[i], format);
	}
}

void pattern_format(const struct pattern *p, enum field_format format, char *text, size_t bytes)
{
	struct line l = { .text = text, .bytes = bytes };

	switch (p->kind) {
	case PATTERN_VALUE:
		add_value(&l, p->start, format);
		return;
	case PATTERN_VALUES:
		add_list(&l, p, format);
		return;
	case PATTERN_INCREMENT:
	case PATTERN_DECREMENT:
		add_value(&l, p->start, format);
		line_add_text(&l, "-");
		add_value(&l, pattern_get_last(p), format);
		if (p->step == 1)
			return;
		line_add_text(&l, "/");
		/* A number has at most 64 bits. The parser also reads a step in @format. */
		add_value(&l, p->step, p->step >> 64 ? format : FIELD_NUMBER);
		return;
	case PATTERN_RANDOM:
		line_add_text(&l, "random:");
		add_value(&l, p->start, format);
		line_add_text(&l, "-");
		add_value(&l, pattern_get_last(p), format);
		add_seed(&l, p);
		return;
	case PATTERN_MASK:
		line_add_text(&l, "mask:");
		add_value(&l, p->start, format);
		line_add_text(&l, "/");
		add_value(&l, p->step, format);
		add_seed(&l, p);
	}
}
