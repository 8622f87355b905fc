/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/option_args.h"

#include <string.h>

#include "model/options.h"

enum key {
	KEY_RATE = 'r',
	KEY_COUNT = 'n',
	KEY_DURATION = 't',
	KEY_LOOPS = 256,
	KEY_RAMP,
	KEY_DELAY,
	KEY_BURST,
	KEY_BURST_GAP,
	KEY_DRAIN,
	KEY_SEND_ONLY,
	KEY_SENDER,
	KEY_CHECKSUMS,
	KEY_TIMESTAMPS,
};

enum { RATE_BYTES = 32 };

static const struct argp_option rows[] = {
	{ "rate", KEY_RATE, "RATE", 0,
	  "Rate of each flow: 2Mpps or 2M (packets per second), 10Gbps (bits of frames), "
	  "10Gbps-line (of the line, with preamble and gap), 40% (of the link, with preamble and "
	  "gap), max. Default max",
	  0 },
	{ "ramp", KEY_RAMP, "RATE/TIME", 0,
	  "Begin with this rate, and reach --rate after this time; the rate changes evenly: "
	  "--rate 10Mpps --ramp 1Mpps/30s",
	  0 },
	{ "count", KEY_COUNT, "N", 0, "Packets of each flow: 5000, 10k, 10M, 1G", 0 },
	{ "duration", KEY_DURATION, "TIME", 0,
	  "Time to send for: 500ms, 10s, 2min, 1h. Default 10s without --count and --pcap", 0 },
	{ "loops", KEY_LOOPS, "N", 0, "Send the capture N times. Default 1", 0 },
	{ "delay", KEY_DELAY, "TIME", 0, "Wait for this time before the first packet", 0 },
	{ "burst", KEY_BURST, "N", 0, "Send bursts of N packets, with --burst-gap between them",
	  0 },
	{ "burst-gap", KEY_BURST_GAP, "TIME", 0,
	  "Time from the last packet of a burst to the first of the next", 0 },
	{ "drain", KEY_DRAIN, "TIME", 0,
	  "After sending, receive until no frame has arrived for this time, or for 100 ms if "
	  "every packet has arrived. Default 500ms",
	  0 },
	{ "send-only", KEY_SEND_ONLY, 0, 0, "Receive and verify nothing", 0 },
	{ "sender", KEY_SENDER, "NAME", 0,
	  "How to send: mbuf (any port), ring (the generator ring of net_devx: generated frames "
	  "only), or auto: ring if possible, else mbuf. Default auto",
	  0 },
	{ "checksums", KEY_CHECKSUMS, "NAME", 0,
	  "Who writes the checksums of IPv4, UDP and TCP in generated frames: port (its checksum "
	  "offload), software, or auto: the port if it can and the checksum covers the payload. "
	  "Default auto",
	  0 },
	{ "timestamps", KEY_TIMESTAMPS, "NAME", 0,
	  "The clock of the receive times, and so of latencies: device (the port's timestamps), "
	  "tsc (when the CPU sees the frame), or auto: device if the port has timestamps. Default "
	  "auto",
	  0 },
	{ 0 },
};

/* Reads "RATE/TIME". Returns NULL, or the reason of a refusal. */
static const char *read_ramp(struct options *o, const char *arg)
{
	const char *slash = strchr(arg, '/'), *why;
	char rate[RATE_BYTES];

	if (!slash || (size_t)(slash - arg) >= sizeof(rate))
		return "must be a rate and a time (valid: 1Mpps/30s)";
	memcpy(rate, arg, (size_t)(slash - arg));
	rate[slash - arg] = '\0';
	why = units_parse_rate(rate, &o->ramp_from);
	if (!why && o->ramp_from.unit == RATE_MAX)
		why = "max is no rate to begin with (valid: 1Mpps/30s)";
	return why ? why : units_parse_duration(slash + 1, &o->ramp_ns);
}

static error_t parse_amount_option(int key, char *arg, struct argp_state *state)
{
	const uint64_t most = 1ull << PKTGEN_MAX_SEQ_LOG2;
	struct options *o = state->input;

	switch (key) {
	case KEY_RATE:
		o->job_option = "rate";
		option_check(state, "rate", arg, units_parse_rate(arg, &o->rate));
		return 0;
	case KEY_RAMP:
		o->job_option = "ramp";
		option_check(state, "ramp", arg, read_ramp(o, arg));
		return 0;
	case KEY_COUNT:
		o->job_option = "count";
		option_check(state, "count", arg, units_parse_count(arg, most, &o->count));
		return 0;
	case KEY_LOOPS:
		o->job_option = "loops";
		option_check(state, "loops", arg, units_parse_count(arg, most, &o->loops));
		return 0;
	case KEY_DURATION:
		o->job_option = "duration";
		option_check(state, "duration", arg, units_parse_duration(arg, &o->duration_ns));
		return 0;
	case KEY_DELAY:
		o->job_option = "delay";
		option_check(state, "delay", arg, units_parse_duration(arg, &o->delay_ns));
		return 0;
	case KEY_BURST:
		o->job_option = "burst";
		option_check(state, "burst", arg, units_parse_count(arg, most, &o->burst_packets));
		return 0;
	case KEY_BURST_GAP:
		o->job_option = "burst-gap";
		option_check(state, "burst-gap", arg, units_parse_duration(arg, &o->burst_gap_ns));
		return 0;
	case KEY_DRAIN:
		o->settings |= SETTING_DRAIN;
		option_check(state, "drain", arg, units_parse_duration(arg, &o->drain_ns));
		return 0;
	case KEY_SEND_ONLY:
		o->settings |= SETTING_SEND_ONLY;
		o->send_only = true;
		return 0;
	case KEY_SENDER:
		o->settings |= SETTING_SENDER;
		option_check(state, "sender", arg,
			     choice_parse(sender_names, arg, (int *)&o->sender));
		return 0;
	case KEY_CHECKSUMS:
		o->settings |= SETTING_CHECKSUMS;
		option_check(state, "checksums", arg,
			     choice_parse(checksums_names, arg, (int *)&o->checksums));
		return 0;
	case KEY_TIMESTAMPS:
		o->settings |= SETTING_TIMESTAMPS;
		option_check(state, "timestamps", arg,
			     choice_parse(timestamps_names, arg, (int *)&o->timestamps));
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

const struct argp options_amount_argp = { .options = rows, .parser = parse_amount_option };
