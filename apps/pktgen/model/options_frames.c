/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/option_args.h"

#include <stdlib.h>
#include <string.h>

#include "model/options.h"

enum key {
	KEY_SIZE = 's',
	KEY_SRC_MAC = 256,
	KEY_DST_MAC,
	KEY_SRC_IP,
	KEY_DST_IP,
	KEY_SPORT,
	KEY_DPORT,
	KEY_PACKET,
	KEY_PCAP,
	KEY_TIMING,
	KEY_SPEED,
	KEY_REWRITE_SRC_MAC,
	KEY_REWRITE_DST_MAC,
	KEY_REWRITE_IP,
};

static const struct argp_option rows[] = {
	{ "size", KEY_SIZE, "SIZES", 0,
	  "Frame size on the wire, from the destination MAC to the FCS: 64 to 10000. Or several: "
	  "64-1518 (counts up by 1), random:64-1518, 64,512,1518 (in turn), 64:7,594:4,1518:1 "
	  "(weights), imix (64:7,570:4,1518:1), ipsec_imix, tcp_imix. Default 64",
	  0 },
	{ "packet", KEY_PACKET, "HEADERS", 0,
	  "Headers of the frames, with their fields: ethernet/vlan(id=5)/ipv6/"
	  "tcp(dst_port=80;443,ctl_syn=1). doc/pktgen.md lists headers and fields. "
	  "Default: " PKTGEN_DEFAULT_PACKET,
	  0 },
	{ "src-mac", KEY_SRC_MAC, "MAC", 0, "Source MAC. Default: that of the sending port", 0 },
	{ "dst-mac", KEY_DST_MAC, "MAC", 0, "Destination MAC. Default: that of the receiving port",
	  0 },
	{ "src-ip", KEY_SRC_IP, "IP", 0,
	  "Source IPv4 address, or several: 198.18.0.1-198.18.255.254 (counts up by 1), "
	  "198.18.0.0-198.18.255.0/256 (by 256), 198.18.0.1,198.18.9.9 (in turn), "
	  "random:198.18.0.1-198.18.255.254, mask:198.18.0.1/0.0.255.0 (random in these bits). "
	  "Default 198.18.0.1",
	  0 },
	{ "dst-ip", KEY_DST_IP, "IP", 0, "Destination IPv4 address, or several. Default 198.19.0.1",
	  0 },
	{ "sport", KEY_SPORT, "PORT", 0,
	  "UDP source port, or several: 1024-65535, random:1024-65535. Default 49152", 0 },
	{ "dport", KEY_DPORT, "PORT", 0, "UDP destination port, or several. Default 9", 0 },
	{ "pcap", KEY_PCAP, "FILE", 0,
	  "Send the frames of a capture (pcap or pcapng, Ethernet); - reads stdin", 0 },
	{ "timing", KEY_TIMING, "NAME", 0,
	  "When to send the frames of a capture: original (at the times of the capture) or rate "
	  "(at "
	  "--rate). Default rate",
	  0 },
	{ "speed", KEY_SPEED, "FACTOR", 0,
	  "With --timing original: send so many times as fast: 0.001 to 1000. Default 1", 0 },
	{ "rewrite-src-mac", KEY_REWRITE_SRC_MAC, "MAC", 0,
	  "With --pcap: the new source MAC of all frames", 0 },
	{ "rewrite-dst-mac", KEY_REWRITE_DST_MAC, "MAC", 0,
	  "With --pcap: the new destination MAC of all frames", 0 },
	{ "rewrite-ip", KEY_REWRITE_IP, "FROM=TO", 0,
	  "With --pcap: move the IP addresses of a network into another one, IPv4 or IPv6: "
	  "10.1.0.0/16=198.18.0.0/16; for one host: 10.1.0.1=198.18.0.1. Checksums follow. Up to "
	  "16 times",
	  0 },
	{ 0 },
};

