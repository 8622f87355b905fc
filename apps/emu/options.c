/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report.h"

enum { MTU_MIN = 68, MTU_MAX = 9978, MTU_DEFAULT = 1500, COMMAND_US_MAX = 1000000 };

const char *argp_program_version = "devx-emu " DEVX_VERSION;

static const char doc[] =
	"Run PROGRAM on a software ConnectX: unmodified, without an adapter, without RDMA in the "
	"kernel, as an ordinary user. (devx-emu pci serves the adapter to a virtual machine: see "
	"devx-emu pci --help.)"
	"\v"
	"WIRE is what a port sends its frames to and receives frames from:\n"
	"  loop             the same port (the default)\n"
	"  pair             the neighbour: connects ports 0 and 1, ports 2 and 3, ...\n"
	"  sink             nothing: drops every frame; --counters counts them\n"
	"  pcap:in=F,out=F  receives from capture file F, sends to capture file F\n"
	"  tap:NAME         a TAP netdev of this network namespace\n"
	"\n"
	"Options of a wire, each after a comma:\n"
	"  pause=on         a sender waits while the receiver has no buffer\n"
	"  drop=P           drops frames\n"
	"  dup=P            delivers frames twice\n"
	"  reorder=P        delivers frames after the next frame of their flow\n"
	"  corrupt=P        changes one bit of the payload of frames\n"
	"  delay=T          delivers every frame after time T, such as 50us or 2ms\n"
	"  seed=N           chooses the frames that have a fault\n"
	"P is a probability such as 0.001, or 1/N for exactly one frame in N.\n"
	"\n"
	"Options of a profile, as in --profile cx6dx,uar_pages=16:\n"
#define OPTION(name, preset, max, what) "  " #name "=N  " what "\n"
#include "emu/options.def"
#undef OPTION
	"\n"
	"Examples:\n"
	"  devx-emu -- ibv_devinfo -v\n"
	"  devx-emu --ports 2 --wire pair -- PROGRAM\n"
	"  devx-emu --ports 2 --wire 0=sink --wire 1=loop,drop=1/100,seed=7 -- PROGRAM\n"
	"  devx-emu --netdev emu -- dpdk-testpmd -a 0000:c1:00.0 ...\n"
	"  devx-emu --clock stepped --wire pcap:out=sent.pcap -- PROGRAM\n"
	"  devx-emu --trace commands.txt -- PROGRAM\n"
	"  devx-emu --attach 1234 -- ibv_devinfo\n"
	"\n"
	"Exit status:\n"
	"  N    the exit status of PROGRAM, if it is not 0 (after signal S: 128 + S)\n"
	"  125  PROGRAM exited with 0, but its driver made protocol mistakes\n"
	"  126  PROGRAM cannot be run\n"
	"  127  PROGRAM is not found\n"
	"  2    an option or DEVX_EMU_CAPS is wrong; PROGRAM was not started\n"
	"  3    the environment lacks something; PROGRAM was not started\n"
	"\n"
	"Environment:\n"
	"  DEVX_EMU_CAPS  Linux capabilities that the emulated kernel grants PROGRAM:\n"
	"                 net_raw, sys_rawio, ipc_lock, with commas between;\n"
	"                 net_raw and sys_rawio if it is not set, none if it is empty.\n"
	"                 ipc_lock lifts the limit of --memlock\n";

static const struct argp_option options[] = {
	{ "ports", 'p', "N", 0, "Number of ports, 1 to 8; each is a PCI function. Default 1", 0 },
	{ "sf", 's', NULL, 0,
	  "The ports are sub-functions of one PCI function: devices mlx5_core.sf.4, mlx5_core.sf.5 "
	  "and so on of the auxiliary bus",
	  0 },
	{ "wire", 'w', "[PORT=]WIRE", 0,
	  "Wire of one port, or without PORT= of all others; at most once for each. Default loop",
	  0 },
	{ "netdev", 'n', "PREFIX", 0,
	  "Give each port without a TAP wire a netdev, PREFIX0, PREFIX1 and so on, for programs "
	  "that need one, such as DPDK's net_mlx5",
	  0 },
	{ "profile", 'P', "NAME[,OPTION=N]", 0,
	  "Device: cx6dx (default); small: the same with tiny limits; vf: a virtual function that "
	  "its host does not trust; vf-trusted: one that it trusts; multi-pf: a physical function "
	  "behind the switch of an adapter with several of them; realtime: with a real-time "
	  "clock, and without optional features; ib: with an InfiniBand port; "
	  "inline: needs packet headers in WQEs; "
	  "mlx5ctl: the values of a published capability dump; cx5, cx7, bf3: other adapters, with "
	  "guessed values",
	  0 },
	{ "mtu", 'm', "BYTES", 0, "MTU of the ports, 68 to 9978. Default 1500", 0 },
	{ "memlock", 'l', NULL, 0,
	  "Count registered memory against RLIMIT_MEMLOCK (ulimit -l), as Linux does for a program "
	  "without CAP_IPC_LOCK",
	  0 },
	{ "no-write-combining", 'W', NULL, 0,
	  "Emulate a machine whose CPU or bridge does not combine writes to the adapter: the "
	  "kernel refuses BlueFlame UARs",
	  0 },
	{ "command-time", 'C', "US", 0,
	  "Make each firmware command take US microseconds, 0 to 1000000, like slow firmware; "
	  "packets move meanwhile. Default 0",
	  0 },
	{ "clock", 'k', "HOW", 0,
	  "Clock of the device: real (default), the clock of the machine; stepped: stands still "
	  "while packets move, and jumps to the next due event, such as the next frame of a rate "
	  "limit, when no work is left",
	  0 },
	{ "trace", 't', "FILE", 0,
	  "Append a line to FILE for every firmware command; - is standard error of PROGRAM", 0 },
	{ "attach", 'a', "PID", 0,
	  "Run PROGRAM on the adapter of another devx-emu. PID is that devx-emu, or a program that "
	  "it runs. Of the other options, only --quiet is allowed",
	  0 },
	{ "counters", 'c', NULL, 0, "Print the frames of each port at the end", 0 },
	{ "quiet", 'q', NULL, 0, "Print only errors, warnings and mistakes", 0 },
	{ 0 },
};

