/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit.h"
#include "cases/cases.h"
#include "cli/units.h"

const char *argp_program_version = "devx-bench " BENCH_VERSION;

enum key {
	KEY_FILTER = 'f',
	KEY_JSON = 'j',
	KEY_PORT = 'p',
	KEY_QUIET = 'q',
	KEY_VERBOSE = 'v',
	KEY_CSV = 256,
	KEY_MARKDOWN,
	KEY_PLOT,
	KEY_COMPARE,
	KEY_TARGETS,
	KEY_WITH,
	KEY_TIME_LIMIT,
	KEY_WIDTH,
	KEY_SHORT,
	KEY_NO_HUGE,
};

#define NO_COMMAND "no command (valid: list, compare, all, or a case); --help lists the options"

enum { NAMES_BYTES = 256 };

static const double usual_time_limit_s = 2, usual_width = 0.02;

static const struct argp_option rows[] = {
	{ .doc = "What to measure:", .group = 1 },
	{ "filter", KEY_FILTER, "GLOB", 0,
	  "Only points whose path matches: cycles/rx or '*/burst=64/*'; devx-bench list prints "
	  "the paths. May be given more than once",
	  0 },
	{ "port", KEY_PORT, "DEVICE", 0,
	  "Measure this device, as EAL names devices: net_devx0,ibdev=mlx5_0 or 0000:08:00.0. "
	  "Default: net_devx and net_mlx5 on emu",
	  0 },
	{ "short", KEY_SHORT, 0, 0, "Only the points that CI judges", 0 },
	{ .doc = "How long:", .group = 2 },
	{ "time-limit", KEY_TIME_LIMIT, "TIME", 0,
	  "Longest time for one point: 500ms, 2s, 1min. Default 2s", 0 },
	{ "width", KEY_WIDTH, "PERCENT", 0,
	  "A point ends when its 95% interval is narrower than this share of the median. Default 2",
	  0 },
	{ .doc = "Output:", .group = 3 },
	{ "json", KEY_JSON, "FILE", 0, "Write the rows as JSON; - is stdout, without the table",
	  0 },
	{ "csv", KEY_CSV, "FILE", 0, "Write one line for each value; - is stdout", 0 },
	{ "markdown", KEY_MARKDOWN, "FILE", 0, "Write the tables as Markdown; - is stdout", 0 },
	{ "plot", KEY_PLOT, "DIR", 0,
	  "Draw cycles against burst and against size, and bars of stages, as SVG and PNG "
	  "(needs gnuplot)",
	  0 },
	{ "compare", KEY_COMPARE, "OLD.json", 0,
	  "Print what changed beyond the noise since OLD.json; exit with 1 after a regression", 0 },
	{ "with", KEY_WITH, "OTHER.json", 0,
	  "Also print the rows of another run, for example of net_mlx5 with another DPDK. Its "
	  "drivers are named with their version of DPDK",
	  0 },
	{ "targets", KEY_TARGETS, "FILE", 0, "Targets of the command compare", 0 },
	{ .doc = "Other:", .group = 4 },
	{ "no-huge", KEY_NO_HUGE, 0, 0, "Use ordinary memory even if hugepages are free", 0 },
	{ "quiet", KEY_QUIET, 0, 0, "Print no progress", 0 },
	{ "verbose", KEY_VERBOSE, 0, 0, "Show the log of EAL and of the drivers", 0 },
	{ 0 },
};

/* argp breaks lines at column 79 without indentation: the text breaks its lines itself. */
static const char doc[] =
	"Measure what one core pays for a packet, with any driver of DPDK, on emu or on\n"
	"an adapter.\n"
	"\n"
	"Options:\v"
	"CASE is one of those that \"devx-bench list\" names. \"all\" runs every case.\n"
	"\"compare\" measures the points of the targets. For each path it prints\n"
	"net_mlx5, net_devx, their ratio, the target and a verdict.\n"
	"\n"
	"Without --port, devx-bench starts itself under devx-emu, in a network\n"
	"namespace of its own. Numbers are medians with their 95% interval. Figures\n"
	"from emu are the cost of software. They say nothing about an adapter.\n"
	"\n"
	"Exit status:\n"
	"  0    every selected point was measured, or its row says why not\n"
	"  1    a regression (--compare), a missed target (compare), an exceeded\n"
	"       budget, or packets of throughput that do not add up\n"
	"  2    the command line asks for something that is impossible\n"
	"  3    the machine lacks something, or a file cannot be read or written\n"
	"  125  a driver made protocol mistakes on emu\n"
	"  130  SIGINT ended the run (143: SIGTERM); the rows so far were printed\n"
	"\n"
	"Examples:\n"
	"  devx-bench list\n"
	"  devx-bench compare\n"
	"  devx-bench pktgen --filter 'pktgen/*/cores=1' --json pktgen.json\n"
	"  devx-bench all --json now.json --compare old.json --plot plots";

static void check_argument(struct argp_state *state, const char *option, const char *arg,
			   const char *why)
{
	if (why)
		argp_failure(state, BENCH_USAGE, 0, "--%s %s: %s", option, arg, why);
}

static double parse_seconds(struct argp_state *state, const char *option, const char *arg)
{
	uint64_t ns = 0;

	check_argument(state, option, arg, units_parse_duration(arg, &ns));
	return (double)ns / 1e9;
}

static double parse_percent(struct argp_state *state, const char *option, const char *arg)
{
	char *end;
	const double percent = strtod(arg, &end);

	if (end == arg || *end || !(percent > 0) || percent > 100)
		check_argument(state, option, arg,
			       "must be a percentage (valid: above 0, at most 100)");
	return percent / 100;
}

