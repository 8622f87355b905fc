/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/options.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit.h"

const char *argp_program_version = "devx-pktgen " PKTGEN_VERSION;

enum key {
	KEY_RATE = 'r',
	KEY_COUNT = 'n',
	KEY_DURATION = 't',
	KEY_SIZE = 's',
	KEY_PORT = 'p',
	KEY_VERBOSE = 'v',
	KEY_SRC_MAC = 256,
	KEY_DST_MAC,
	KEY_SRC_IP,
	KEY_DST_IP,
	KEY_SPORT,
	KEY_DPORT,
	KEY_PCAP,
	KEY_LOOPS,
	KEY_BOTH,
	KEY_DRAIN,
	KEY_SEND_ONLY,
	KEY_SENDER,
	KEY_MTU,
	KEY_RX_RING,
	KEY_TX_RING,
	KEY_NO_HUGE,
};

static const struct argp_option rows[] = {
	{ .doc = "Ports:", .group = 1 },
	{ "port", KEY_PORT, "DEVICE", 0,
	  "Port to use, as EAL names devices: net_devx0,ibdev=mlx5_0 or 0000:08:00.0 or net_ring0. "
	  "One port sends and receives its own frames; of two, the first sends and the second "
	  "receives. Default: the ports that the EAL options create",
	  0 },
	{ "both", KEY_BOTH, 0, 0, "Also send a flow from the second port to the first", 0 },
	{ "mtu", KEY_MTU, "BYTES", 0, "Set the MTU of the ports. Default: leave it", 0 },
	{ "rx-ring", KEY_RX_RING, "N", 0, "Receive descriptors. Default 1024", 0 },
	{ "tx-ring", KEY_TX_RING, "N", 0, "Send descriptors. Default 1024", 0 },
	{ .doc = "Frames:", .group = 2 },
	{ "size", KEY_SIZE, "SIZES", 0,
	  "Frame size on the wire, from the destination MAC to the FCS: 64 to 10000. Or several: "
	  "64-1518 (counts up by 1), random:64-1518, 64,512,1518 (in turn), 64:7,594:4,1518:1 "
	  "(weights), imix (64:7,570:4,1518:1), ipsec_imix, tcp_imix. Default 64",
	  0 },
	{ "src-mac", KEY_SRC_MAC, "MAC", 0, "Source MAC. Default: that of the sending port", 0 },
	{ "dst-mac", KEY_DST_MAC, "MAC", 0, "Destination MAC. Default: that of the receiving port",
	  0 },
	{ "src-ip", KEY_SRC_IP, "IP", 0,
	  "Source IPv4 address, or several: 198.18.0.1-198.18.255.254 (counts up by 1), "
	  "random:198.18.0.1-198.18.255.254. Default 198.18.0.1",
	  0 },
	{ "dst-ip", KEY_DST_IP, "IP", 0, "Destination IPv4 address, or several. Default 198.19.0.1",
	  0 },
	{ "sport", KEY_SPORT, "PORT", 0,
	  "UDP source port, or several: 1024-65535, random:1024-65535. Default 49152", 0 },
	{ "dport", KEY_DPORT, "PORT", 0, "UDP destination port, or several. Default 9", 0 },
	{ "pcap", KEY_PCAP, "FILE", 0,
	  "Send the frames of a capture, unchanged (pcap or pcapng, Ethernet)", 0 },
	{ .doc = "Amount and rate:", .group = 3 },
	{ "rate", KEY_RATE, "RATE", 0,
	  "Rate of each flow: 2Mpps or 2M (packets per second), 10Gbps (bits of frames), 40% (of "
	  "the "
	  "link, with preamble and gap), max. Default max",
	  0 },
	{ "count", KEY_COUNT, "N", 0, "Packets of each flow: 5000, 10k, 10M, 1G", 0 },
	{ "duration", KEY_DURATION, "TIME", 0,
	  "Time to send for: 500ms, 10s, 2min, 1h. Default 10s without --count and --pcap", 0 },
	{ "loops", KEY_LOOPS, "N", 0, "Send the capture N times. Default 1", 0 },
	{ "drain", KEY_DRAIN, "TIME", 0,
	  "After sending, receive until no frame has arrived for this time, or for 100 ms if "
	  "every packet has arrived. Default 500ms",
	  0 },
	{ "send-only", KEY_SEND_ONLY, 0, 0, "Receive and verify nothing", 0 },
	{ .doc = "Other:", .group = 4 },
	{ "sender", KEY_SENDER, "NAME", 0,
	  "How to send: mbuf (any port), ring (the generator ring of net_devx: generated frames "
	  "only), or auto: ring if possible, else mbuf. Default auto",
	  0 },
	{ "no-huge", KEY_NO_HUGE, 0, 0, "Use ordinary memory even if hugepages are free", 0 },
	{ "verbose", KEY_VERBOSE, 0, 0, "Show the log of EAL and of the drivers", 0 },
	{ 0 },
};

