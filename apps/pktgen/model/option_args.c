/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/option_args.h"

#include "base/exit.h"
#include "cli/units.h"

void option_check(struct argp_state *state, const char *option, const char *arg, const char *why)
{
	if (why)
		argp_failure(state, PKTGEN_USAGE, 0, "--%s %s: %s", option, arg, why);
}

uint64_t option_parse_range(struct argp_state *state, const char *option, const char *arg,
			    uint64_t min, uint64_t max)
{
	uint64_t value = 0;

	option_check(state, option, arg, units_parse_range(arg, min, max, &value));
	return value;
}
