/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include <rte_common.h>

#include "model/job_check.h"
#include "model/job_nodes.h"

#define MAX_SECONDS (UNITS_MAX_HOURS * 3600.0)

/* ---- rates and times ------------------------------------------------------------- */

/* @tag: unit of the rate in memory. @factor: millionths of that unit per unit in the file. */
static bool read_rate(struct json_reader *r, json_t *value, struct json_at at)
{
	const struct json_node number = { .kind = NODE_NUMBER,
					  .most = at.node->most,
					  .is_optional = 1 };
	struct rate *rate = at.place;
	double given = at.node->missing;

	if (!json_read_kind(r, value, &number, &given))
		return false;
	*rate = (struct rate){ (enum rate_unit)at.node->tag,
			       (uint64_t)round(given * at.node->factor) };
	if (rate->micro)
		return true;
	return given > 0 ? json_note_refusal(r, "is %g (valid: at least %g)", given,
					     1 / at.node->factor)
			 : json_note_refusal(r, "is 0 (valid: above 0)");
}

static json_t *write_rate(struct json_from from)
{
	const struct rate *rate = from.place;

	return rate->unit == (enum rate_unit)from.node->tag
		       ? json_write_number((double)rate->micro / RATE_MICRO)
		       : NULL;
}

#define RATE(name, unit, micro, preset_rate, largest, read_only)                                   \
	{                                                                                          \
		.key = name, .kind = NODE_NUMBER, .tag = unit, .factor = micro,                    \
		.missing = preset_rate, .most = largest, .read = read_rate, .write = write_rate,   \
		.is_read_only = read_only                                                          \
	}

const struct json_node job_rate_keys[] = {
	RATE("pps", RATE_PACKETS, 1e6, 1000, 1e10, false),
	RATE("bps", RATE_BITS, 1e6, 1e9, 1e13, false),
	RATE("kbps", RATE_BITS, 1e9, 1e6, 1e10, true),
	RATE("mbps", RATE_BITS, 1e12, 1000, 1e7, true),
	RATE("gbps", RATE_BITS, 1e15, 1, 1e4, true),
	RATE("percentage", RATE_LINE, 1e6, 100, 100, false),
	RATE("devx_line_bps", RATE_LINE_BITS, 1e6, 1e9, 1e13, false),
	{ 0 },
};

/* A time of OTG: {"choice": "microseconds", "microseconds": 5}. */
static const struct json_node time_keys[] = {
	{ "nanoseconds", NODE_SCALED, .most = MAX_SECONDS * 1e9, .factor = 1 },
	{ "microseconds", NODE_SCALED, .most = MAX_SECONDS * 1e6, .factor = 1000,
	  .is_read_only = true },
	{ "bytes", NODE_UNSUPPORTED },
	{ 0 },
};

static json_t *write_time(struct json_from from)
{
	return from.node->omits_zero && !*(const uint64_t *)from.place
		       ? NULL
		       : json_write_choice("nanoseconds",
					   json_write_node(time_keys, from.place, from.context));
}

#define TIME(name, member, ...)                                                                    \
	{                                                                                          \
		.key = name, .kind = NODE_CHOICE, .preset = "bytes", .keys = time_keys,            \
		NODE_AT(struct job_flow, member), .write = write_time, __VA_ARGS__                 \
	}
#define DELAY TIME("delay", delay_ns, .omits_zero = true)
#define SECONDS(name, member, ...)                                                                 \
	{                                                                                          \
		.key = name, .kind = NODE_SCALED, NODE_AT(struct job_flow, member), .least = 1e-9, \
		.most = MAX_SECONDS, .factor = 1e9, __VA_ARGS__                                    \
	}

/* ---- duration -------------------------------------------------------------------- */