/* A field of the default packet that has an option of its own. */
struct field_option {
	int key;
	const char *name;
	unsigned header;
	const char *field;
};
static const struct field_option field_options[] = {
	{ KEY_SRC_MAC, "src-mac", 0, "src" },
	{ KEY_DST_MAC, "dst-mac", 0, "dst" },
	{ KEY_SRC_IP, "src-ip", 1, "src" },
	{ KEY_DST_IP, "dst-ip", 1, "dst" },
	{ KEY_SPORT, "sport", 2, "src_port" },
	{ KEY_DPORT, "dport", 2, "dst_port" },
	{ 0 },
};

static const struct field_option *find_field_option(int key)
{
	const struct field_option *f = field_options;

	while (f->key && f->key != key)
		f++;
	return f->key ? f : NULL;
}

static void parse_field_option(struct argp_state *state, const struct field_option *f,
			       const char *arg)
{
	struct options *o = state->input;
	const struct header_kind *kind = o->stack.headers[f->header].kind;
	const struct header_field *field = header_find_field(kind, f->field, strlen(f->field));
	struct pattern values;

	o->frame_option = f->name;
	o->field_option = f->name;
	if (o->packet)
		return; /* options.c refuses both together */
	option_check(state, f->name, arg, pattern_parse(&values, arg, field->format, field->bits));
	option_check(state, f->name, arg, stack_set_field(&o->stack, f->header, field, &values));
	pattern_free(&values);
}

static void parse_packet(struct argp_state *state, const char *arg)
{
	struct options *o = state->input;

	o->frame_option = "packet";
	o->packet = arg;
	stack_free(&o->stack);
	option_check(state, "packet", arg, stack_parse(&o->stack, arg));
}

static const char *parse_timing(struct options *o, const char *arg)
{
	o->original_timing = !strcmp(arg, "original");
	return o->original_timing || !strcmp(arg, "rate") ? NULL
							  : "unknown (valid: original, rate)";
}

static const char *parse_speed(struct options *o, const char *arg)
{
	char *end;

	o->speed = strtod(arg, &end);
	return end != arg && !*end && o->speed >= JOB_MIN_SPEED && o->speed <= JOB_MAX_SPEED
		       ? NULL
		       : "must be a factor from 0.001 to 1000";
}

/* Reads "FROM=TO". Returns NULL, or the reason of a refusal. */
static const char *parse_rewrite(struct options *o, const char *arg)
{
	const char *equals = strchr(arg, '=');
	const char *why = "must be two networks (valid: 10.1.0.0/16=198.18.0.0/16)";
	char *from;

	if (!equals)
		return why;
	from = strndup(arg, (size_t)(equals - arg));
	why = from ? rewrite_add_network(&o->rewrite, from, equals + 1) : "no memory for the text";
	free(from);
	return why;
}

static error_t parse_frame_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	if (find_field_option(key)) {
		parse_field_option(state, find_field_option(key), arg);
		return 0;
	}
	switch (key) {
	case KEY_PACKET:
		parse_packet(state, arg);
		return 0;
	case KEY_SIZE:
		o->frame_option = "size";
		option_check(state, "size", arg, size_parse(&o->size, arg));
		return 0;
	case KEY_TIMING:
		option_check(state, "timing", arg, parse_timing(o, arg));
		return 0;
	case KEY_SPEED:
		option_check(state, "speed", arg, parse_speed(o, arg));
		return 0;
	case KEY_REWRITE_SRC_MAC:
		o->job_option = "rewrite-src-mac";
		option_check(state, "rewrite-src-mac", arg,
			     rewrite_set_mac(&o->rewrite, true, arg));
		return 0;
	case KEY_REWRITE_DST_MAC:
		o->job_option = "rewrite-dst-mac";
		option_check(state, "rewrite-dst-mac", arg,
			     rewrite_set_mac(&o->rewrite, false, arg));
		return 0;
	case KEY_REWRITE_IP:
		o->job_option = "rewrite-ip";
		option_check(state, "rewrite-ip", arg, parse_rewrite(o, arg));
		return 0;
	case KEY_PCAP:
		o->pcap = arg;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

const struct argp options_frames_argp = { .options = rows, .parser = parse_frame_option };
