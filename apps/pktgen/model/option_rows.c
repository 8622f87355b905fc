/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/option_rows.h"

#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "cli/reason.h"
#include "model/job.h"
#include "model/job_settings.h"

enum { MIN_INTERVAL_NS = 10 * 1000 * 1000, RATE_BYTES = 32 };

/* ---- arguments of their own ------------------------------------------------------ */

static const char *parse_port(struct options *o, const char *device)
{
	if (!o->ports_given)
		o->n_ports = 0; /* the user's ports replace the ports of the demo */
	o->ports_given = true;
	if (o->n_ports == PKTGEN_MAX_PORTS)
		return reason_format("too many ports (valid: at most %d)", PKTGEN_MAX_PORTS);
	if (!report_can_print(device))
		return "has a control character, or is not UTF-8; check the name";
	o->ports[o->n_ports++] = device;
	return NULL;
}

static const char *parse_size(struct options *o, const char *text)
{
	return size_parse(&o->size, text);
}

static const char *parse_packet(struct options *o, const char *text)
{
	o->packet = text;
	stack_free(&o->stack);
	return stack_parse(&o->stack, text);
}

static const char *parse_expect(struct options *o, const char *text)
{
	int choice;
	const char *why = choice_parse(expect_names, text, &choice);

	if (!why)
		o->expect = (enum expect)choice;
	return why;
}

static const char *parse_timing(struct options *o, const char *text)
{
	o->original_timing = !strcmp(text, "original");
	return o->original_timing || !strcmp(text, "rate") ? NULL
							   : "unknown (valid: original, rate)";
}

static const char *parse_speed(struct options *o, const char *text)
{
	char *end;

	o->speed = strtod(text, &end);
	return end != text && !*end && o->speed >= JOB_MIN_SPEED && o->speed <= JOB_MAX_SPEED
		       ? NULL
		       : "must be a factor from 0.001 to 1000";
}

static const char *parse_src_mac(struct options *o, const char *text)
{
	return rewrite_set_mac(&o->rewrite, true, text);
}

static const char *parse_dst_mac(struct options *o, const char *text)
{
	return rewrite_set_mac(&o->rewrite, false, text);
}

static const char *parse_networks(struct options *o, const char *text)
{
	const char *equals = strchr(text, '='), *why = "no memory for the text";
	char *from;

	if (!equals)
		return "must be two networks (valid: 10.1.0.0/16=198.18.0.0/16)";
	from = strndup(text, (size_t)(equals - text));
	if (from)
		why = rewrite_add_network(&o->rewrite, from, equals + 1);
	free(from);
	return why;
}

static const char *parse_rate(struct options *o, const char *text)
{
	return units_parse_rate(text, &o->rate);
}

static const char *parse_flows(struct options *o, const char *text)
{
	uint64_t n = 0;
	const char *why = units_parse_range(text, 1, JOB_MAX_FLOWS, &n);

	o->n_flows = (unsigned)n;
	return why;
}

/* Reads "RATE/TIME". */
static const char *parse_ramp(struct options *o, const char *text)
{
	const char *slash = strchr(text, '/'), *why;
	char rate[RATE_BYTES];

	if (!slash || (size_t)(slash - text) >= sizeof(rate))
		return "must be a rate and a time (valid: 1Mpps/30s)";
	memcpy(rate, text, (size_t)(slash - text));
	rate[slash - text] = '\0';
	why = units_parse_rate(rate, &o->ramp_from);
	if (!why && o->ramp_from.unit == RATE_MAX)
		why = "a ramp cannot begin with max (valid: 1Mpps/30s)";
	return why ? why : units_parse_duration(slash + 1, &o->ramp_ns);
}

static const char *parse_queues(struct options *o, const char *text)
{
	return queues_option_parse(o->queues, PKTGEN_MAX_PORTS, text);
}

