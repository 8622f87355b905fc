/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/options.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit.h"
#include "model/flow.h"
#include "model/option_args.h"

const char *argp_program_version = "devx-pktgen " PKTGEN_VERSION;

enum key {
	KEY_PORT = 'p',
	KEY_VERBOSE = 'v',
	KEY_BOTH = 256,
	KEY_MTU,
	KEY_RX_RING,
	KEY_TX_RING,
	KEY_NO_HUGE,
	KEY_ALLOW_MONITOR,
	KEY_CONFIG,
	KEY_PRINT_CONFIG,
};

static const struct argp_option rows[] = {
	{ .doc = "Ports:", .group = 1 },
	{ "port", KEY_PORT, "DEVICE", 0,
	  "Port to use, as EAL names devices: net_devx0,ibdev=mlx5_0 or 0000:08:00.0 or net_ring0. "
	  "One port sends and receives its own frames; of two, the first sends and the second "
	  "receives; of four, the third also sends, and the fourth receives; and so on. Default: "
	  "the ports that the EAL options create",
	  0 },
	{ "config", KEY_CONFIG, "FILE", 0,
	  "Read ports and flows from a job file (JSON, Open Traffic Generator model; "
	  "doc/pktgen-model.md); - reads stdin. It replaces --port and the options of frames, "
	  "amount and rate",
	  0 },
	{ "print-config", KEY_PRINT_CONFIG, 0, 0, "Print the job as a job file, and send nothing",
	  0 },
	{ "both", KEY_BOTH, 0, 0, "Also send a flow back, from the second port to the first", 0 },
	{ "mtu", KEY_MTU, "BYTES", 0, "Set the MTU of the ports. Default: leave it", 0 },
	{ "rx-ring", KEY_RX_RING, "N", 0, "Receive descriptors. Default 1024", 0 },
	{ "tx-ring", KEY_TX_RING, "N", 0, "Send descriptors. Default 1024", 0 },
	{ .doc = "Other:", .group = 6 },
	{ "no-huge", KEY_NO_HUGE, 0, 0, "Use ordinary memory even if hugepages are free", 0 },
	{ "allow-monitor", KEY_ALLOW_MONITOR, 0, 0,
	  "Let \"devx-pktgen monitor\" show the figures of this run; needs free huge pages", 0 },
	{ "verbose", KEY_VERBOSE, 0, 0, "Show the log of EAL and of the drivers", 0 },
	{ 0 },
};

static const struct argp_child children[] = {
	{ &options_frames_argp, 0, "Frames:", 2 },
	{ &options_amount_argp, 0, "Amount and rate:", 3 },
	{ &options_cores_argp, 0, "Cores:", 4 },
	{ &options_report_argp, 0, "Reports for programs:", 5 },
	{ &options_addr_argp, 0, "Addresses:", 4 },
	{ 0 },
};

/* argp breaks lines at column 79 without indentation: the text breaks its lines itself. */
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
	"  received    = sent - lost + duplicated\n"
	"\n"
	"Sizes, bytes and bit rates include the FCS (4 bytes), but not preamble and gap.\n"
	"\n"
	"Exit status:\n"
	"  0    every packet arrived as sent, at the requested rate (at least 99%)\n"
	"  1    a packet is missing, duplicated, reordered or damaged, or the rate was\n"
	"       not kept\n"
	"  2    the command line asks for something that is impossible\n"
	"  3    the machine lacks something\n"
	"  4    a report cannot be written: to stdout, or to the file of --json or --csv\n"
	"  130  SIGINT ended the run (143: SIGTERM); the report was printed\n"
	"\n"
	"Examples:\n"
	"  devx-emu --ports 2 --wire pair,pause=on -- devx-pktgen demo\n"
	"  devx-pktgen run --port net_devx0,ibdev=mlx5_0 --size 1518 --duration 10s\n"
	"  devx-pktgen run --port 0000:08:00.0 --pcap capture.pcap --loops 100";