static const struct json_node fixed_packets_keys[] = {
	{ "packets", NODE_UINT, NODE_AT(struct job_flow, count), .is_required = true, .min = 1,
	  .max = 1ull << PKTGEN_MAX_SEQ_LOG2 },
	{ "gap", NODE_UNSUPPORTED },
	DELAY,
	{ 0 },
};

static const struct json_node fixed_seconds_keys[] = {
	SECONDS("seconds", duration_ns, .is_required = true),
	{ "gap", NODE_UNSUPPORTED },
	DELAY,
	{ 0 },
};

static const struct json_node continuous_keys[] = {
	{ "gap", NODE_UNSUPPORTED },
	DELAY,
	{ 0 },
};

static json_t *write_bursts(struct json_from from)
{
	const struct job_flow *f = container_of(from.place, const struct job_flow, count);

	return json_integer((json_int_t)(f->count / f->burst_packets));
}

/* @count holds the number of bursts until read_burst() knows the packets of a burst. */
static const struct json_node burst_keys[] = {
	{ "bursts", NODE_UINT, NODE_AT(struct job_flow, count), .max = UINT32_MAX,
	  .write = write_bursts, .about = "0: no limit" },
	{ "packets", NODE_UINT, NODE_AT(struct job_flow, burst_packets), .is_required = true,
	  .min = 1, .max = 1ull << 32 },
	TIME("inter_burst_gap", burst_gap_ns, .is_required = true),
	DELAY,
	{ "gap", NODE_UNSUPPORTED },
	{ 0 },
};

static bool read_burst(struct json_reader *r, json_t *value, struct json_at at)
{
	struct job_flow *f = at.place;

	if (!json_read_kind(r, value, at.node, at.place))
		return false;
	if (f->count > (1ull << PKTGEN_MAX_SEQ_LOG2) / f->burst_packets)
		return json_note_refusal(r, "has too many packets (valid: at most 2^%d)",
					 PKTGEN_MAX_SEQ_LOG2);
	f->count *= f->burst_packets;
	return true;
}

enum { FIXED_PACKETS, FIXED_SECONDS, CONTINUOUS, BURST };

static json_t *write_duration(struct json_from from)
{
	const struct job_flow *f = from.place;
	const int chosen = f->burst_packets ? BURST
			   : f->count       ? FIXED_PACKETS
			   : f->duration_ns ? FIXED_SECONDS
					    : CONTINUOUS;
	const struct json_node *choice = &from.node->keys[chosen];

	return json_write_choice(choice->key,
				 json_write_keys(choice->keys, from.place, from.context));
}

static const struct json_node duration_keys[] = {
	[FIXED_PACKETS] = { "fixed_packets", NODE_OBJECT, .keys = fixed_packets_keys },
	[FIXED_SECONDS] = { "fixed_seconds", NODE_OBJECT, .keys = fixed_seconds_keys },
	[CONTINUOUS] = { "continuous", NODE_OBJECT, .keys = continuous_keys, .is_optional = true },
	[BURST] = { "burst", NODE_OBJECT, .keys = burst_keys, .read = read_burst },
	{ 0 },
};

static json_t *write_at_most(struct json_from from)
{
	const struct job_flow *f = container_of(from.place, const struct job_flow, duration_ns);

	return f->duration_ns && (f->count || f->burst_packets)
		       ? json_write_number((double)f->duration_ns / 1e9)
		       : NULL;
}

static const struct json_node ramp_keys[] = {
	{ JOB_RATE_NODE("from", struct job_flow, ramp_from), .is_required = true },
	SECONDS("seconds", ramp_ns, .is_required = true),
	{ 0 },
};

static json_t *write_ramp(struct json_from from)
{
	const struct job_flow *f = from.place;

	return f->ramp_ns ? json_write_keys(from.node->keys, from.place, from.context) : NULL;
}

/* ---- the rest of a flow ---------------------------------------------------------- */

static bool read_rx_names(struct json_reader *r, json_t *value, struct json_at at)
{
	if (json_array_size(value) != 1)
		return json_note_refusal(r, "must be an array with the name of 1 port");
	return json_read_kind(r, value, at.node, at.place);
}