/* Reads "PORT=IP" or "PORT=vlan5:IP", and passes the address to @take. */
static const char *read_address(struct options *o, const char *text,
				const char *(*take)(struct addresses *a, const struct address *new))
{
	const char *why, *host;
	struct address new;
	struct vlan vlan;
	char *end;
	unsigned long port = strtoul(text, &end, 10);

	if (end == text || *text == '-' || *end != '=' || port >= PKTGEN_MAX_PORTS)
		return "no port number before \"=\" (valid: 0=198.18.0.1/24)";
	o->address_given = true;
	host = end + 1;
	why = vlan_parse(&vlan, &host);
	if (!why)
		why = address_parse(&new, host);
	new.vlan = vlan;
	return why ? why : take(&o->addresses[port], &new);
}

static const char *parse_address(struct options *o, const char *text)
{
	return read_address(o, text, addresses_add);
}

static const char *parse_gateway(struct options *o, const char *text)
{
	return read_address(o, text, addresses_add_gateway);
}

static const char *parse_interval(struct options *o, const char *text)
{
	const char *why = units_parse_duration(text, &o->interval_ns);

	return why || o->interval_ns >= MIN_INTERVAL_NS ? why
							: "is too short (valid: 10ms or more)";
}

/* ---- the table ------------------------------------------------------------------- */

#define MEMBER(of_kind, member) .kind = of_kind, .at = offsetof(struct options, member)
#define OTHER(function) .kind = OPTION_OTHER, .parse = function
#define FIELD(of_header, of_field)                                                                 \
	.kind = OPTION_FIELD, .header = of_header, .field = of_field, .scope = SCOPE_FRAME
#define SETTING(name_of_key, option, member, node_kind, of_group, arg, help, ...)                  \
	{ .name = option,                                                                          \
	  .argument = arg,                                                                         \
	  .group = of_group,                                                                       \
	  .kind = OPTION_SETTING,                                                                  \
	  .setting = SETTING_##name_of_key,                                                        \
	  .text = help },

