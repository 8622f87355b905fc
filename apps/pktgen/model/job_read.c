/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/flow.h"
#include "model/job_reading.h"

enum { READ_BYTES = 1 << 16 };

/* ---- a flow --------------------------------------------------------------------- */

static bool read_flow_name(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return job_read_name(r, value, reading->flow->name);
}

static bool read_tx_name(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return job_find_port(r, value, reading->job, &reading->flow->tx);
}

static bool read_rx_name(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return job_find_port(r, value, reading->job, &reading->flow->rx);
}

static bool read_rx_names(struct json_reader *r, json_t *value, void *target)
{
	if (json_array_size(value) != 1)
		return json_note_refusal(r, "must be an array with the name of 1 port");
	return json_read_array(r, value, 1, read_rx_name, target);
}

static bool read_tx_rx_port(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "tx_name", read_tx_name, true },
		{ "rx_name", read_rx_name, false },
		{ "rx_names", read_rx_names, false },
		{ 0 },
	};

	if (!json_read_object(r, value, keys, target))
		return false;
	if (!json_object_get(value, "rx_name") == !json_object_get(value, "rx_names"))
		return json_note_refusal(r, "must have rx_names or rx_name");
	return true;
}

static bool read_tx_rx(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "port", read_tx_rx_port, false },
		{ "device", NULL, false },
		{ 0 },
	};

	return json_read_choice(r, value, keys, "port", target);
}

static bool read_flow_packet(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return job_read_packet(r, value, reading->flow);
}

static bool read_flow_size(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return job_read_size(r, value, reading->flow);
}

/* Metrics are always measured: the value is checked, and changes nothing. */
static bool read_metric(struct json_reader *r, json_t *value, void *target)
{
	bool is;

	(void)target;
	return json_get_bool(r, value, &is);
}

static bool read_latency(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "enable", read_metric, false },
		{ "mode", NULL, false },
		{ 0 },
	};

	return json_read_object(r, value, keys, target);
}

static bool read_metrics(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "enable", read_metric, false },
		{ "loss", read_metric, false },
		{ "timestamps", read_metric, false },
		{ "latency", read_latency, false },
		{ "rx_tx_ratio", NULL, false },
		{ "predefined_metric_tags", NULL, false },
		{ 0 },
	};

	return json_read_object(r, value, keys, target);
}

static bool read_capture_file(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;
	const struct job_capture *c;
	char why[JSON_WHY_BYTES / 2];
	const char *path;

	if (!json_get_text(r, value, &path))
		return false;
	c = job_load_capture(reading->job, path, &reading->options->rewrite, why, sizeof(why));
	if (!c)
		return json_note_refusal(r, "%s", why);
	reading->flow->capture = &c->capture;
	reading->flow->pcap = c->path;
	return true;
}

static bool read_speed(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	return json_get_number(r, value, JOB_MIN_SPEED, JOB_MAX_SPEED, &reading->flow->speed);
}

static bool read_capture(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "file", read_capture_file, true },
		{ "original_timing_speed", read_speed, false },
		{ 0 },
	};

	return json_read_object(r, value, keys, target);
}

/* Refuses what does not fit together, and sets what the flow does not say. */
static bool finish_flow(struct json_reader *r, json_t *value, struct job_flow *f)
{
	uint32_t least;

	if (f->capture && (json_object_get(value, "packet") || json_object_get(value, "size")))
		return json_note_refusal(r, "has devx_capture and packet or size (valid: one of "
					    "both)");
	if (f->speed > 0 && f->rate.unit != RATE_MAX)
		return json_note_refusal(r,
					 "has a rate, and a capture with its own times (valid: one "
					 "of both)");
	if (f->ramp_ns && f->ramp_from.unit != f->rate.unit)
		return json_note_refusal(r, "devx_ramp: has another unit than the rate of the flow "
					    "(valid: pps for both)");
	if (f->ramp_ns && f->burst_packets)
		return json_note_refusal(r, "has devx_ramp and bursts (valid: one of both)");
	if (f->capture) {
		if (!json_object_get(value, "duration") && !f->duration_ns)
			f->count = f->capture->n_frames;
		return true;
	}
	if (!f->stack.n_headers)
		stack_parse(&f->stack, "ethernet");
	if (!f->size.max)
		size_set_fixed(&f->size, PKTGEN_MIN_SIZE);
	least = flow_compute_min_size(&f->stack);
	if (f->size.min < least)
		return json_note_refusal(r,
					 "size: frames of %u bytes; the headers and the "
					 "signature need %u (valid: %u to %d)",
					 f->size.min, least, least, PKTGEN_MAX_SIZE);
	return true;
}

