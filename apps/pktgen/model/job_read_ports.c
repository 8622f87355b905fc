/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "model/job_reading.h"

bool job_read_name(struct json_reader *r, json_t *value, char name[JOB_NAME_BYTES])
{
	const char *text;

	if (!json_get_text(r, value, &text))
		return false;
	if (!*text || strlen(text) >= JOB_NAME_BYTES)
		return json_note_refusal(r, "has %zu characters (valid: 1 to %d)", strlen(text),
					 JOB_NAME_BYTES - 1);
	strcpy(name, text);
	return true;
}

static bool read_port_name(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return job_read_name(r, value, reading->port->name);
}

static bool read_location(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;
	struct job_port *p = reading->port;
	const char *text;

	if (!json_get_text(r, value, &text))
		return false;
	p->device = strdup(text);
	return p->device || json_note_refusal(r, "no memory for it");
}

static bool read_number_of_queues(struct json_reader *r, json_t *value, uint16_t *queues)
{
	uint64_t n = 0;
	const bool ok = json_get_uint(r, value, 1, QUEUES_MAX, &n);

	*queues = (uint16_t)n;
	return ok;
}

static bool read_tx_queues(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return read_number_of_queues(r, value, &reading->queues.tx);
}

static bool read_rx_queues(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return read_number_of_queues(r, value, &reading->queues.rx);
}

static bool read_queues(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "tx", read_tx_queues, true },
		{ "rx", read_rx_queues, true },
		{ 0 },
	};
	struct job_reading *reading = target;
	struct queues_option *q = &reading->options->queues[reading->port - reading->job->ports];

	if (!json_read_object(r, value, keys, target))
		return false;
	/* The command line wins. */
	if (!q->tx)
		*q = reading->queues;
	return true;
}

static bool read_port(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "name", read_port_name, true },
		{ "location", read_location, true },
		{ "devx_rate", job_read_port_rate, false },
		{ "devx_queues", read_queues, false },
		{ 0 },
	};
	struct job_reading *reading = target;
	struct job *j = reading->job;
	struct job_port *p = &j->ports[j->n_ports++];

	reading->port = p;
	if (!json_read_object(r, value, keys, target))
		return false;
	for (const struct job_port *other = j->ports; other < p; other++) {
		if (!strcmp(other->name, p->name))
			return json_note_refusal(r, "%s: another port has this name", p->name);
	}
	return true;
}

bool job_read_ports(struct json_reader *r, json_t *value, void *target)
{
	const struct job_reading *reading = target;

	if (reading->job->n_ports)
		return true; /* read_job() has read them before the flows */
	return json_read_array(r, value, PKTGEN_MAX_PORTS, read_port, target);
}

bool job_find_port(struct json_reader *r, json_t *value, const struct job *j, unsigned *port)
{
	const char *name;

	if (!json_get_text(r, value, &name))
		return false;
	for (*port = 0; *port < j->n_ports; ++*port) {
		if (!strcmp(j->ports[*port].name, name))
			return true;
	}
	return json_note_refusal(r, "%s: no port has this name", name);
}
