/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/checksums.h"

#include <stdio.h>

#include "cli/messages.h"
#include "cli/reason.h"

enum { NAMES_BYTES = 64 };

/* Returns the names of offloads that a port lacks: "IPV4_CKSUM TCP_CKSUM". */
static const char *format_offloads(uint64_t offloads)
{
	char text[NAMES_BYTES] = "";
	int n = 0;

	for (; offloads; offloads &= offloads - 1)
		n += snprintf(text + n, sizeof(text) - (size_t)n, "%s%s", n ? " " : "",
			      rte_eth_dev_tx_offload_name(offloads & -offloads));
	return reason_format("%s", text);
}

/* Chooses the checksums of @f that @port writes. Returns NULL, or the reason why it writes none. */
static const char *choose_offload(struct job_flow *f, const struct port *port)
{
	const char *why;

	if (f->capture)
		return "the frames of a capture keep their checksums";
	why = offload_find(&f->stack, &f->offload);
	if (!why && (f->offload.port & ~port->tx_offloads))
		why = reason_format("port %s has no %s", port->device,
				    format_offloads(f->offload.port & ~port->tx_offloads));
	if (why)
		f->offload = (struct offload){ 0 };
	return why;
}

enum pktgen_exit ports_choose_checksums(struct ports *p, struct job *j, const struct options *o)
{
	if (o->checksums == CHECKSUMS_SOFTWARE)
		return PKTGEN_MET;
	for (struct job_flow *f = j->flows; f < j->flows + j->n_flows; f++) {
		struct port *port = &p->port[f->tx];
		const char *why = choose_offload(f, port);

		if (why && o->checksums == CHECKSUMS_PORT)
			return report_error(PKTGEN_USAGE,
					    "--checksums port: %s: %s; give --checksums software "
					    "or auto",
					    f->name, why);
		if (o->checksums == CHECKSUMS_AUTO && !f->offload.has_l4)
			f->offload = (struct offload){ 0 };
		port->checksums |= f->offload.port;
	}
	return PKTGEN_MET;
}