enum { WIRE_OF_ALL = EMU_MAX_PORTS };

/** struct parse - state of parsing the command line */
struct parse {
	struct launcher *launcher;
	bool describes; /* the user gave an option that describes an adapter */
	/* wire of each port, and of all ports; NULL: not given */
	const char *wire[EMU_MAX_PORTS + 1];
};

static unsigned long parse_number(struct argp_state *state, const char *what, const char *text,
				  unsigned long min, unsigned long max)
{
	char *end;
	unsigned long v;

	errno = 0;
	v = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno || v < min || v > max)
		argp_failure(state, LAUNCHER_EXIT_USAGE, 0,
			     "--%s %s: invalid number (valid: %lu to %lu)", what, text, min, max);
	return v;
}

/* @text: WIRE or PORT=WIRE. A wire starts with a letter, so a digit starts a port number. */
static void set_wire(struct argp_state *state, struct parse *p, const char *text)
{
	unsigned slot = WIRE_OF_ALL;
	const char *spec = text;

	if (isdigit((unsigned char)*text)) {
		char port[16] = "";

		spec = strchr(text, '=');
		if (!spec || spec - text >= (long)sizeof(port))
			argp_failure(state, LAUNCHER_EXIT_USAGE, 0,
				     "--wire %s: invalid (valid: WIRE for all ports, PORT=WIRE "
				     "for one)",
				     text);
		memcpy(port, text, (size_t)(spec - text));
		slot = (unsigned)parse_number(state, "wire", port, 0, EMU_MAX_PORTS - 1);
		spec++;
	}
	if (strlen(spec) >= EMU_SHARED_WIRE_BYTES)
		argp_failure(state, LAUNCHER_EXIT_USAGE, 0,
			     "--wire: %zu characters (valid: at most %d)", strlen(spec),
			     EMU_SHARED_WIRE_BYTES - 1);
	if (p->wire[slot])
		argp_failure(state, LAUNCHER_EXIT_USAGE, 0,
			     "--wire %s: --wire %.*s%s was given before; give one --wire %s", text,
			     (int)(spec - text), text, p->wire[slot],
			     slot == WIRE_OF_ALL ? "for all ports" : "for this port");
	p->wire[slot] = spec;
}

/* A wire for one port overrides the wire for all ports, in any order of the options. */
static void assign_wires(struct argp_state *state, const struct parse *p)
{
	struct emu_shared *s = p->launcher->shared;

	for (unsigned i = 0; i < EMU_MAX_PORTS; i++) {
		const char *spec = p->wire[i] ? p->wire[i] : p->wire[WIRE_OF_ALL];

		if (p->wire[i] && i >= s->n_ports)
			argp_failure(state, LAUNCHER_EXIT_USAGE, 0,
				     "--wire %u=%s: no such port (valid: 0 to %u); --ports sets "
				     "their number",
				     i, spec, s->n_ports - 1);
		snprintf(s->port[i].wire, sizeof(s->port[i].wire), "%s", spec ? spec : "loop");
	}
}

static void set_clock(struct argp_state *state, struct emu_shared *s, const char *text)
{
	if (!strcmp(text, "stepped"))
		s->clock = EMU_CLOCK_STEPPED;
	else if (!strcmp(text, "real"))
		s->clock = EMU_CLOCK_REAL;
	else
		argp_failure(state, LAUNCHER_EXIT_USAGE, 0,
			     "--clock %s: unknown clock (valid: real, stepped)", text);
}