static void add_port(struct argp_state *state, const char *device)
{
	struct options *o = state->input;

	if (!o->ports_given)
		o->n_ports = 0; /* the user's ports replace the ports of the demo */
	o->ports_given = true;
	o->job_option = "port";
	if (o->n_ports == PKTGEN_MAX_PORTS)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "--port %s: too many ports (valid: at most %d)", device,
			     PKTGEN_MAX_PORTS);
	o->ports[o->n_ports++] = device;
}

static void check_replay(const struct argp_state *state, const struct options *o)
{
	if ((o->original_timing || o->speed > 0) && (!o->pcap || o->rate.unit != RATE_MAX))
		argp_failure(state, PKTGEN_USAGE, 0,
			     "--timing original: needs a capture, and replaces --rate; give --pcap "
			     "FILE, "
			     "and no --rate");
	if (!rewrite_is_empty(&o->rewrite) && !o->pcap)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "--rewrite-...: no capture whose addresses to rewrite; give --pcap "
			     "FILE, or "
			     "the addresses of generated frames (--src-ip ...)");
	if (o->speed > 0 && !o->original_timing)
		argp_failure(state, PKTGEN_USAGE, 0, "--speed: give --timing original, too");
}

/* Refuses bursts and ramps that do not fit together. */
static void check_pace(struct argp_state *state, const struct options *o)
{
	if (!o->burst_packets != !o->burst_gap_ns)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "--burst and --burst-gap: one is missing; give the number of packets "
			     "and the time between bursts");
	if (o->ramp_ns && o->ramp_from.unit != o->rate.unit)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "--ramp needs --rate in the same unit (valid: --rate 10Mpps --ramp "
			     "1Mpps/30s)");
	if (o->ramp_ns && o->burst_packets)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "--ramp and --burst: the gaps between bursts have no ramp; give one");
	if (o->burst_packets && o->count % o->burst_packets)
		argp_failure(
			state, PKTGEN_USAGE, 0,
			"--count %llu: does not consist of bursts (valid: multiples of --burst, "
			"%llu)",
			(unsigned long long)o->count, (unsigned long long)o->burst_packets);
}

