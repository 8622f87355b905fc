/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/job_json.h"

enum { VALUE_BYTES = 64 };

/* ---- packet ---------------------------------------------------------------------- */

static json_t *write_value(pattern_value value, enum field_format format)
{
	char text[VALUE_BYTES];

	if (format == FIELD_NUMBER)
		return json_integer((json_int_t)value);
	pattern_format_value(value, format, text, sizeof(text));
	return json_string(text);
}

static json_t *write_list(const struct pattern *p, enum field_format format)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < p->list->n; i++)
		json_array_append_new(list, write_value(p->list->values[i], format));
	return list;
}

/* Adds seed and number of values, which are left out if they are 0. */
static json_t *add_seed(json_t *object, const struct pattern *p)
{
	if (p->seed)
		json_object_set_new(object, "seed", json_integer((json_int_t)p->seed));
	if (p->repeat)
		json_object_set_new(object, "count", json_integer((json_int_t)p->repeat));
	return object;
}

static json_t *write_choice(const char *choice, json_t *value)
{
	return json_pack("{s:s, s:o}", "choice", choice, choice, value);
}

static json_t *write_counter(const char *choice, const struct pattern *p, enum field_format format)
{
	return write_choice(
		choice, json_pack("{s:o, s:o, s:I}", "start", write_value(p->start, format), "step",
				  write_value(p->step, format), "count", (json_int_t)p->count));
}

static json_t *write_pattern(const struct pattern *p, enum field_format format)
{
	switch (p->kind) {
	case PATTERN_VALUE:
		break;
	case PATTERN_VALUES:
		return write_choice("values", write_list(p, format));
	case PATTERN_INCREMENT:
		return write_counter("increment", p, format);
	case PATTERN_DECREMENT:
		return write_counter("decrement", p, format);
	case PATTERN_RANDOM:
		return write_choice(
			"random",
			add_seed(json_pack("{s:o, s:o}", "min", write_value(p->start, format),
					   "max", write_value(pattern_get_last(p), format)),
				 p));
	case PATTERN_MASK:
		return write_choice(
			"devx_mask",
			add_seed(json_pack("{s:o, s:o}", "value", write_value(p->start, format),
					   "mask", write_value(p->step, format)),
				 p));
	}
	return write_choice("value", write_value(p->start, format));
}

static json_t *write_field(const struct stack_field *f)
{
	if (f->is_bad)
		return write_choice("generated", json_string("bad"));
	if (f->field->autos >= AUTO_SUM_HEADER)
		return write_choice("custom", write_value(f->values.start, f->field->format));
	return write_pattern(&f->values, f->field->format);
}

/* Returns an object inside the header that contains the field in OTG, or NULL. */
static const char *find_inner(const struct header_kind *kind)
{
	return !strcmp(kind->name, "icmp") || !strcmp(kind->name, "icmpv6") ? "echo" : NULL;
}

static void add_bytes(json_t *fields, const struct stack_header *h)
{
	char text[2 * HEADER_MAX_CUSTOM + 1];

	for (unsigned i = 0; i < h->n_more; i++)
		snprintf(text + 2 * (size_t)i, 3, "%02x", h->more[i]);
	if (h->n_more)
		json_object_set_new(fields, h->kind == &header_custom ? "bytes" : "devx_options",
				    json_string(text));
}

static json_t *write_header(const struct stack *s, unsigned header)
{
	const struct stack_header *h = &s->headers[header];
	const char *inner = find_inner(h->kind);
	json_t *fields = json_object();

	for (const struct stack_field *f = s->fields; f < s->fields + s->n_fields; f++) {
		if (f->header == header)
			json_object_set_new(fields, f->field->name, write_field(f));
	}
	add_bytes(fields, h);
	if (inner)
		fields = write_choice(inner, fields);
	return write_choice(h->kind->name, fields);
}

json_t *job_write_packet(const struct stack *s)
{
	json_t *packet = json_array();

	for (unsigned i = 0; i < s->n_headers; i++)
		json_array_append_new(packet, write_header(s, i));
	return packet;
}