static bool read_flow(struct json_reader *r, json_t *value, void *target)
{
	static const struct json_key keys[] = {
		{ "name", read_flow_name, true },
		{ "tx_rx", read_tx_rx, true },
		{ "packet", read_flow_packet, false },
		{ "size", read_flow_size, false },
		{ "rate", job_read_rate, false },
		{ "duration", job_read_duration, false },
		{ "metrics", read_metrics, false },
		{ "egress_packet", NULL, false },
		{ "devx_capture", read_capture, false },
		{ "devx_at_most_seconds", job_read_seconds, false },
		{ "devx_ramp", job_read_ramp, false },
		{ 0 },
	};
	struct job_reading *reading = target;
	struct job *j = reading->job;

	reading->flow = &j->flows[j->n_flows++];
	if (!json_read_object(r, value, keys, target))
		return false;
	if (json_object_get(reading->names, reading->flow->name))
		return json_note_refusal(r, "%s: another flow has this name", reading->flow->name);
	if (json_object_set_new(reading->names, reading->flow->name, json_true()))
		return json_note_refusal(r, "no memory for its name");
	return finish_flow(r, value, reading->flow);
}

static bool read_flows(struct json_reader *r, json_t *value, void *target)
{
	struct job_reading *reading = target;

	reading->job->flows = calloc(json_array_size(value) + 1, sizeof(struct job_flow));
	if (!reading->job->flows)
		return json_note_refusal(r, "no memory for them");
	return json_read_array(r, value, JOB_MAX_FLOWS, read_flow, target);
}

/* Gives the flows of ports with a rate their part of it. */
static bool share_port_rates(struct json_reader *r, struct job *j)
{
	for (unsigned i = 0; i < j->n_flows; i++) {
		const struct job_flow *f = &j->flows[i];

		if (j->ports[f->tx].rate.unit != RATE_MAX &&
		    (f->rate.unit != RATE_MAX || f->speed > 0))
			return json_note_refusal(r,
						 "flow %s has a rate, or times of a capture, and "
						 "its port %s has devx_rate (valid: one of both)",
						 f->name, j->ports[f->tx].name);
	}
	if (!job_share_port_rates(j))
		return json_note_refusal(
			r, "devx_rate of a port is too small for its flows; give more");
	return true;
}

/* ---- the file ------------------------------------------------------------------- */

static bool read_job(struct json_reader *r, json_t *root, struct job_reading *reading)
{
	static const struct json_key keys[] = {
		{ "ports", job_read_ports, true },
		{ "flows", read_flows, true },
		{ "devx_rewrite", job_read_rewrite, false },
		{ "devx_pktgen", job_read_settings, false },
		{ "lags", NULL, false },
		{ "layer1", NULL, false },
		{ "captures", NULL, false },
		{ "devices", job_read_devices, false },
		{ "events", NULL, false },
		{ "options", NULL, false },
		{ "lldp", NULL, false },
		{ 0 },
	};

	json_t *ports = json_object_get(root, "ports");
	json_t *rewrite = json_object_get(root, "devx_rewrite");

	/* The flows need both, and the keys of an object have no order. */
	if (ports && !json_read_key(r, "ports", ports, keys, reading))
		return false;
	if (rewrite && !json_read_key(r, "devx_rewrite", rewrite, keys, reading))
		return false;
	if (!json_read_object(r, root, keys, reading))
		return false;
	if (!reading->job->n_ports || !reading->job->n_flows)
		return json_note_refusal(r, "%s: is empty (valid: at least 1)",
					 reading->job->n_ports ? "flows" : "ports");
	return share_port_rates(r, reading->job);
}

/* Reads the whole file into memory. Returns NULL after a refusal. */
static char *read_text(struct json_reader *r, FILE *file, size_t *n)
{
	char *text = NULL, *more;

	for (*n = 0; !feof(file) && !ferror(file);) {
		more = realloc(text, *n + READ_BYTES);
		if (!more || *n > JOB_MAX_FILE_BYTES) {
			free(more ? more : text);
			json_note_refusal(r, more ? "is longer than %d MiB" : "no memory for it",
					  JOB_MAX_FILE_BYTES >> 20);
			return NULL;
		}
		text = more;
		*n += fread(text + *n, 1, READ_BYTES, file);
	}
	if (!ferror(file))
		return text;
	json_note_refusal(r, "cannot read it: %s", strerror(errno));
	free(text);
	return NULL;
}

static json_t *load_file(struct json_reader *r, const char *path)
{
	const bool is_stdin = !strcmp(path, "-");
	FILE *file = is_stdin ? stdin : fopen(path, "re");
	json_t *root = NULL;
	char *text;
	size_t n;

	if (!file) {
		json_note_refusal(r, "cannot open it: %s", strerror(errno));
		return NULL;
	}
	text = read_text(r, file, &n);
	if (text)
		root = json_load_text(r, text, n);
	free(text);
	if (!is_stdin)
		fclose(file);
	return root;
}

int job_read_file(struct job *j, struct options *o, const char *path, char *why, size_t why_bytes)
{
	struct json_reader r = { .file = strcmp(path, "-") ? path : "stdin" };
	struct job_reading reading = { .job = j, .options = o, .names = json_object() };
	json_t *root = load_file(&r, path);
	const bool ok = root && read_job(&r, root, &reading);

	json_decref(root);
	json_decref(reading.names);
	if (!ok)
		snprintf(why, why_bytes, "%s", r.why);
	return ok ? 0 : -EINVAL;
}
