/* SPDX-License-Identifier: BSD-3-Clause */
#include "packet/pattern.h"

#include <stdio.h>
#include <string.h>

#include "cli/units.h"

enum { REASON_BYTES = 128, ITEM_BYTES = 32 };

typedef const char *parse_value(const char *text, uint32_t *value);

static const char *parse_port(const char *text, uint32_t *value)
{
	uint64_t port = 0;
	const char *why = units_parse_range(text, 1, UINT16_MAX, &port);

	*value = (uint32_t)port;
	return why;
}

/* Adds to a refusal which end of the range it is about. */
static const char *name_end(const char *end, const char *why)
{
	static _Thread_local char reason[REASON_BYTES];

	snprintf(reason, sizeof(reason), "%s value of the range: %s", end, why);
	return reason;
}

static const char *parse_pattern(struct pattern *p, const char *text, parse_value *parse)
{
	static const char random[] = "random:";
	const bool is_random = !strncmp(text, random, strlen(random));
	const char *first = is_random ? text + strlen(random) : text;
	const char *dash = strchr(first, '-'), *why;
	char item[ITEM_BYTES];
	uint32_t last = 0;

	*p = pattern_make_value(0);
	if (!dash && is_random)
		return "must be random: and a range (valid: random:1024-65535, "
		       "random:198.18.0.1-198.18.0.9)";
	if (!dash || dash == first)
		return parse(first, &p->start);
	snprintf(item, sizeof(item), "%.*s", (int)(dash - first), first);
	why = parse(item, &p->start);
	if (why)
		return name_end("first", why);
	why = parse(dash + 1, &last);
	if (why)
		return name_end("last", why);
	if (p->start > last)
		return "the first value of the range is above the last; exchange them";
	p->kind = is_random ? PATTERN_RANDOM : PATTERN_INCREMENT;
	p->count = (uint64_t)last - p->start + 1;
	return NULL;
}

const char *pattern_parse_ipv4(struct pattern *p, const char *text)
{
	return parse_pattern(p, text, units_parse_ipv4);
}

const char *pattern_parse_port(struct pattern *p, const char *text)
{
	return parse_pattern(p, text, parse_port);
}