static json_t *write_rx_names(struct json_from from)
{
	return json_pack("[o]", job_write_port_name(from));
}

static bool read_tx_rx_port(struct json_reader *r, json_t *value, struct json_at at)
{
	if (!json_read_kind(r, value, at.node, at.place))
		return false;
	return !json_object_get(value, "rx_name") != !json_object_get(value, "rx_names") ||
	       json_note_refusal(r, "must have rx_names or rx_name");
}

static const struct json_node rx_name = { .kind = NODE_TEXT, .read = job_find_port };
static const struct json_node tx_rx_port_keys[] = {
	{ "tx_name", NODE_TEXT, NODE_AT(struct job_flow, tx), .is_required = true,
	  .read = job_find_port, .write = job_write_port_name },
	{ "rx_name", NODE_TEXT, NODE_AT(struct job_flow, rx), .read = job_find_port,
	  .is_read_only = true },
	{ "rx_names", NODE_ARRAY, NODE_AT(struct job_flow, rx), .max = 1, .keys = &rx_name,
	  .read = read_rx_names, .write = write_rx_names, .about = "one name" },
	{ 0 },
};
static const struct json_node tx_rx_keys[] = {
	{ "port", NODE_OBJECT, .keys = tx_rx_port_keys, .read = read_tx_rx_port },
	{ "device", NODE_UNSUPPORTED },
	{ 0 },
};

/* devx-pktgen always measures: the reader checks these values and ignores them. */
static const struct json_node latency_keys[] = {
	{ "enable", NODE_BOOL },
	{ "mode", NODE_UNSUPPORTED },
	{ 0 },
};
static const struct json_node metrics_keys[] = {
	{ "enable", NODE_BOOL },
	{ "loss", NODE_BOOL },
	{ "timestamps", NODE_BOOL },
	{ "latency", NODE_OBJECT, .keys = latency_keys },
	{ "rx_tx_ratio", NODE_UNSUPPORTED },
	{ "predefined_metric_tags", NODE_UNSUPPORTED },
	{ 0 },
};

static bool read_capture_file(struct json_reader *r, json_t *value, struct json_at at)
{
	const struct job_target *context = r->context;
	struct job_flow *f = at.place;
	const struct job_capture *c;
	char why[JSON_WHY_BYTES / 2];
	const char *path;

	if (!json_get_text(r, value, &path))
		return false;
	c = job_load_capture(context->job, path, f->interface, &context->options->rewrite, why,
			     sizeof(why));
	if (!c)
		return json_note_refusal(r, "%s", why);
	f->capture = &c->capture;
	f->pcap = c->path;
	f->interface = c->interface;
	return true;
}

/* Keeps the text until read_capture_file() copies it. */
static bool read_interface(struct json_reader *r, json_t *value, struct json_at at)
{
	return json_get_text(r, value, at.place);
}

static json_t *write_interface(struct json_from from)
{
	const char *const *interface = from.place;

	return *interface ? json_string(*interface) : NULL;
}

static json_t *write_capture_file(struct json_from from)
{
	const struct job_flow *f = from.place;

	return json_string(f->pcap);
}

static const struct json_node capture_keys[] = {
	{ "file", NODE_TEXT, .is_required = true, .read = read_capture_file,
	  .write = write_capture_file },
	{ "interface", NODE_TEXT, NODE_AT(struct job_flow, interface), .is_first = true,
	  .read = read_interface, .write = write_interface,
	  .about = "number, from 0, or name of an interface of a pcapng file" },
	{ "original_timing_speed", NODE_NUMBER, NODE_AT(struct job_flow, speed),
	  .least = JOB_MIN_SPEED, .most = JOB_MAX_SPEED, .omits_zero = true },
	{ 0 },
};