/* ---- a flow ---------------------------------------------------------------------- */

static json_t *write_pairs(const struct size *s)
{
	json_t *pairs = json_array();

	for (unsigned i = 0; i < s->n_pairs; i++)
		json_array_append_new(pairs, json_pack("{s:i, s:i}", "size", (int)s->pairs[i].size,
						       "weight", (int)s->pairs[i].weight));
	return write_choice("custom", pairs);
}

static json_t *write_size(const struct size *s)
{
	switch (s->kind) {
	case SIZE_FIXED:
		break;
	case SIZE_INCREMENT:
		return write_choice("increment",
				    json_pack("{s:i, s:i, s:i}", "start", (int)s->min, "end",
					      (int)s->max, "step", (int)s->step));
	case SIZE_RANDOM:
		return write_choice(
			"random", json_pack("{s:i, s:i}", "min", (int)s->min, "max", (int)s->max));
	case SIZE_WEIGHT_PAIRS:
		return write_choice("weight_pairs", write_pairs(s));
	}
	return write_choice("fixed", json_integer(s->min));
}

/* Writes a number without a fraction as a whole number. */
static json_t *write_number(double n)
{
	return n == floor(n) ? json_integer((json_int_t)n) : json_real(n);
}

static json_t *write_rate(const struct rate *rate)
{
	const double n = (double)rate->milli / 1000;

	switch (rate->unit) {
	case RATE_PACKETS:
		return write_choice("pps", write_number(n));
	case RATE_BITS:
		return write_choice("bps", write_number(n));
	case RATE_LINE_BITS:
		return write_choice("devx_line_bps", write_number(n));
	case RATE_LINE:
		return write_choice("percentage", write_number(n));
	case RATE_MAX:
		break;
	}
	return NULL;
}

static json_t *write_time(uint64_t ns)
{
	return write_choice("nanoseconds", json_integer((json_int_t)ns));
}

/* Makes the value of a choice of "duration", and sets its name. */
static json_t *write_chosen_duration(const struct job_flow *f, const char **choice)
{
	if (f->burst_packets) {
		*choice = "burst";
		return json_pack("{s:I, s:I, s:o}", "bursts",
				 (json_int_t)(f->count / f->burst_packets), "packets",
				 (json_int_t)f->burst_packets, "inter_burst_gap",
				 write_time(f->burst_gap_ns));
	}
	if (f->count) {
		*choice = "fixed_packets";
		return json_pack("{s:I}", "packets", (json_int_t)f->count);
	}
	if (f->duration_ns) {
		*choice = "fixed_seconds";
		return json_pack("{s:o}", "seconds", write_number((double)f->duration_ns / 1e9));
	}
	*choice = "continuous";
	return json_object();
}

static json_t *write_duration(const struct job_flow *f)
{
	const char *choice;
	json_t *value = write_chosen_duration(f, &choice);

	if (f->delay_ns)
		json_object_set_new(value, "delay", write_time(f->delay_ns));
	return write_choice(choice, value);
}

static json_t *write_capture(const struct job_flow *f)
{
	json_t *capture = json_pack("{s:s}", "file", f->pcap);

	if (f->speed > 0)
		json_object_set_new(capture, "original_timing_speed", write_number(f->speed));
	return capture;
}

static json_t *write_flow(const struct job_flow *f, const char *tx, const char *rx)
{
	json_t *flow = json_pack("{s:s, s:{s:s, s:{s:s, s:[s]}}}", "name", f->name, "tx_rx",
				 "choice", "port", "port", "tx_name", tx, "rx_names", rx);

	if (f->capture) {
		json_object_set_new(flow, "devx_capture", write_capture(f));
	} else {
		json_object_set_new(flow, "packet", job_write_packet(&f->stack));
		json_object_set_new(flow, "size", write_size(&f->size));
	}
	if (f->rate.unit != RATE_MAX)
		json_object_set_new(flow, "rate", write_rate(&f->rate));
	if (f->ramp_ns)
		json_object_set_new(flow, "devx_ramp",
				    json_pack("{s:o, s:o}", "from", write_rate(&f->ramp_from),
					      "seconds", write_number((double)f->ramp_ns / 1e9)));
	json_object_set_new(flow, "duration", write_duration(f));
	if (f->duration_ns && (f->count || f->burst_packets))
		json_object_set_new(flow, "devx_at_most_seconds",
				    write_number((double)f->duration_ns / 1e9));
	return flow;
}

