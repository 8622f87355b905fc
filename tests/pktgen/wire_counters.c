/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A plugin for EAL (-d). When the program ends, it prints how many frames the wires of emu
 * dropped, duplicated, reordered and corrupted. It also prints how many found no receive buffer,
 * and how many were lost because a link was down. tests/scripts/pktgen-emu.sh and
 * tests/scripts/pktgen-ports.sh compare these numbers with those of devx-pktgen.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/uverbs/emu_ctl.h"

static void print_counters(void)
{
	const struct devx_emu_ctl *emu = devx_emu_ctl_find();

	for (unsigned port = 0; emu && port < emu->n_ports(); port++) {
		struct devx_emu_counters c;

		if (emu->counters(port, &c, sizeof(c)))
			continue;
		printf("wire %u: %" PRIu64 " dropped, %" PRIu64 " duplicated, %" PRIu64
		       " reordered, %" PRIu64 " corrupted, %" PRIu64 " without buffer, %" PRIu64
		       " while the link was down\n",
		       port, c.wire_dropped, c.wire_duplicated, c.wire_reordered, c.wire_corrupted,
		       c.rx_out_of_buffer, c.tx_link_down + c.rx_link_down);
	}
	fflush(stdout);
}

/* A destructor would be too late: emu's destructor runs before that of a plugin. */
__attribute__((constructor)) static void print_counters_at_exit(void)
{
	atexit(print_counters);
}
