/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/table.h"

#include <stdio.h>

#include "cli/units.h"
#include "report/rate.h"

static void print_side(const struct figures_side *s)
{
	printf("  %15s %17s %6spps %6sb/s", units_format_count(s->packets),
	       units_format_count(s->bytes), units_format_si(rate_compute_packets(s)),
	       units_format_si(rate_compute_bytes(s) * 8));
}

static void print_drops(const struct rte_eth_stats *s)
{
	/* The names are those of ethdev's extended statistics. */
	const struct {
		const char *name;
		uint64_t n;
	} rows[] = {
		{ "rx_missed_errors", s->imissed },
		{ "rx_errors", s->ierrors },
		{ "rx_mbuf_allocation_errors", s->rx_nombuf },
		{ "tx_errors", s->oerrors },
	};
	bool any = false;

	for (unsigned i = 0; i < RTE_DIM(rows); i++) {
		if (rows[i].n)
			printf("%s %s %s", any ? "," : " ", rows[i].name,
			       units_format_count(rows[i].n));
		any |= rows[i].n != 0;
	}
	puts(any ? "" : "  none");
}

static void print_port(const struct figures_port *p)
{
	for (unsigned i = 0; i < p->n_queues; i++) {
		printf("%4u %5u", p->port->id, i);
		print_side(&p->queues[i].tx);
		print_side(&p->queues[i].rx);
		if (i == 0)
			print_drops(&p->stats);
		else
			putchar('\n');
	}
}

void report_table(const struct figures *f)
{
	printf("\n%4s %5s  %15s %17s %9s %9s  %15s %17s %9s %9s  %s\n", "port", "queue",
	       "tx packets", "tx bytes", "tx rate", "tx bits", "rx packets", "rx bytes", "rx rate",
	       "rx bits", "drops");
	for (unsigned i = 0; i < f->n_ports; i++)
		print_port(&f->ports[i]);
}