/* argp breaks lines at column 79 without indentation: the text breaks its lines itself. */
static const char doc[] =
	"Send packets, receive them, and account for each one.\n"
	"\n"
	"Options:\v"
	"\"run\" sends from --port to --port. \"demo\" sends 10,000,000 packets between two\n"
	"emulated adapters.\n"
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
	"  3    the machine lacks something, or stdout cannot be written\n"
	"  130  SIGINT ended the run (143: SIGTERM); the report was printed\n"
	"\n"
	"Examples:\n"
	"  devx-emu --ports 2 --wire pair,pause=on -- devx-pktgen demo\n"
	"  devx-pktgen run --port net_devx0,ibdev=mlx5_0 --size 1518 --duration 10s\n"
	"  devx-pktgen run --port 0000:08:00.0 --pcap capture.pcap --loops 100";

/* Ends the program with one line on stderr if a parser gave a reason to refuse the argument. */
static void check_argument(struct argp_state *state, const char *option, const char *arg,
			   const char *why)
{
	if (why)
		argp_failure(state, PKTGEN_USAGE, 0, "--%s %s: %s", option, arg, why);
}

static uint64_t parse_range(struct argp_state *state, const char *option, const char *arg,
			    uint64_t min, uint64_t max)
{
	uint64_t value = 0;

	check_argument(state, option, arg, units_parse_range(arg, min, max, &value));
	return value;
}

/* Returns the name of an option of generated frames (--size, --sport ...); NULL: another option. */
static const char *find_frame_option(int key)
{
	static const int keys[] = { KEY_SRC_MAC, KEY_DST_MAC, KEY_SRC_IP, KEY_DST_IP,
				    KEY_SPORT,   KEY_DPORT,   KEY_SIZE };

	for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		for (const struct argp_option *row = rows; keys[i] == key; row++) {
			if (row->key == key)
				return row->name;
		}
	}
	return NULL;
}

static error_t parse_flow_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	if (find_frame_option(key))
		o->frame_option = find_frame_option(key);
	switch (key) {
	case KEY_SRC_MAC:
		check_argument(state, "src-mac", arg, units_parse_mac(arg, o->src.mac));
		o->src.mac_given = true;
		return 0;
	case KEY_DST_MAC:
		check_argument(state, "dst-mac", arg, units_parse_mac(arg, o->dst.mac));
		o->dst.mac_given = true;
		return 0;
	case KEY_SRC_IP:
		check_argument(state, "src-ip", arg, pattern_parse_ipv4(&o->src.ip, arg));
		return 0;
	case KEY_DST_IP:
		check_argument(state, "dst-ip", arg, pattern_parse_ipv4(&o->dst.ip, arg));
		return 0;
	case KEY_SPORT:
		check_argument(state, "sport", arg, pattern_parse_port(&o->src.port, arg));
		return 0;
	case KEY_DPORT:
		check_argument(state, "dport", arg, pattern_parse_port(&o->dst.port, arg));
		return 0;
	case KEY_SIZE:
		check_argument(state, "size", arg, size_parse(&o->size, arg));
		return 0;
	case KEY_PCAP:
		o->pcap = arg;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static enum sender_choice parse_sender(struct argp_state *state, const char *arg)
{
	static const char *const names[] = {
		[SENDER_AUTO] = "auto",
		[SENDER_MBUF] = "mbuf",
		[SENDER_RING] = "ring",
	};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(arg, names[i]))
			return (enum sender_choice)i;
	}
	check_argument(state, "sender", arg, "unknown sender (valid: mbuf, ring, auto)");
	return SENDER_AUTO;
}

