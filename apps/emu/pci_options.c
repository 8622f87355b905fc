/* SPDX-License-Identifier: BSD-3-Clause */
#include "pci_options.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "report.h"

static const char doc[] =
	"Serve a software ConnectX as a PCI function on a vfio-user socket, for QEMU "
	"(-device vfio-user-pci), until SIGINT or SIGTERM."
	"\v"
	"WIRE is loop, sink, pcap:in=F,out=F or tap:NAME. devx-emu --help lists the options of a "
	"wire and of a profile.\n"
	"\n"
	"SIGUSR1 prints how many firmware objects of each type exist.\n"
	"\n"
	"Examples:\n"
	"  devx-emu pci --socket $XDG_RUNTIME_DIR/vu.sock --wire tap:tap0 --trace commands.txt\n"
	"\n"
	"Exit status:\n"
	"  0    after SIGINT or SIGTERM\n"
	"  2    an option is wrong, or its profile, wire or trace file cannot be used\n"
	"  3    the socket or a thread cannot be created, or the socket failed\n"
	"  125  the guest's drivers made protocol mistakes, which are listed\n";

static const struct argp_option options[] = {
	{ "socket", 's', "PATH", 0,
	  "UNIX socket to listen on, for one client at a time, of this user or root", 0 },
	{ "wire", 'w', "WIRE", 0, "Wire of the port. Default loop", 0 },
	{ "profile", 'P', "NAME[,OPTION=N]", 0,
	  "Device: cx6dx (default); small: the same with tiny limits; roce: cx6dx on which Linux "
	  "starts RoCE, without RoCE packets; vf, vf-trusted: a virtual function, and one that "
	  "its host trusts; multi-pf: behind the switch of several PFs; realtime: with a real-time "
	  "clock, and without optional features; ib: with an InfiniBand port; "
	  "inline: needs packet headers in WQEs; "
	  "mlx5ctl: the values of a published capability dump; cx5, cx7, bf3: other adapters, with "
	  "guessed values",
	  0 },
	{ "mac", 'a', "MAC", 0, "MAC address of the port. Default 02:de:5c:00:00:01", 0 },
	{ "mtu", 'm', "BYTES", 0, "MTU of the port, 68 to 9978. Default 1500", 0 },
	{ "no-write-combining", 'W', NULL, 0,
	  "Emulate a machine whose CPU or bridge does not combine writes to the adapter: each part "
	  "of a BlueFlame write arrives alone",
	  0 },
	{ "trace", 't', "FILE", 0,
	  "Append a line to FILE for every firmware command; - is standard error", 0 },
	{ "counters", 'c', NULL, 0, "Print the frames of the port at the end", 0 },
	{ "quiet", 'q', NULL, 0, "Print only errors, warnings and mistakes", 0 },
	{ 0 },
};

static bool parse_mac(const char *text, uint8_t mac[EMU_MAC_BYTES])
{
	char end;

	return sscanf(text, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%c", &mac[0], &mac[1], &mac[2],
		      &mac[3], &mac[4], &mac[5], &end) == EMU_MAC_BYTES;
}

static bool parse_mtu(const char *text, uint16_t *mtu)
{
	char *end;
	const unsigned long n = strtoul(text, &end, 10);

	*mtu = (uint16_t)n;
	return end != text && !*end && n <= UINT16_MAX;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct launcher_pci_options *o = state->input;

	switch (key) {
	case 's':
		o->socket = arg;
		break;
	case 'w':
		o->function.wire = arg;
		break;
	case 'P':
		o->function.profile = arg;
		break;
	case 'a':
		if (!parse_mac(arg, o->function.mac))
			argp_failure(
				state, LAUNCHER_EXIT_USAGE, 0,
				"--mac %s: invalid (valid: six bytes, such as 02:de:5c:00:00:01)",
				arg);
		break;
	case 'm':
		if (!parse_mtu(arg, &o->function.mtu))
			argp_failure(state, LAUNCHER_EXIT_USAGE, 0,
				     "--mtu %s: invalid number (valid: 68 to 9978)", arg);
		break;
	case 'W':
		o->function.no_write_combining = true;
		break;
	case 't':
		o->trace = arg;
		break;
	case 'c':
		o->counters = true;
		break;
	case 'q':
		o->quiet = true;
		break;
	case ARGP_KEY_ARG:
		argp_failure(state, LAUNCHER_EXIT_USAGE, 0, "\"%s\" is not an option; see --help",
			     arg);
		break;
	case ARGP_KEY_END:
		if (!o->socket)
			argp_failure(state, LAUNCHER_EXIT_USAGE, 0,
				     "--socket PATH is missing; see --help");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

void launcher_parse_pci_options(struct launcher_pci_options *o, int argc, char **argv)
{
	static char name[] = "devx-emu pci";
	static const struct argp argp = {
		.options = options, .parser = parse_option, .args_doc = "--socket PATH", .doc = doc
	};

	argp_err_exit_status = LAUNCHER_EXIT_USAGE;
	argv[0] = name;
	argp_parse(&argp, argc, argv, 0, NULL, o);
}