static json_t *write_capture(struct json_from from)
{
	const struct job_flow *f = from.place;

	return f->capture ? json_write_keys(from.node->keys, from.place, from.context) : NULL;
}

const struct json_node job_flow_keys[] = {
	{ "name", NODE_STRING, NODE_AT(struct job_flow, name), .is_required = true },
	{ "tx_rx", NODE_CHOICE, .preset = "port", .keys = tx_rx_keys, .is_required = true },
	{ "devx_capture", NODE_OBJECT, .keys = capture_keys, .write = write_capture,
	  .about = "replays a capture, in place of packet and size" },
	{ "packet", NODE_ARRAY, NODE_AT(struct job_flow, stack), .max = STACK_MAX_HEADERS,
	  .keys = job_header_node, .read = job_read_packet, .write = job_write_packet },
	{ "size", NODE_CHOICE, NODE_AT(struct job_flow, size), .preset = "fixed",
	  .keys = job_size_keys, .write = job_write_size, .about = "bytes with FCS" },
	{ JOB_RATE_NODE("rate", struct job_flow, rate),
	  .about = "bits of frames with FCS; percentage of the link, with preamble and gap. "
		   "Missing: as fast as possible" },
	{ "devx_ramp", NODE_OBJECT, .keys = ramp_keys, .write = write_ramp,
	  .about = "the rate at first, and the time until the rate of the flow is reached" },
	{ "duration", NODE_CHOICE, .preset = "continuous", .keys = duration_keys,
	  .write = write_duration },
	SECONDS("devx_at_most_seconds", duration_ns, .write = write_at_most),
	{ "devx_expect", NODE_ENUM, NODE_AT(struct job_flow, expect), .names = expect_names,
	  .omits_zero = true,
	  .about = "how frames may differ when they arrive; default: routed if "
		   "the sending port has a gateway, else same" },
	{ "metrics", NODE_OBJECT, .keys = metrics_keys, .is_read_only = true,
	  .about = "accepted; devx-pktgen always measures" },
	{ "egress_packet", NODE_ARRAY, NODE_AT(struct job_flow, egress), .max = STACK_MAX_HEADERS,
	  .keys = job_header_node, .read = job_read_egress, .write = job_write_egress,
	  .about = "the headers of arriving frames. A field has one value, or any" },
	{ 0 },
};

/* Refuses keys that contradict each other, and sets the defaults of missing ones. */
static bool finish_flow(struct json_reader *r, json_t *value, struct job_flow *f)
{
	if (f->capture && (json_object_get(value, "packet") || json_object_get(value, "size") ||
			   json_object_get(value, "devx_expect")))
		return json_note_refusal(r, "has devx_capture, and packet, size or devx_expect; "
					    "choose one");
	if (f->egress && (f->capture || json_object_get(value, "devx_expect")))
		return json_note_refusal(r, "has egress_packet and %s; choose one",
					 f->capture ? "devx_capture" : "devx_expect");
	if (!f->capture && !f->stack.n_headers)
		stack_parse(&f->stack, "ethernet");
	if (!f->capture && !f->size.max)
		size_set_fixed(&f->size, PKTGEN_MIN_SIZE);
	if (f->capture && !json_object_get(value, "duration") && !f->duration_ns)
		f->count = f->capture->n_frames;
	job_raise_sizes(f);
	return json_note_reason(r, job_check_flow(f, true));
}

bool job_read_flow(struct json_reader *r, json_t *value, struct json_at at)
{
	struct job_target *context = r->context;
	struct job *j = context->job;
	struct job_flow *f = &j->flows[j->n_flows++];

	if (!json_read_kind(r, value, at.node, f))
		return false;
	if (json_object_get(context->names, f->name))
		return json_note_refusal(r, "%s: another flow has this name", f->name);
	if (json_object_set_new(context->names, f->name, json_true()))
		return json_note_refusal(r, "no memory for its name");
	return finish_flow(r, value, f);
}