const struct option_row option_rows[] = {
	{ "port", 'p', "DEVICE", GROUP_PORTS, SCOPE_JOB, OTHER(parse_port),
	  .text = "Port to use, as EAL names devices: net_devx0,ibdev=mlx5_0 or 0000:08:00.0 or "
		  "net_ring0. One port sends and receives its own frames; of two, the first sends "
		  "and the second receives; of four, the third also sends, and the fourth "
		  "receives; "
		  "and so on. Default: the ports that the EAL options create" },
	{ "config", 0, "FILE", GROUP_PORTS, SCOPE_RUN, MEMBER(OPTION_PATH, config),
	  .text = "Read ports and flows from a job file (JSON, Open Traffic Generator model; "
		  "doc/pktgen-model.md); - reads stdin. The file replaces --port and the options "
		  "for frames, amount and rate" },
	{ "print-config", 0, NULL, GROUP_PORTS, SCOPE_RUN, MEMBER(OPTION_FLAG, print_config),
	  .text = "Print the job as a job file, and send nothing" },
	{ "both", 0, NULL, GROUP_PORTS, SCOPE_JOB, MEMBER(OPTION_FLAG, both),
	  .text = "Also send a flow back, from the second port to the first" },

	{ "size", 's', "SIZES", GROUP_FRAMES, SCOPE_FRAME, OTHER(parse_size),
	  .text = "Frame size on the wire, from the destination MAC to the FCS: 64 to 10000. Or "
		  "several: 64-1518 (counts up by 1), random:64-1518, 64,512,1518 (in turn), "
		  "64:7,594:4,1518:1 (weights), imix (64:7,570:4,1518:1), ipsec_imix, ipv6_imix, "
		  "standard_imix, tcp_imix. Sizes of a name that the headers do not fit in are "
		  "raised. Default 64" },
	{ "packet", 0, "HEADERS", GROUP_FRAMES, SCOPE_FRAME, OTHER(parse_packet),
	  .text = "Headers of the frames, with their fields: ethernet/vlan(id=5)/ipv6/"
		  "tcp(dst_port=80;443,ctl_syn=1). doc/pktgen.md lists headers and fields. "
		  "Default: " PKTGEN_DEFAULT_PACKET },
	{ "src-mac", 0, "MAC", GROUP_FRAMES, FIELD(0, "src"),
	  .text = "Source MAC. Default: that of the sending port" },
	{ "dst-mac", 0, "MAC", GROUP_FRAMES, FIELD(0, "dst"),
	  .text = "Destination MAC. Default: that of the receiving port" },
	{ "src-ip", 0, "IP", GROUP_FRAMES, FIELD(1, "src"),
	  .text = "Source IPv4 address, or several: 198.18.0.1-198.18.255.254 (counts up by 1), "
		  "198.18.0.0-198.18.255.0/256 (by 256), 198.18.0.1,198.18.9.9 (in turn), "
		  "random:198.18.0.1-198.18.255.254, mask:198.18.0.1/0.0.255.0 (random in these "
		  "bits). Default 198.18.0.1" },
	{ "dst-ip", 0, "IP", GROUP_FRAMES, FIELD(1, "dst"),
	  .text = "Destination IPv4 address, or several. Default 198.19.0.1" },
	{ "sport", 0, "PORT", GROUP_FRAMES, FIELD(2, "src_port"),
	  .text = "UDP source port, or several: 1024-65535, random:1024-65535. Default 49152" },
	{ "dport", 0, "PORT", GROUP_FRAMES, FIELD(2, "dst_port"),
	  .text = "UDP destination port, or several. Default 9" },
	{ "expect", 0, "HOW", GROUP_FRAMES, SCOPE_FRAME, OTHER(parse_expect),
	  .text = "How frames may differ when they arrive: same (not at all), routed (other MAC "
		  "addresses and a lower TTL, as behind a router), routed-dscp (also another DSCP "
		  "or traffic class), any (all headers, as behind NAT or a tunnel). The payload "
		  "must be whole. Default: routed with --gateway, else same" },
	{ "pcap", 0, "FILE", GROUP_FRAMES, SCOPE_RUN, MEMBER(OPTION_PATH, pcap),
	  .text = "Send the frames of a capture (pcap or pcapng, Ethernet); - reads stdin" },
	{ "interface", 0, "INTERFACE", GROUP_FRAMES, SCOPE_CAPTURE, MEMBER(OPTION_PATH, interface),
	  .text = "With --pcap: send only the packets of this interface of a pcapng file: its "
		  "number, from 0 on, or its name. Default: all of Ethernet" },
	{ "timing", 0, "NAME", GROUP_FRAMES, SCOPE_CAPTURE, OTHER(parse_timing),
	  .text = "When to send the frames of a capture: original (at the times of the capture) or "
		  "rate (at --rate). Default rate" },
	{ "speed", 0, "FACTOR", GROUP_FRAMES, SCOPE_CAPTURE, OTHER(parse_speed),
	  .text = "With --timing original: replay this many times as fast, 0.001 to 1000. "
		  "Default 1" },
	{ "rewrite-src-mac", 0, "MAC", GROUP_FRAMES, SCOPE_JOB, OTHER(parse_src_mac),
	  .text = "With --pcap: new source MAC of all frames" },
	{ "rewrite-dst-mac", 0, "MAC", GROUP_FRAMES, SCOPE_JOB, OTHER(parse_dst_mac),
	  .text = "With --pcap: new destination MAC of all frames" },
	{ "rewrite-ip", 0, "FROM=TO", GROUP_FRAMES, SCOPE_JOB, OTHER(parse_networks),
	  .text = "With --pcap: move the IP addresses of a network into another one, IPv4 or IPv6: "
		  "10.1.0.0/16=198.18.0.0/16; for one host: 10.1.0.1=198.18.0.1. Also updates the "
		  "checksums. Up to 16 times" },

	{ "flows", 0, "N", GROUP_AMOUNT, SCOPE_FRAME, OTHER(parse_flows),
	  .text = "Divide each flow into N, with figures of their own: each has 1/N of the "
		  "packets, of the rate, and of the values of fields with several. At most 100,000 "
		  "in all" },
	{ "rate", 'r', "RATE", GROUP_AMOUNT, SCOPE_JOB, OTHER(parse_rate),
	  .text = "Rate of each flow: 2Mpps or 2M (packets per second), 10Gbps (bits of frames), "
		  "10Gbps-line (of the line, with preamble and gap), 40% (of the link, with "
		  "preamble and gap), max. Default max" },
	{ "ramp", 0, "RATE/TIME", GROUP_AMOUNT, SCOPE_JOB, OTHER(parse_ramp),
	  .text = "Begin with this rate and change it linearly, to reach --rate after this time: "
		  "--rate 10Mpps --ramp 1Mpps/30s" },
	{ "count", 'n', "N", GROUP_AMOUNT, SCOPE_JOB, MEMBER(OPTION_COUNT, count),
	  .text = "Packets of each flow: 5000, 10k, 10M, 1G" },
	{ "duration", 't', "TIME", GROUP_AMOUNT, SCOPE_JOB, MEMBER(OPTION_TIME, duration_ns),
	  .text = "Time to send for: 500ms, 10s, 2min, 1h; a number alone is in seconds. "
		  "Default 10s without --count and --pcap" },
	{ "loops", 0, "N", GROUP_AMOUNT, SCOPE_JOB, MEMBER(OPTION_COUNT, loops),
	  .text = "Send the capture N times. Default 1" },
	{ "delay", 0, "TIME", GROUP_AMOUNT, SCOPE_JOB, MEMBER(OPTION_TIME, delay_ns),
	  .text = "Wait for this time before the first packet" },
	{ "burst", 0, "N", GROUP_AMOUNT, SCOPE_JOB, MEMBER(OPTION_COUNT, burst_packets),
	  .text = "Send bursts of N packets, with --burst-gap between them" },
	{ "burst-gap", 0, "TIME", GROUP_AMOUNT, SCOPE_JOB, MEMBER(OPTION_TIME, burst_gap_ns),
	  .text = "Time from the last packet of a burst to the first of the next" },
#include "model/settings.def"

	{ "address", 0, "PORT=IP/PREFIX", GROUP_ADDRESSES, SCOPE_RUN, OTHER(parse_address),
	  .text = "Answer ARP, neighbour solicitations and pings for this address, IPv4 or IPv6; "
		  "PORT is the number of the port: 0=198.18.0.1/24; in a VLAN: "
		  "0=vlan5:198.18.0.1/24. Without /PREFIX the network is this host alone. Up to "
		  "8 times for each port. Default: answer nothing" },
	{ "gateway", 0, "PORT=IP", GROUP_ADDRESSES, SCOPE_RUN, OTHER(parse_gateway),
	  .text = "The router of the port: devx-pktgen resolves its MAC address, sends the IP "
		  "packets of the port to it, and expects them as routers forward them. One for "
		  "IPv4 and one for IPv6, in each VLAN: 0=198.18.0.254 or 0=vlan5:198.18.0.254" },
	{ "queues", 0, "TX:RX", GROUP_CORES, SCOPE_RUN, OTHER(parse_queues),
	  .text = "Send queues and receive queues of each port, or of one: PORT=TX:RX. Default: "
		  "one of each, or as many as the workers of --cores need" },

	{ "json", 0, "FILE", GROUP_REPORTS, SCOPE_RUN, MEMBER(OPTION_PATH, json),
	  .text = "Write JSON records to FILE, one per line: one at the start, one per interval, "
		  "and a final one. -: to stdout; the text for people then goes to stderr" },
	{ "csv", 0, "FILE", GROUP_REPORTS, SCOPE_RUN, MEMBER(OPTION_PATH, csv),
	  .text = "Write the same counters to FILE as CSV: in each record one row per port, one "
		  "per flow, and one for all flows" },
	{ "latency-log", 0, "FILE", GROUP_REPORTS, SCOPE_RUN, MEMBER(OPTION_PATH, latency_log),
	  .text = "Write the histograms of latency and jitter as a log of HdrHistogram (V2)" },
	{ "all-flows", 0, NULL, GROUP_REPORTS, SCOPE_RUN, MEMBER(OPTION_FLAG, all_flows),
	  .text = "Print every flow in the plan and in the result. By default, of more than 32 "
		  "flows, the plan has the first ten, and the result the ten worst and a "
		  "distribution" },
	{ "interval", 0, "TIME", GROUP_REPORTS, SCOPE_RUN, OTHER(parse_interval),
	  .text = "Time between two records of --json and --csv. Default 1s" },

	{ "no-huge", 0, NULL, GROUP_OTHER, SCOPE_RUN, MEMBER(OPTION_FLAG, no_huge),
	  .text = "Use ordinary memory even if hugepages are free" },
	{ "allow-monitor", 0, NULL, GROUP_OTHER, SCOPE_RUN, MEMBER(OPTION_FLAG, allow_monitor),
	  .text = "Let \"devx-pktgen monitor\" show the figures of this run; needs free huge "
		  "pages" },
	{ "verbose", 'v', NULL, GROUP_OTHER, SCOPE_RUN, MEMBER(OPTION_FLAG, verbose),
	  .text = "Show the log of EAL and of the drivers" },
	{ 0 },
};

