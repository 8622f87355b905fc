/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "model/job_nodes.h"

static struct options *get_options(const struct json_reader *r)
{
	return ((const struct job_target *)r->context)->options;
}

/* ---- names ----------------------------------------------------------------------- */

bool job_find_port(struct json_reader *r, json_t *value, struct json_at at)
{
	const struct job *j = ((const struct job_target *)r->context)->job;
	unsigned *index = at.place;
	const char *name;

	if (!json_get_text(r, value, &name))
		return false;
	for (*index = 0; *index < j->n_ports; ++*index) {
		if (!strcmp(j->ports[*index].name, name))
			return true;
	}
	return json_note_refusal(r, "%s: no port has this name (valid: a name in ports)", name);
}

/* Gets the name of a port from the job file; without one: "port 0", "port 1" ... */
static void get_port_name(const struct job_source *s, unsigned port, char name[JOB_NAME_BYTES])
{
	if (s->job->n_ports)
		strcpy(name, s->job->ports[port].name);
	else
		snprintf(name, JOB_NAME_BYTES, "port %u", port);
}

json_t *job_write_port_name(struct json_from from)
{
	char name[JOB_NAME_BYTES];

	get_port_name(from.context, *(const unsigned *)from.place, name);
	return json_string(name);
}

/* ---- ports ----------------------------------------------------------------------- */

static bool read_location(struct json_reader *r, json_t *value, struct json_at at)
{
	char **device = at.place;
	const char *text;

	if (!json_get_text(r, value, &text))
		return false;
	*device = strdup(text);
	return *device || json_note_refusal(r, "no memory for it");
}

static json_t *write_location(struct json_from from)
{
	return json_string(*(char *const *)from.place);
}

static const struct json_node queues_keys[] = {
	{ "tx", NODE_UINT, NODE_AT(struct queues_option, tx), .is_required = true, .min = 1,
	  .max = QUEUES_MAX },
	{ "rx", NODE_UINT, NODE_AT(struct queues_option, rx), .is_required = true, .min = 1,
	  .max = QUEUES_MAX },
	{ 0 },
};

/* Reads the numbers of queues, unless the command line has set them. */
static bool read_queues(struct json_reader *r, json_t *value, struct json_at at)
{
	const struct job *j = ((const struct job_target *)r->context)->job;
	struct queues_option given = { 0 },
			     *q = &get_options(r)->queues[(struct job_port *)at.place - j->ports];

	if (!json_read_kind(r, value, at.node, &given))
		return false;
	if (!q->tx)
		*q = given;
	return true;
}

static const struct json_node port_keys[] = {
	{ "name", NODE_STRING, NODE_AT(struct job_port, name), .is_required = true },
	{ "location", NODE_TEXT, NODE_AT(struct job_port, device), .is_required = true,
	  .read = read_location, .write = write_location, .about = "device, as EAL names it" },
	{ JOB_RATE_NODE("devx_rate", struct job_port, rate), .is_read_only = true },
	{ "devx_queues", NODE_OBJECT, .keys = queues_keys, .read = read_queues,
	  .is_read_only = true, .about = "numbers of send queues and of receive queues" },
	{ 0 },
};

static bool read_port(struct json_reader *r, json_t *value, struct json_at at)
{
	struct job *j = ((const struct job_target *)r->context)->job;
	struct job_port *p = &j->ports[j->n_ports++];

	if (!json_read_kind(r, value, at.node, p))
		return false;
	for (const struct job_port *other = j->ports; other < p; other++) {
		if (!strcmp(other->name, p->name))
			return json_note_refusal(r, "%s: another port has this name", p->name);
	}
	return true;
}

const struct json_node job_port_node[1] = {
	{ .kind = NODE_OBJECT, .keys = port_keys, .read = read_port }
};

json_t *job_write_ports(struct json_from from)
{
	const struct job_source *s = from.context;
	const unsigned n_ports = s->job->n_ports ? s->job->n_ports : s->options->n_ports;
	json_t *ports = json_array();

	for (unsigned i = 0; i < n_ports; i++) {
		const struct queues_option *queues = &s->options->queues[i];
		const char *device =
			s->job->n_ports ? s->job->ports[i].device : s->options->ports[i];
		struct job_port port = { .device = (char *)device };
		json_t *object;

		get_port_name(s, i, port.name);
		object = json_write_keys(port_keys, &port, from.context);
		if (queues->tx)
			json_object_set_new(object, "devx_queues",
					    json_write_keys(queues_keys, queues, from.context));
		json_array_append_new(ports, object);
	}
	return ports;
}