static void set_trace(struct argp_state *state, struct emu_shared *s, const char *path)
{
	char cwd[PATH_MAX];
	int n;

	if (*path == '/' || !strcmp(path, "-") || !getcwd(cwd, sizeof(cwd)))
		n = snprintf(s->trace, sizeof(s->trace), "%s", path);
	else
		n = snprintf(s->trace, sizeof(s->trace), "%s/%s", cwd, path);
	if (n >= (int)sizeof(s->trace))
		argp_failure(state, LAUNCHER_EXIT_USAGE, 0,
			     "--trace: path of %d bytes (valid: at most %zu)", n,
			     sizeof(s->trace) - 1);
}

/* Requires "--", because a word without it may become another command, like "pci". */
static void set_program(struct argp_state *state, struct launcher *l)
{
	if (state->next < 1 || strcmp(state->argv[state->next - 1], "--"))
		argp_failure(state, LAUNCHER_EXIT_USAGE, 0,
			     "\"%s\": not an option; write -- before PROGRAM",
			     state->argv[state->next]);
	l->program = &state->argv[state->next];
	state->next = state->argc;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct parse *p = state->input;
	struct launcher *l = p->launcher;

	p->describes |= key && key < CHAR_MAX && strchr("pswPmnlWCktc", key);
	switch (key) {
	case 'a':
		l->attach = (long)parse_number(state, "attach", arg, 1, INT_MAX);
		break;
	case 'p':
		l->shared->n_ports = (uint32_t)parse_number(state, "ports", arg, 1, EMU_MAX_PORTS);
		break;
	case 's':
		l->shared->sub_functions = 1;
		break;
	case 'w':
		set_wire(state, p, arg);
		break;
	case 'P':
		if (strlen(arg) >= sizeof(l->shared->profile))
			argp_failure(state, LAUNCHER_EXIT_USAGE, 0,
				     "--profile: %zu characters (valid: at most %zu)", strlen(arg),
				     sizeof(l->shared->profile) - 1);
		snprintf(l->shared->profile, sizeof(l->shared->profile), "%s", arg);
		break;
	case 'm':
		l->mtu = (uint16_t)parse_number(state, "mtu", arg, MTU_MIN, MTU_MAX);
		break;
	case 'n':
		if (!*arg || strlen(arg) >= sizeof(l->netdev))
			argp_failure(state, LAUNCHER_EXIT_USAGE, 0,
				     "--netdev %s: prefix of %zu characters (valid: 1 to %zu)", arg,
				     strlen(arg), sizeof(l->netdev) - 1);
		snprintf(l->netdev, sizeof(l->netdev), "%s", arg);
		break;
	case 'l':
		l->shared->memlock = 1;
		break;
	case 'W':
		l->shared->no_write_combining = 1;
		break;
	case 'C':
		l->shared->command_us =
			(uint32_t)parse_number(state, "command-time", arg, 0, COMMAND_US_MAX);
		break;
	case 'k':
		set_clock(state, l->shared, arg);
		break;
	case 't':
		set_trace(state, l->shared, arg);
		break;
	case 'c':
		l->counters = true;
		break;
	case 'q':
		l->quiet = true;
		break;
	case ARGP_KEY_ARGS:
		set_program(state, l);
		break;
	case ARGP_KEY_NO_ARGS:
		argp_failure(state, LAUNCHER_EXIT_USAGE, 0,
			     "PROGRAM is missing; write -- PROGRAM after the options, or see "
			     "--help");
		break;
	case ARGP_KEY_END:
		if (l->attach && p->describes)
			argp_failure(state, LAUNCHER_EXIT_USAGE, 0,
				     "--attach %ld: only --quiet goes with it, because the adapter "
				     "exists already; remove the other options",
				     l->attach);
		assign_wires(state, p);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

void launcher_parse_options(struct launcher *l, int argc, char **argv)
{
	static const struct argp argp = { .options = options,
					  .parser = parse_option,
					  .args_doc = "-- PROGRAM [ARG...]",
					  .doc = doc };
	struct emu_shared *s = l->shared;

	argp_err_exit_status = LAUNCHER_EXIT_USAGE;
	s->magic = EMU_SHARED_MAGIC;
	s->bytes = sizeof(*s);
	s->n_ports = 1;
	strcpy(s->profile, "cx6dx");
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &(struct parse){ .launcher = l });
	for (unsigned i = 0; i < EMU_MAX_PORTS; i++) {
		/* a locally administered address, the same in every run */
		const uint8_t mac[EMU_MAC_BYTES] = { 0x02, 0xde, 0xc5, 0x00, 0x00, (uint8_t)i };

		memcpy(s->port[i].mac, mac, sizeof(mac));
		s->port[i].mtu = l->mtu ? l->mtu : MTU_DEFAULT;
	}
}