/* ---- arguments ------------------------------------------------------------------- */

static const char *take_field(struct options *o, const struct option_row *row, const char *argument)
{
	const struct header_kind *kind = o->stack.headers[row->header].kind;
	const struct header_field *field;
	struct pattern values;
	const char *why;

	o->field_option = row->name;
	if (o->packet)
		return NULL; /* options_check() refuses both together */
	field = header_find_field(kind, row->field, strlen(row->field));
	why = pattern_parse(&values, argument, field->format, field->bits);
	if (why)
		return why;
	why = stack_set_field(&o->stack, row->header, field, &values);
	pattern_free(&values);
	return why;
}

static const char *take_setting(struct options *o, unsigned number, const char *argument)
{
	const struct json_node *n = &job_settings_keys[number];
	void *place = (char *)o + n->at;
	uint64_t value;
	const char *why;

	o->settings |= 1u << number;
	switch (n->kind) {
	case NODE_BOOL:
		*(bool *)place = true;
		return NULL;
	case NODE_ENUM:
		return choice_parse(n->names, argument, place);
	case NODE_UINT:
		why = units_parse_range(argument, n->min, n->max, &value);
		if (!why)
			json_set_uint(n, place, value);
		return why;
	default:
		return n->parse(place, argument);
	}
}

static const char *take_path(const struct option_row *row, const char **place, const char *argument)
{
	if (*place && !strcmp(row->name, "pcap"))
		return reason_format("the second capture, after %s (valid: one); join them: "
				     "mergecap -a -w NEW %s %s",
				     *place, *place, argument);
	if (*place)
		return reason_format("given before, as %s (valid: once); leave one out", *place);
	*place = argument;
	return NULL;
}

const char *option_take(struct options *o, const struct option_row *row, const char *argument)
{
	void *place = (char *)o + row->at;

	if (row->scope == SCOPE_JOB || row->scope == SCOPE_CAPTURE)
		o->job_option = row->name;
	if (row->scope == SCOPE_CAPTURE)
		o->capture_option = row->name;
	if (row->scope == SCOPE_FRAME)
		o->frame_option = row->name;
	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)place = true;
		return NULL;
	case OPTION_PATH:
		return take_path(row, place, argument);
	case OPTION_COUNT:
		return units_parse_count(argument, 1ull << PKTGEN_MAX_SEQ_LOG2, place);
	case OPTION_TIME:
		return units_parse_duration(argument, place);
	case OPTION_SETTING:
		return take_setting(o, row->setting, argument);
	case OPTION_FIELD:
		return take_field(o, row, argument);
	case OPTION_OTHER:
		break;
	}
	return row->parse(o, argument);
}
