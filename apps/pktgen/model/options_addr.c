/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/option_args.h"

#include <stdlib.h>
#include <string.h>

#include "model/options.h"

enum key { KEY_ADDRESS = 256 };

static const struct argp_option rows[] = {
	{ "address", KEY_ADDRESS, "PORT=IP/PREFIX", 0,
	  "Answer ARP, neighbour solicitations and pings for this address, IPv4 or IPv6; PORT is "
	  "the number of the port: 0=198.18.0.1/24. Up to 8 times for each port. Default: answer "
	  "nothing",
	  0 },
	{ 0 },
};

/* Adds an address to the port that @arg names. Returns NULL, or the reason of a refusal. */
static const char *add_address(struct addresses *ports, const char *arg)
{
	struct addresses *a;
	struct address new;
	const char *why;
	char *end;
	unsigned long port = strtoul(arg, &end, 10);

	if (end == arg || *arg == '-' || *end != '=' || port >= PKTGEN_MAX_PORTS)
		return "no number of a port before \"=\" (valid: 0=198.18.0.1/24)";
	why = address_parse(&new, end + 1);
	if (why)
		return why;
	a = &ports[port];
	if (a->n == ADDRESSES_MAX)
		return "too many addresses of one port (valid: at most 8)";
	a->address[a->n++] = new;
	return NULL;
}

static error_t parse_addr_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	if (key != KEY_ADDRESS)
		return ARGP_ERR_UNKNOWN;
	option_check(state, "address", arg, add_address(o->addresses, arg));
	o->address_given = true;
	return 0;
}

const struct argp options_addr_argp = { .options = rows, .parser = parse_addr_option };
