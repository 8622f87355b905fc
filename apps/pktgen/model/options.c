/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/options.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit.h"
#include "cli/messages.h"
#include "model/job_check.h"
#include "model/option_rows.h"

enum { DEFAULT_INTERVAL_NS = 1000 * 1000 * 1000, FIRST_KEY = 256, MAX_ROWS = 64 };

const char *argp_program_version = "devx-pktgen " PKTGEN_VERSION;

static const char *const group_names[] = {
	[GROUP_PORTS] = "Ports:",
	[GROUP_FRAMES] = "Frames:",
	[GROUP_AMOUNT] = "Amount and rate:",
	[GROUP_ADDRESSES] = "Addresses:",
	[GROUP_CORES] = "Cores:",
	[GROUP_REPORTS] = "Reports:",
	[GROUP_OTHER] = "Other:",
};

/* argp would break these lines at column 79 without indentation, so the text has its own breaks. */
static const char doc[] =
	"Send packets, receive them, and account for each one.\n"
	"\n"
	"Options:\v"
	"\"run\" sends from --port to --port. \"demo\" sends 10,000,000 packets between two\n"
	"emulated adapters. \"monitor\" shows the figures of a running devx-pktgen\n"
	"(devx-pktgen monitor --help).\n"
	"\n"
	"Counters of a flow:\n"
	"  lost        sent, and no copy arrived\n"
	"  duplicated  arrived after another copy\n"
	"  reordered   first copy, intact, that arrived after an intact packet with a\n"
	"              higher number (RFC 4737)\n"
	"  corrupted   arrived damaged; not counted as lost\n"
	"  changed     arrived whole, with other headers than sent (--expect)\n"
	"  received    = sent - lost + duplicated\n"
	"\n"
	"Sizes, bytes and bit rates include the FCS (4 bytes), not preamble and gap.\n"
	"\n"
	"Exit status:\n"
	"  0    every packet arrived as sent, at the requested rate (at least 99%)\n"
	"  1    a packet is missing, duplicated, reordered, damaged or changed against\n"
	"       --expect, or the rate was not kept\n"
	"  2    the command line asks for something that is impossible\n"
	"  3    the machine lacks a device, a driver, memory or permission\n"
	"  4    a report could not be written: to stdout, or to a file of --json or\n"
	"       --csv\n"
	"  130  SIGINT ended the run (143: SIGTERM, 129: SIGHUP), and its report is\n"
	"       complete\n"
	"\n"
	"Examples:\n"
	"  devx-emu --ports 2 --wire pair,pause=on -- devx-pktgen demo\n"
	"  devx-pktgen run --port net_devx0,ibdev=mlx5_0 --size 1518 --duration 10s\n"
	"  devx-pktgen run --port 0000:08:00.0 --pcap capture.pcap --loops 100";

/* Ends the program with one line on stderr, unless @why is NULL. */
static void refuse_if(const char *why)
{
	if (why)
		exit(report_error(PKTGEN_USAGE, "%s", why));
}

static void check_combinations(const struct options *o)
{
	const char *replaced = o->frame_option ? o->frame_option : o->pcap ? "pcap" : o->job_option;

	if (o->config && (replaced || o->demo))
		exit(report_error(PKTGEN_USAGE,
				  "%s%s and --config: the job file has the ports and the flows; "
				  "change them there",
				  replaced ? "--" : "", replaced ? replaced : "demo"));
	refuse_if(options_check_reports(o));
	if (!o->config)
		refuse_if(options_check(o));
}

static const struct option_row *find_row(int key)
{
	for (const struct option_row *row = option_rows; row->name; row++) {
		if (key == (row->key ? row->key : FIRST_KEY + (int)(row - option_rows)))
			return row;
	}
	return NULL;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	const struct option_row *row = find_row(key);
	struct options *o = state->input;
	const char *why;

	if (row) {
		why = option_take(o, row, arg);
		if (why)
			exit(report_error(PKTGEN_USAGE, "--%s %s: %s", row->name, arg, why));
		return 0;
	}
	if (key == ARGP_KEY_ARG) {
		if (state->arg_num || strcmp(arg, o->demo ? "demo" : "run") != 0)
			exit(report_error(PKTGEN_USAGE,
					  "%s: unknown command (valid: run, demo, monitor); give "
					  "EAL options after --",
					  arg));
		return 0;
	}
	if (key != ARGP_KEY_END)
		return ARGP_ERR_UNKNOWN;
	if (o->original_timing && !(o->speed > 0))
		o->speed = 1;
	check_combinations(o);
	return 0;
}

/* Makes the options of argp: the name of each group, followed by its rows. */
static void make_options(struct argp_option options[MAX_ROWS])
{
	for (int group = GROUP_PORTS; group <= GROUP_OTHER; group++) {
		*options++ = (struct argp_option){ .doc = group_names[group], .group = group };
		for (const struct option_row *row = option_rows; row->name; row++) {
			const int key = row->key ? row->key : FIRST_KEY + (int)(row - option_rows);

			if ((int)row->group == group)
				*options++ =
					(struct argp_option){ row->name, key,       row->argument,
							      0,         row->text, group };
		}
	}
}

static void set_demo(struct options *o)
{
	o->demo = true;
	o->ports[0] = "net_devx0,ibdev=mlx5_0";
	o->ports[1] = "net_devx1,ibdev=mlx5_1";
	o->n_ports = 2;
}

/* Copies the arguments, because argp reorders them. */
static char **copy_arguments(int argc, char **argv)
{
	char **copy = calloc((size_t)argc + 1, sizeof(*copy));

	return copy ? memcpy(copy, argv, (size_t)argc * sizeof(*copy)) : argv;
}

void options_parse(struct options *o, int argc, char **argv)
{
	static struct argp_option options[MAX_ROWS];
	static const struct argp argp = {
		.options = options,
		.parser = parse_option,
		.args_doc = "run [-- EAL-OPTION...]\ndemo [-- EAL-OPTION...]\nmonitor [PID]",
		.doc = doc,
	};
	int n = 1;

	*o = (struct options){
		.drain_ns = 500ull * 1000 * 1000,
		.rx_ring = 1024,
		.tx_ring = 1024,
		.argc = argc,
		.argv = copy_arguments(argc, argv),
	};
	make_options(options);
	size_set_fixed(&o->size, PKTGEN_MIN_SIZE);
	stack_parse(&o->stack, PKTGEN_DEFAULT_PACKET);
	while (n < argc && strcmp(argv[n], "--"))
		n++;
	if (n < argc) {
		o->n_eal = argc - n - 1;
		o->eal = argv + n + 1;
	}
	if (n > 1 && !strcmp(argv[1], "demo"))
		set_demo(o);
	argp_err_exit_status = PKTGEN_USAGE;
	if (n == 1)
		refuse_if("no command (valid: run, demo, monitor); --help lists the options");
	argp_parse(&argp, n, argv, 0, NULL, o);
	if (!o->interval_ns)
		o->interval_ns = DEFAULT_INTERVAL_NS;
	if (!o->count && !o->duration_ns && !o->pcap && !o->config) {
		if (o->demo)
			o->count = 10 * 1000 * 1000;
		else
			o->duration_ns = 10ull * 1000 * 1000 * 1000;
	}
}