/* ---- the file -------------------------------------------------------------------- */

/* Gets the name of a port: that of the job file, or "port 0", "port 1" ... */
static const char *get_port_name(const struct job *j, unsigned port, char name[JOB_NAME_BYTES])
{
	if (j->n_ports)
		return j->ports[port].name;
	snprintf(name, JOB_NAME_BYTES, "port %u", port);
	return name;
}

static json_t *write_port(const char *name, const char *device, const struct queues_option *queues)
{
	json_t *port = json_pack("{s:s, s:s}", "name", name, "location", device);

	if (queues->tx)
		json_object_set_new(
			port, "devx_queues",
			json_pack("{s:i, s:i}", "tx", (int)queues->tx, "rx", (int)queues->rx));
	return port;
}

static json_t *write_ports(const struct job *j, const struct options *o)
{
	const unsigned n = j->n_ports ? j->n_ports : o->n_ports;
	json_t *ports = json_array();
	char name[JOB_NAME_BYTES];

	for (unsigned i = 0; i < n; i++)
		json_array_append_new(ports,
				      write_port(get_port_name(j, i, name),
						 j->n_ports ? j->ports[i].device : o->ports[i],
						 &o->queues[i]));
	return ports;
}

/* Writes the addresses of the ports. Returns NULL if there are none. */
static json_t *write_devices(const struct job *j, const struct options *o)
{
	json_t *devices = NULL;
	char name[JOB_NAME_BYTES];

	for (unsigned i = 0; i < PKTGEN_MAX_PORTS; i++) {
		if (!o->addresses[i].n)
			continue;
		devices = devices ? devices : json_array();
		json_array_append_new(
			devices, job_write_device(&o->addresses[i], get_port_name(j, i, name)));
	}
	return devices;
}

static json_t *write_flows(const struct job *j)
{
	json_t *flows = json_array();
	char tx[JOB_NAME_BYTES], rx[JOB_NAME_BYTES];

	for (unsigned i = 0; i < j->n_flows; i++) {
		const struct job_flow *f = &j->flows[i];

		json_array_append_new(flows, write_flow(f, get_port_name(j, f->tx, tx),
							get_port_name(j, f->rx, rx)));
	}
	return flows;
}

static json_t *write_settings(const struct options *o)
{
	char drain[VALUE_BYTES], cores[CORES_TEXT_BYTES];
	json_t *settings;

	snprintf(drain, sizeof(drain), "%.0fus", (double)o->drain_ns / 1e3);
	settings = json_pack("{s:s, s:b, s:s, s:s, s:s, s:i, s:i}", "drain", drain, "send_only",
			     o->send_only, "sender", sender_choice_name(o->sender), "checksums",
			     checksums_choice_name(o->checksums), "timestamps",
			     timestamps_choice_name(o->timestamps), "rx_ring", (int)o->rx_ring,
			     "tx_ring", (int)o->tx_ring);
	if (o->mtu)
		json_object_set_new(settings, "mtu", json_integer(o->mtu));
	cores_option_format(&o->cores, cores);
	if (o->cores.n_workers || o->cores.n_cpus)
		json_object_set_new(settings, "cores", json_string(cores));
	return settings;
}

char *job_write(const struct job *j, const struct options *o)
{
	json_t *root =
		json_pack("{s:o, s:o*, s:o, s:o*, s:o}", "ports", write_ports(j, o), "devices",
			  write_devices(j, o), "flows", write_flows(j), "devx_rewrite",
			  job_write_rewrite(&o->rewrite), "devx_pktgen", write_settings(o));
	char *text = root ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) : NULL;

	json_decref(root);
	return text;
}