static error_t parse_amount_option(int key, char *arg, struct argp_state *state)
{
	const uint64_t most = 1ull << PKTGEN_MAX_SEQ_LOG2;
	struct options *o = state->input;

	switch (key) {
	case KEY_RATE:
		check_argument(state, "rate", arg, units_parse_rate(arg, &o->rate));
		return 0;
	case KEY_COUNT:
		check_argument(state, "count", arg, units_parse_count(arg, most, &o->count));
		return 0;
	case KEY_LOOPS:
		check_argument(state, "loops", arg, units_parse_count(arg, most, &o->loops));
		return 0;
	case KEY_DURATION:
		check_argument(state, "duration", arg, units_parse_duration(arg, &o->duration_ns));
		return 0;
	case KEY_DRAIN:
		check_argument(state, "drain", arg, units_parse_duration(arg, &o->drain_ns));
		return 0;
	case KEY_SEND_ONLY:
		o->send_only = true;
		return 0;
	case KEY_SENDER:
		o->sender = parse_sender(state, arg);
		return 0;
	}
	return parse_flow_option(key, arg, state);
}

static void add_port(struct argp_state *state, const char *device)
{
	struct options *o = state->input;

	if (!o->ports_given)
		o->n_ports = 0; /* the user's ports replace the ports of the demo */
	o->ports_given = true;
	if (o->n_ports == PKTGEN_MAX_PORTS)
		argp_failure(state, PKTGEN_USAGE, 0, "--port %s: too many ports (valid: at most 2)",
			     device);
	o->ports[o->n_ports++] = device;
}

/* Refuses options that are valid alone and impossible together. */
static void check_combinations(struct argp_state *state)
{
	const struct options *o = state->input;

	if (o->loops && !o->pcap)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "--loops: no capture to repeat; give --pcap FILE, or --count N "
			     "for generated frames");
	if (o->loops && o->count)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "--loops and --count: both set the number of packets; give one");
	if (o->frame_option && o->pcap)
		argp_failure(
			state, PKTGEN_USAGE, 0,
			"--%s and --pcap: the frames of a capture are sent unchanged; give one",
			o->frame_option);
	if (o->demo && o->send_only)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "demo --send-only: the wire of the demo (pause=on) stops the sender "
			     "when no port receives; use devx-emu --wire sink -- devx-pktgen run "
			     "--send-only --port net_devx0,ibdev=mlx5_0");
	if (o->both && o->n_ports == 1)
		argp_failure(state, PKTGEN_USAGE, 0,
			     "--both: 1 port (valid: 2); give --port twice");
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
	case KEY_BOTH:
		o->both = true;
		return 0;
	case KEY_MTU:
		o->mtu = (uint16_t)parse_range(state, "mtu", arg, PKTGEN_MIN_MTU, UINT16_MAX);
		return 0;
	case KEY_RX_RING:
		o->rx_ring = (uint32_t)parse_range(state, "rx-ring", arg, 1, UINT16_MAX);
		return 0;
	case KEY_TX_RING:
		o->tx_ring = (uint32_t)parse_range(state, "tx-ring", arg, 1, UINT16_MAX);
		return 0;
	case KEY_NO_HUGE:
		o->no_huge = true;
		return 0;
	case KEY_VERBOSE:
		o->verbose = true;
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num == 0 && !strcmp(arg, o->demo ? "demo" : "run"))
			return 0;
		argp_failure(state, PKTGEN_USAGE, 0,
			     "%s: unknown command (valid: run, demo); give EAL options after --",
			     arg);
		return 0;
	case ARGP_KEY_END:
		check_combinations(state);
		return 0;
	}
	return parse_amount_option(key, arg, state);
}

static void set_demo(struct options *o)
{
	o->demo = true;
	o->ports[0] = "net_devx0,ibdev=mlx5_0";
	o->ports[1] = "net_devx1,ibdev=mlx5_1";
	o->n_ports = 2;
}

void options_parse(struct options *o, int argc, char **argv)
{
	static const struct argp argp = {
		rows, parse_option, "run [-- EAL-OPTION...]\ndemo [-- EAL-OPTION...]", doc, NULL,
		NULL, NULL
	};
	int n = 1;

	*o = (struct options){
		/* 198.18.0.0/15 is for benchmarks (RFC 2544). Port 9 is discard (RFC 863). */
		.src = { .ip = pattern_make_value(0xc6120001), .port = pattern_make_value(49152) },
		.dst = { .ip = pattern_make_value(0xc6130001), .port = pattern_make_value(9) },
		.drain_ns = 500ull * 1000 * 1000,
		.rx_ring = 1024,
		.tx_ring = 1024,
	};
	size_set_fixed(&o->size, PKTGEN_MIN_SIZE);
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
			     "no command (valid: run, demo); --help lists the options");
	}
	argp_parse(&argp, n, argv, 0, NULL, o);
	if (!o->count && !o->duration_ns && !o->pcap) {
		if (o->demo)
			o->count = 10 * 1000 * 1000;
		else
			o->duration_ns = 10ull * 1000 * 1000 * 1000;
	}
}
