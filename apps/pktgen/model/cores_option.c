/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/cores_option.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/reason.h"

#define CORES_FORMS "must be auto, a number of workers (4), or CPUs (2-5,8)"
#define QUEUES_FORMS "must be TX:RX (4:2), or PORT=TX:RX for one port (0=4:2)"

enum { DECIMAL = 10, MANY = 1000000 };

/* Reads a whole number and moves *@text past it. Returns whether there was one. */
static bool read_number(const char **text, unsigned *n)
{
	const char *start = *text;

	for (*n = 0; **text >= '0' && **text <= '9'; (*text)++)
		*n = *n < MANY ? *n * DECIMAL + (unsigned)(**text - '0') : MANY;
	return *text != start;
}

static const char *add_cpus(struct cores_option *c, unsigned first, unsigned last)
{
	if (last > CORES_MAX_CPU)
		return reason_format("CPU %u is too large (valid: 0 to %d)", last, CORES_MAX_CPU);
	if (first > last)
		return reason_format("the first CPU of a range is above the last; give %u-%u", last,
				     first);
	for (unsigned cpu = first; cpu <= last; cpu++) {
		for (unsigned i = 0; i < c->n_cpus; i++) {
			if (c->cpus[i] == cpu)
				return reason_format("CPU %u is listed twice; give it once", cpu);
		}
		if (c->n_cpus == CORES_MAX_WORKERS)
			return reason_format("too many CPUs (valid: at most %d)",
					     CORES_MAX_WORKERS);
		c->cpus[c->n_cpus++] = (uint16_t)cpu;
	}
	return NULL;
}

static const char *parse_list(struct cores_option *c, const char *text)
{
	const char *refusal = NULL;

	while (!refusal) {
		unsigned first, last;

		if (!read_number(&text, &first))
			return CORES_FORMS;
		last = first;
		if (*text == '-') {
			text++;
			if (!read_number(&text, &last))
				return CORES_FORMS;
		}
		refusal = add_cpus(c, first, last);
		if (refusal || !*text)
			break;
		if (*text++ != ',')
			return CORES_FORMS;
	}
	return refusal;
}

const char *cores_option_parse(struct cores_option *c, const char *text)
{
	const char *end = text;

	*c = (struct cores_option){ 0 };
	if (!strcmp(text, "auto"))
		return NULL;
	if (strpbrk(text, "-,"))
		return parse_list(c, text);
	if (!read_number(&end, &c->n_workers) || *end)
		return CORES_FORMS;
	if (c->n_workers && c->n_workers <= CORES_MAX_WORKERS)
		return NULL;
	return reason_format("must be 1 to %d workers; CPU %s alone is %s-%s", CORES_MAX_WORKERS,
			     text, text, text);
}

size_t cores_option_format(const struct cores_option *c, char text[CORES_TEXT_BYTES])
{
	size_t used = 0;

	if (!c->n_cpus)
		return (size_t)(c->n_workers ? snprintf(text, CORES_TEXT_BYTES, "%u", c->n_workers)
					     : snprintf(text, CORES_TEXT_BYTES, "auto"));
	for (unsigned i = 0, last; i < c->n_cpus; i = last + 1) {
		for (last = i; last + 1 < c->n_cpus && c->cpus[last + 1] == c->cpus[last] + 1;)
			last++;
		used += (size_t)snprintf(text + used, CORES_TEXT_BYTES - used, "%s%u", i ? "," : "",
					 c->cpus[i]);
		/* A number alone is a number of workers, so a single CPU is written as a range. */
		if (last > i || c->n_cpus == 1)
			used += (size_t)snprintf(text + used, CORES_TEXT_BYTES - used, "-%u",
						 c->cpus[last]);
	}
	return used;
}

const char *queues_option_parse(struct queues_option *q, unsigned n_ports, const char *text)
{
	const bool is_named = strchr(text, '=');
	unsigned port = 0, tx, rx, last = n_ports;

	if (is_named) {
		if (!read_number(&text, &port) || *text++ != '=')
			return QUEUES_FORMS;
		if (port >= n_ports)
			return reason_format("port %u is too large (valid: 0 to %u)", port,
					     n_ports - 1);
		last = port + 1;
	}
	if (!read_number(&text, &tx) || *text++ != ':' || !read_number(&text, &rx) || *text)
		return QUEUES_FORMS;
	if (!tx || tx > QUEUES_MAX || !rx || rx > QUEUES_MAX)
		return reason_format("each number of queues must be 1 to %d", QUEUES_MAX);
	for (; port < last; port++)
		q[port] = (struct queues_option){ (uint16_t)tx, (uint16_t)rx, is_named };
	return NULL;
}
