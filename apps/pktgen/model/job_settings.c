/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/job_settings.h"

#include <stdio.h>
#include <string.h>

#include "cli/reason.h"
#include "model/job_nodes.h"
#include "model/signature.h"

const char *const sender_names[] = {
	[SENDER_AUTO] = "auto",
	[SENDER_MBUF] = "mbuf",
	[SENDER_RING] = "ring",
	NULL,
};

const char *const checksums_names[] = {
	[CHECKSUMS_AUTO] = "auto",
	[CHECKSUMS_PORT] = "port",
	[CHECKSUMS_SOFTWARE] = "software",
	NULL,
};

const char *const timestamps_names[] = {
	[TIMESTAMPS_AUTO] = "auto",
	[TIMESTAMPS_DEVICE] = "device",
	[TIMESTAMPS_TSC] = "tsc",
	NULL,
};

const char *choice_parse(const char *const *names, const char *text, int *choice)
{
	char valid[128] = "";

	for (int i = 0; names[i]; i++) {
		if (!strcmp(text, names[i])) {
			*choice = i;
			return NULL;
		}
		snprintf(valid + strlen(valid), sizeof(valid) - strlen(valid), "%s%s",
			 i ? ", " : "", names[i]);
	}
	return reason_format("unknown (valid: %s)", valid);
}

static const char *parse_drain(void *place, const char *text)
{
	return units_parse_duration(text, place);
}

static json_t *write_drain(struct json_from from)
{
	return json_sprintf("%.15gus", (double)*(const uint64_t *)from.place / 1e3);
}

static const char *parse_cores(void *place, const char *text)
{
	return cores_option_parse(place, text);
}

static json_t *write_cores(struct json_from from)
{
	const struct cores_option *cores = from.place;
	char text[CORES_TEXT_BYTES];

	cores_option_format(cores, text);
	return cores->n_workers || cores->n_cpus ? json_string(text) : NULL;
}

#define SETTING(name, option, member, of_kind, group, argument, text, ...)                         \
	{ .key = #name, .kind = of_kind, NODE_AT(struct options, member), __VA_ARGS__ },

const struct json_node job_settings_keys[] = {
#include "model/settings.def"
	{ 0 },
};

bool job_read_settings(struct json_reader *r, json_t *value, struct json_at at)
{
	struct options *o = ((struct job_target *)r->context)->options, file = *o;

	if (!json_read_kind(r, value, at.node, &file))
		return false;
	for (unsigned i = 0; job_settings_keys[i].kind; i++) {
		const struct json_node *s = &job_settings_keys[i];

		if (!(o->settings & 1u << i))
			memcpy((char *)o + s->at, (char *)&file + s->at, s->bytes);
	}
	return true;
}

json_t *job_write_settings(struct json_from from)
{
	return json_write_keys(from.node->keys, ((const struct job_source *)from.context)->options,
			       from.context);
}