static void add_text(struct argp_state *state, const char *option, const char *arg,
		     const char **list, unsigned *n, unsigned most)
{
	if (*n == most)
		argp_failure(state, BENCH_USAGE, 0, "--%s %s: too many (valid: at most %u)", option,
			     arg, most);
	list[(*n)++] = arg;
}

static error_t parse_file_option(int key, char *arg, struct bench_options *o)
{
	switch (key) {
	case KEY_JSON:
		o->json = arg;
		return 0;
	case KEY_CSV:
		o->csv = arg;
		return 0;
	case KEY_MARKDOWN:
		o->markdown = arg;
		return 0;
	case KEY_PLOT:
		o->plot = arg;
		return 0;
	case KEY_COMPARE:
		o->old = arg;
		return 0;
	case KEY_TARGETS:
		o->targets = arg;
		return 0;
	case KEY_WITH:
		o->with = arg;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static void set_command(struct argp_state *state, const char *name)
{
	struct bench_options *o = state->input;
	char names[NAMES_BYTES] = "";

	if (o->command)
		argp_failure(state, BENCH_USAGE, 0,
			     "%s: a second command after %s; give one, or all with --filter", name,
			     o->command);
	o->command = name;
	o->one = bench_find_case(name);
	if (o->one || !strcmp(name, "list") || !strcmp(name, "compare") || !strcmp(name, "all"))
		return;
	for (const struct bench_case *const *c = bench_cases; *c; c++) {
		const size_t used = strlen(names);

		snprintf(names + used, sizeof(names) - used, ", %s", (*c)->name);
	}
	argp_failure(state, BENCH_USAGE, 0, "%s: unknown case (valid: list, compare, all%s)", name,
		     names);
}

/* Refuses options that are valid alone, but not together. */
static void check_combinations(struct argp_state *state)
{
	const struct bench_options *o = state->input;
	const char *const outputs[] = { o->json, o->csv, o->markdown };
	unsigned n = 0;

	for (unsigned i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++)
		n += outputs[i] && !strcmp(outputs[i], "-");
	if (n > 1)
		argp_failure(state, BENCH_USAGE, 0,
			     "--json, --csv and --markdown: %u outputs go to stdout (valid: 1)", n);
	if (o->targets && strcmp(o->command, "compare"))
		argp_failure(state, BENCH_USAGE, 0,
			     "--targets %s: %s has no targets (valid: compare)", o->targets,
			     o->command);
	if (o->one && o->run.n_ports && o->one->needs_emu)
		argp_failure(state, BENCH_USAGE, 0, "%s --port %s: this case needs emu, because %s",
			     o->command, o->port[0], o->one->needs_emu);
	if (o->one && o->one->own_ports && (o->run.n_ports || o->run.n_eal))
		argp_failure(state, BENCH_USAGE, 0,
			     "%s: --port and options for EAL have no effect, because %s",
			     o->command, o->one->own_ports);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct bench_options *o = state->input;

	switch (key) {
	case KEY_FILTER:
		add_text(state, "filter", arg, o->filter, &o->run.n_filters, BENCH_MAX_FILTERS);
		return 0;
	case KEY_PORT:
		add_text(state, "port", arg, o->port, &o->run.n_ports, BENCH_MAX_PORTS);
		return 0;
	case KEY_SHORT:
		o->run.short_form = true;
		return 0;
	case KEY_TIME_LIMIT:
		o->run.time_limit_s = parse_seconds(state, "time-limit", arg);
		return 0;
	case KEY_WIDTH:
		o->run.width = parse_percent(state, "width", arg);
		return 0;
	case KEY_NO_HUGE:
		o->run.no_huge = true;
		return 0;
	case KEY_QUIET:
		o->run.quiet = true;
		return 0;
	case KEY_VERBOSE:
		o->run.verbose = true;
		return 0;
	case ARGP_KEY_ARG:
		set_command(state, arg);
		return 0;
	case ARGP_KEY_END:
		if (!o->command)
			argp_failure(state, BENCH_USAGE, 0, NO_COMMAND);
		check_combinations(state);
		return 0;
	}
	return parse_file_option(key, arg, o);
}

void options_parse(struct bench_options *o, int argc, char **argv)
{
	static const struct argp argp = {
		rows,
		parse_option,
		"list [--filter GLOB]\nCASE [-- EAL-OPTION...]\nall [-- EAL-OPTION...]\n"
		"compare [-- EAL-OPTION...]",
		doc,
		NULL,
		NULL,
		NULL
	};
	struct argp_state none = { .name = (char *)"devx-bench", .err_stream = stderr };
	int n = 1;

	*o = (struct bench_options){
		.run = { .time_limit_s = usual_time_limit_s, .width = usual_width },
	};
	o->run.filter = o->filter;
	o->run.port = o->port;
	while (n < argc && strcmp(argv[n], "--"))
		n++;
	argp_err_exit_status = BENCH_USAGE;
	if (n < argc) {
		if (argc - n - 1 > BENCH_MAX_EAL)
			argp_failure(&none, BENCH_USAGE, 0,
				     "%d options for EAL after -- (valid: at most %d)",
				     argc - n - 1, BENCH_MAX_EAL);
		o->run.n_eal = argc - n - 1;
		o->run.eal = argv + n + 1;
	}
	if (n == 1)
		argp_failure(&none, BENCH_USAGE, 0, NO_COMMAND);
	argp_parse(&argp, n, argv, 0, NULL, o);
}

bool options_wants_stdout(const struct bench_options *o)
{
	return (o->json && !strcmp(o->json, "-")) || (o->csv && !strcmp(o->csv, "-")) ||
	       (o->markdown && !strcmp(o->markdown, "-"));
}