/* Refuses options that are valid alone and impossible together. */
static void check_combinations(struct argp_state *state)
{
	const struct options *o = state->input;

	const char *replaced = o->frame_option ? o->frame_option : o->pcap ? "pcap" : o->job_option;

	if (o->config && (replaced || o->demo))
		argp_failure(
			state, PKTGEN_USAGE, 0,
			"%s%s and --config: the job file has the ports and the flows; write it "
			"there",
			replaced ? "--" : "", replaced ? replaced : "demo");
	if (o->config)
		return;
	if (o->print_config && !o->n_ports)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "--print-config: no port; give --port DEVICE, for example --port "
			     "net_devx0,ibdev=mlx5_0");
	if (o->loops && !o->pcap)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "--loops: no capture to repeat; give --pcap FILE, or --count N "
			     "for generated frames");
	if (o->loops && o->count)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "--loops and --count: both set the number of packets; give one");
	check_replay(state, o);
	if (o->frame_option && o->pcap)
		argp_failure(
			state, PKTGEN_USAGE, 0,
			"--%s and --pcap: the frames of a capture are sent unchanged; give one",
			o->frame_option);
	check_pace(state, o);
	if (o->packet && o->field_option)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "--%s and --packet: the first is a field of the default packet; give "
			     "it in --packet",
			     o->field_option);
	if (!o->pcap && o->size.min < flow_compute_min_size(&o->stack))
		argp_failure(state, PKTGEN_USAGE, 0,
			     "--size %u: the headers and the signature need %u bytes (valid: %u to "
			     "%d)",
			     o->size.min, flow_compute_min_size(&o->stack),
			     flow_compute_min_size(&o->stack), PKTGEN_MAX_SIZE);
	if (o->demo && o->send_only)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "demo --send-only: the wire of the demo (pause=on) stops the sender "
			     "when no port receives; use devx-emu --wire sink -- devx-pktgen run "
			     "--send-only --port net_devx0,ibdev=mlx5_0");
	if (o->address_given && o->send_only)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "--address or --gateway, and --send-only: a port that does not "
			     "receive cannot answer, or hear an answer; "
			     "give one");
	if (o->both && o->n_ports == 1)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "--both: 1 port (valid: 2); give --port twice");
	if (o->n_ports > 1 && o->n_ports % 2)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "%u ports (valid: 1, or an even number: pairs of sender and "
			     "receiver); give --port once more or less",
			     o->n_ports);
	if (!o->n_ports && !o->n_eal)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "run: no port; give --port DEVICE, for example --port "
			     "net_devx0,ibdev=mlx5_0");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case KEY_PORT:
		add_port(state, arg);
		return 0;
	case KEY_CONFIG:
		o->config = arg;
		return 0;
	case KEY_PRINT_CONFIG:
		o->print_config = true;
		return 0;
	case KEY_BOTH:
		o->job_option = "both";
		o->both = true;
		return 0;
	case KEY_MTU:
		o->settings |= SETTING_MTU;
		o->mtu =
			(uint16_t)option_parse_range(state, "mtu", arg, PKTGEN_MIN_MTU, UINT16_MAX);
		return 0;
	case KEY_RX_RING:
		o->settings |= SETTING_RX_RING;
		o->rx_ring = (uint32_t)option_parse_range(state, "rx-ring", arg, 1, UINT16_MAX);
		return 0;
	case KEY_TX_RING:
		o->settings |= SETTING_TX_RING;
		o->tx_ring = (uint32_t)option_parse_range(state, "tx-ring", arg, 1, UINT16_MAX);
		return 0;
	case KEY_NO_HUGE:
		o->no_huge = true;
		return 0;
	case KEY_ALLOW_MONITOR:
		o->allow_monitor = true;
		return 0;
	case KEY_VERBOSE:
		o->verbose = true;
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num == 0 && !strcmp(arg, o->demo ? "demo" : "run"))
			return 0;
		argp_failure(state, PKTGEN_USAGE, 0,
			     "%s: unknown command (valid: run, demo, monitor); give EAL options "
			     "after --",
			     arg);
		return 0;
	case ARGP_KEY_INIT:
		for (unsigned i = 0; children[i].argp; i++)
			state->child_inputs[i] = o;
		return 0;
	case ARGP_KEY_END:
		check_combinations(state);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static void set_demo(struct options *o)
{
	o->demo = true;
	o->ports[0] = "net_devx0,ibdev=mlx5_0";
	o->ports[1] = "net_devx1,ibdev=mlx5_1";
	o->n_ports = 2;
}

/* Returns a copy of the arguments in their order, because argp changes the order. */
static char **copy_arguments(int argc, char **argv)
{
	char **copy = calloc((size_t)argc + 1, sizeof(*copy));

	return copy ? memcpy(copy, argv, (size_t)argc * sizeof(*copy)) : argv;
}

void options_parse(struct options *o, int argc, char **argv)
{
	static const struct argp argp = {
		rows,
		parse_option,
		"run [-- EAL-OPTION...]\ndemo [-- EAL-OPTION...]\nmonitor [PID]",
		doc,
		children,
		NULL,
		NULL
	};
	int n = 1;

	*o = (struct options){
		.drain_ns = 500ull * 1000 * 1000,
		.rx_ring = 1024,
		.tx_ring = 1024,
		.argc = argc,
		.argv = copy_arguments(argc, argv),
	};
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
	if (n == 1) {
		struct argp_state none = { .name = (char *)"devx-pktgen", .err_stream = stderr };

		argp_failure(&none, PKTGEN_USAGE, 0,
			     "no command (valid: run, demo, monitor); --help lists the options");
	}
	argp_parse(&argp, n, argv, 0, NULL, o);
	if (o->original_timing && !(o->speed > 0))
		o->speed = 1;
	if (!o->count && !o->duration_ns && !o->pcap && !o->config) {
		if (o->demo)
			o->count = 10 * 1000 * 1000;
		else
			o->duration_ns = 10ull * 1000 * 1000 * 1000;
	}
}
