/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/option_args.h"

#include <stdlib.h>
#include <string.h>

#include "model/options.h"

enum key { KEY_ADDRESS = 256, KEY_GATEWAY };

static const struct argp_option rows[] = {
	{ "address", KEY_ADDRESS, "PORT=IP/PREFIX", 0,
	  "Answer ARP, neighbour solicitations and pings for this address, IPv4 or IPv6; PORT is "
	  "the number of the port: 0=198.18.0.1/24. Up to 8 times for each port. Default: answer "
	  "nothing",
	  0 },
	{ "gateway", KEY_GATEWAY, "PORT=IP", 0,
	  "The router of the port: devx-pktgen resolves its MAC address, sends the IP packets of "
	  "the port to it, and expects them as routers forward them. One for IPv4 and one for "
	  "IPv6: "
	  "0=198.18.0.254",
	  0 },
	{ 0 },
};

/*
 * Reads "PORT=IP", and gives the address to @take. Returns NULL, or the reason of a refusal.
 */
static const char *read_address(struct addresses *ports, const char *arg,
				const char *(*take)(struct addresses *a, const struct address *new))
{
	struct address new;
	const char *why;
	char *end;
	unsigned long port = strtoul(arg, &end, 10);

	if (end == arg || *arg == '-' || *end != '=' || port >= PKTGEN_MAX_PORTS)
		return "no number of a port before \"=\" (valid: 0=198.18.0.1/24)";
	why = address_parse(&new, end + 1);
	return why ? why : take(&ports[port], &new);
}

static error_t parse_addr_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	if (key == KEY_ADDRESS)
		option_check(state, "address", arg, read_address(o->addresses, arg, addresses_add));
	else if (key == KEY_GATEWAY)
		option_check(state, "gateway", arg,
			     read_address(o->addresses, arg, addresses_set_gateway));
	else
		return ARGP_ERR_UNKNOWN;
	o->address_given = true;
	return 0;
}

const struct argp options_addr_argp = { .options = rows, .parser = parse_addr_option };
