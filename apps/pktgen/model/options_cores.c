/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/option_args.h"

#include "model/options.h"

enum key { KEY_CORES = 256, KEY_QUEUES };

static const struct argp_option rows[] = {
	{ "cores", KEY_CORES, "CORES", 0,
	  "Workers that send and receive: auto (one per port and direction), a number (4: near to "
	  "the ports, one hyperthread of a core first), or CPUs (2-5,8). With more workers than "
	  "ports and directions, the ports get several queues. Default auto",
	  0 },
	{ "queues", KEY_QUEUES, "TX:RX", 0,
	  "Send queues and receive queues of each port, or of one: PORT=TX:RX. Default: one of "
	  "each, or as many as the workers of --cores need",
	  0 },
	{ 0 },
};

static error_t parse_cores_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case KEY_CORES:
		o->settings |= SETTING_CORES;
		option_check(state, "cores", arg, cores_option_parse(&o->cores, arg));
		return 0;
	case KEY_QUEUES:
		option_check(state, "queues", arg,
			     queues_option_parse(o->queues, PKTGEN_MAX_PORTS, arg));
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

const struct argp options_cores_argp = { .options = rows, .parser = parse_cores_option };
