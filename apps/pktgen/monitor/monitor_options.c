/* SPDX-License-Identifier: BSD-3-Clause */
#include "monitor/monitor_options.h"

#include <argp.h>
#include <limits.h>
#include <stdlib.h>

#include "base/exit.h"
#include "cli/messages.h"
#include "cli/units.h"

enum { MIN_INTERVAL_NS = 10 * 1000 * 1000, DEFAULT_INTERVAL_NS = 1000 * 1000 * 1000 };
enum key { KEY_JSON = 'j', KEY_INTERVAL = 256, KEY_COUNT };

static const struct argp_option rows[] = {
	{ "json", KEY_JSON, 0, 0, "Print JSON records, one per line", 0 },
	{ "interval", KEY_INTERVAL, "TIME", 0, "Time between two reports. Default 1s", 0 },
	{ "count", KEY_COUNT, "N", 0, "End after N reports. Default: when the run ends", 0 },
	{ 0 },
};

static const char doc[] =
	"Show the figures of a running devx-pktgen, as a secondary process of DPDK.\n"
	"\n"
	"Options:\v"
	"PID is the process id of the devx-pktgen to show; leave it out if only one is\n"
	"running. That devx-pktgen must run with --allow-monitor, on huge pages, as the\n"
	"same user. If it runs under devx-emu, start the monitor under the same\n"
	"devx-emu, or with devx-emu --attach.\n"
	"\n"
	"Exit status:\n"
	"  0    the run ended, or --count reports were printed\n"
	"  2    the command line asks for something that is impossible\n"
	"  3    no devx-pktgen is running, or it cannot be shown\n"
	"  4    a report cannot be written to stdout\n"
	"  130  SIGINT ended the monitor (143: SIGTERM); the run goes on\n"
	"\n"
	"Examples:\n"
	"  devx-pktgen run --allow-monitor --port net_devx0,ibdev=mlx5_0 &\n"
	"  devx-pktgen monitor\n"
	"  devx-pktgen monitor --json --interval 100ms 4711";

static void check_argument(const char *option, const char *arg, const char *why)
{
	if (why)
		exit(report_error(PKTGEN_USAGE, "--%s %s: %s", option, arg, why));
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct monitor_options *o = state->input;
	uint64_t pid = 0;

	switch (key) {
	case KEY_JSON:
		o->json = true;
		return 0;
	case KEY_INTERVAL:
		check_argument("interval", arg, units_parse_duration(arg, &o->interval_ns));
		if (o->interval_ns < MIN_INTERVAL_NS)
			check_argument("interval", arg, "is too short (valid: 10ms or more)");
		return 0;
	case KEY_COUNT:
		check_argument("count", arg, units_parse_count(arg, UINT32_MAX, &o->count));
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num || units_parse_range(arg, 1, INT_MAX, &pid))
			exit(report_error(PKTGEN_USAGE,
					  "monitor %s: is invalid (valid: at most one process id)",
					  arg));
		o->pid = (int)pid;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

void monitor_options_parse(struct monitor_options *o, int argc, char **argv)
{
	static const struct argp argp = {
		.options = rows, .parser = parse_option, .args_doc = "[PID]", .doc = doc
	};

	*o = (struct monitor_options){ .interval_ns = DEFAULT_INTERVAL_NS };
	argv[0] = (char *)"devx-pktgen monitor";
	argp_err_exit_status = PKTGEN_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, o);
}
