/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/option_args.h"

#include <string.h>

#include "base/exit.h"
#include "model/options.h"

enum { MIN_INTERVAL_NS = 10 * 1000 * 1000, DEFAULT_INTERVAL_NS = 1000 * 1000 * 1000 };

enum key {
	KEY_JSON = 256,
	KEY_CSV,
	KEY_LATENCY_LOG,
	KEY_INTERVAL,
};

static const struct argp_option rows[] = {
	{ "json", KEY_JSON, "FILE", 0,
	  "Write JSON records to FILE, one in each line: a start, intervals, and a final one. -: "
	  "to "
	  "stdout, and the text for people goes to stderr",
	  0 },
	{ "csv", KEY_CSV, "FILE", 0, "Write the same counters as CSV, one row per port and flow",
	  0 },
	{ "latency-log", KEY_LATENCY_LOG, "FILE", 0,
	  "Write the histograms of latency and jitter as a log of HdrHistogram (V2)", 0 },
	{ "interval", KEY_INTERVAL, "TIME", 0, "Time between two records. Default 1s", 0 },
	{ 0 },
};

static bool is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

static void check_reports(const struct argp_state *state, const struct options *o)
{
	if (is_stdout(o->json) + is_stdout(o->csv) + is_stdout(o->latency_log) > 1)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "%s and %s: both write to stdout; give one of them a file",
			     is_stdout(o->json) ? "--json -" : "--csv -",
			     is_stdout(o->latency_log) ? "--latency-log -" : "--csv -");
	if (o->latency_log && o->send_only)
		argp_failure(
			state, PKTGEN_USAGE, 0,
			"--latency-log and --send-only: no latency without a receiver; give one");
	if (o->interval_ns && !o->json && !o->csv)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "--interval: no records; give --json or --csv, too");
}

static error_t parse_report_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case KEY_JSON:
		o->json = arg;
		return 0;
	case KEY_CSV:
		o->csv = arg;
		return 0;
	case KEY_LATENCY_LOG:
		o->latency_log = arg;
		return 0;
	case KEY_INTERVAL:
		option_check(state, "interval", arg, units_parse_duration(arg, &o->interval_ns));
		if (o->interval_ns < MIN_INTERVAL_NS)
			option_check(state, "interval", arg, "is too short (valid: 10ms or more)");
		return 0;
	case ARGP_KEY_END:
		check_reports(state, o);
		if (!o->interval_ns)
			o->interval_ns = DEFAULT_INTERVAL_NS;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

const struct argp options_report_argp = { .options = rows, .parser = parse_report_option };
