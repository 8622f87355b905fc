/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/result.h"

#include <limits.h>
#include <stdio.h>

#include "cli/units.h"
#include "report/flow_text.h"
#include "report/rate.h"
#include "report/summary.h"

static void print_side(const struct figures_side *s)
{
	const struct measured_rate rate = rate_measure_whole(s);

	printf("  %15s %17s ", units_format_count(s->packets), units_format_count(s->bytes));
	if (rate.is_known)
		printf("%6spps %6sb/s", units_format_si(rate.packets),
		       units_format_si(rate.bytes * 8));
	else
		printf("%9s %9s", "- pps", "- b/s");
}

static void print_port_drops(const struct rte_eth_stats *s)
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
			print_port_drops(&p->stats);
		else
			putchar('\n');
	}
}

static void print_table(const struct figures *f)
{
	printf("\n%4s %5s  %15s %17s %9s %9s  %15s %17s %9s %9s  %s\n", "port", "queue",
	       "tx packets", "tx bytes", "tx rate", "tx bits", "rx packets", "rx bytes", "rx rate",
	       "rx bits", "drops");
	for (unsigned i = 0; i < f->n_ports; i++)
		print_port(&f->ports[i]);
}

static void print_port_gaps(const struct figures_port *p)
{
	if (!p->gaps.times)
		return;
	printf("port %u: gap between packets of all flows: ", p->port->id);
	flow_text_print_histogram(p->gaps.times);
}

static void print_clock_step(const struct figures *f)
{
	if (f->step_ns)
		printf("the clock of the machine was set by %+.3f s during the run; the times of "
		       "day follow the clock as it was before\n",
		       (double)f->step_ns / 1e9);
}

static void print_answers(const struct responder *d)
{
	printf("port %u: answered %s ARP request%s, %s neighbour solicitation%s, %s ping%s",
	       d->port, units_format_count(d->arp), units_get_plural(d->arp),
	       units_format_count(d->nd), units_get_plural(d->nd), units_format_count(d->pings),
	       units_get_plural(d->pings));
	if (d->dropped)
		printf("; dropped %s answer%s", units_format_count(d->dropped),
		       units_get_plural(d->dropped));
	printf("\n");
}

/* Prints what a queue received besides the packets that its port expects. */
static void print_queue(const struct run *r, const struct rx *rx)
{
	if (rx->packets)
		printf("port %u, receive queue %u: verify %.1f ns per packet\n", rx->port,
		       rx->queue, flow_text_compute_ns(r, rx->verify_cycles, rx->packets));
	if (rx->unknown)
		printf("port %u, receive queue %u: also received %s frame%s to no flow\n", rx->port,
		       rx->queue, units_format_count(rx->unknown),
		       rx->unknown == 1 ? " that belongs" : "s that belong");
	if (rx->other_run)
		printf("port %u, receive queue %u: also received %s frame%s of another run of "
		       "devx-pktgen; the last one is of run %u\n",
		       rx->port, rx->queue, units_format_count(rx->other_run),
		       units_get_plural(rx->other_run), rx->other_run_number);
	if (rx->unsent)
		printf("port %u, receive queue %u: also received %s frame%s with a signature of "
		       "this run, which did not send %s\n",
		       rx->port, rx->queue, units_format_count(rx->unsent),
		       units_get_plural(rx->unsent), rx->unsent == 1 ? "it" : "them");
	if (rx->fragments)
		printf("port %u, receive queue %u: also received %s fragment%s of IP packets; is "
		       "the MTU of a device on the way too small?\n",
		       rx->port, rx->queue, units_format_count(rx->fragments),
		       units_get_plural(rx->fragments));
	if (rx->misdirected) {
		const struct stream *s = &r->streams[rx->misdirected_id];

		printf("port %u, receive queue %u: received %s frame%s of %s, which port %u "
		       "expects; %s\n",
		       rx->port, rx->queue, units_format_count(rx->misdirected),
		       units_get_plural(rx->misdirected), r->job.flows[s->flow].name, s->to->id,
		       s->from->id == rx->port ? "is the wire a loop?"
					       : "are the wires exchanged?");
	}
}

static void print_links(const struct figures *f)
{
	for (unsigned i = 0; i < f->n_ports; i++) {
		const struct figures_port *p = &f->ports[i];

		if (p->n_down)
			printf("port %u: the link was down %u time%s, for %.3f s\n", p->port->id,
			       p->n_down, units_get_plural(p->n_down), p->down_s);
	}
}

static bool is_unlimited(const struct run *r)
{
	for (unsigned i = 0; i < r->job.n_flows; i++) {
		if (r->job.flows[i].rate.unit != RATE_MAX)
			return false;
	}
	return true;
}

/*
 * One worker may serve several flows, so the CPU time is that of the whole run. At a limited rate,
 * a worker mostly polls in vain, and CPU time per packet would say nothing about the packets.
 */
static void print_cpu_time(const struct run *r, const struct account *sum)
{
	printf("CPU time of %u worker thread%s: ", r->n_workers, units_get_plural(r->n_workers));
	if (r->busy_ms < VERDICT_MIN_JUDGED_MS) {
		printf("not measured, because packets moved for less than %d ms\n",
		       VERDICT_MIN_JUDGED_MS);
		return;
	}
	printf("%.3f s in %.3f s, empty polls included", (double)r->cpu_ns / 1e9,
	       (double)r->busy_ms / 1e3);
	if (is_unlimited(r) && sum->sent)
		printf("; %.1f ns per packet", (double)r->cpu_ns / (double)sum->sent);
	putchar('\n');
}

static bool is_unjudged(const struct run *r, const struct tx *tx)
{
	return tx->bucket.rate && !tx->pace.packets && !verdict_is_rate_judged(r, tx);
}

/* Counts the flows whose rates are not judged. The streams of a flow follow each other. */
static unsigned count_unjudged_flows(const struct run *r)
{
	unsigned n = 0, last = UINT_MAX;

	for (unsigned i = 0; i < r->n_streams; i++) {
		const struct stream *s = &r->streams[i];

		if (!is_unjudged(r, &s->tx) || s->flow == last)
			continue;
		last = s->flow;
		n++;
	}
	return n;
}

static void print_unjudged_rates(const struct run *r)
{
	const unsigned n = count_unjudged_flows(r);

	if (n > SUMMARY_MIN_FLOWS && !r->o->all_flows) {
		printf("%s of %s flows: rate not judged, because sending took less than %d ms\n",
		       units_format_count(n), units_format_count(r->job.n_flows),
		       VERDICT_MIN_JUDGED_MS);
		return;
	}
	for (unsigned i = 0; i < r->n_streams; i++) {
		const struct stream *s = &r->streams[i];

		if (is_unjudged(r, &s->tx))
			printf("%s: rate not judged, because sending took %.1f ms (valid: at "
			       "least %d ms)\n",
			       r->job.flows[s->flow].name,
			       verdict_compute_seconds(r, &s->tx) * 1000, VERDICT_MIN_JUDGED_MS);
	}
}

/* Prints the clock of the receive times of a port, and by how much they may be wrong. */
static void print_clock(const struct figures_port *p)
{
	const unsigned id = p->port->id;
	struct receive_clock clock;

	if (!figures_get_clock(p, &clock))
		return;
	if (clock.is_device)
		printf("port %u: receive time: clock of the device, within %s\n", id,
		       units_format_time((double)clock.error_ns));
	else
		printf("port %u: receive time: TSC, up to %s late (time between two polls, p99)\n",
		       id, units_format_time((double)clock.error_ns));
	if (clock.unstamped)
		printf("port %u: %s frame%s without a usable timestamp; the receive time is that "
		       "of the TSC\n",
		       id, units_format_count(clock.unstamped), units_get_plural(clock.unstamped));
	if (clock.negative)
		printf("port %u: %s frame%s whose latency was negative by the error of the clock; "
		       "it counts as 0\n",
		       id, units_format_count(clock.negative), units_get_plural(clock.negative));
}

static void print_verdict(const struct run *r, const struct account *a, const struct verdict *v)
{
	const char *word = v->passed ? "OK" : "FAIL", *before = *v->reason ? "; " : "";

	if (r->o->send_only) {
		printf("\n%s: %s sent, not verified (--send-only)%s%s\n", word,
		       units_format_count(a->sent), before, v->reason);
		return;
	}
	printf("\n%s: %s sent, %s received, %s lost", word, units_format_count(a->sent),
	       units_format_count(a->received), units_format_count(a->lost));
	if (a->duplicated || a->reordered)
		printf(", %s duplicated, %s reordered", units_format_count(a->duplicated),
		       units_format_count(a->reordered));
	printf(", %s corrupted", units_format_count(a->corrupted));
	if (a->changed)
		printf(", %s changed", units_format_count(a->changed));
	printf("%s%s\n", before, v->reason);
}

void report_run(const struct run *r, const struct figures *f, const struct verdict *v)
{
	char difference[FIGURES_TEXT_BYTES];

	print_table(f);
	summary_print_flows(r, f);
	summary_print_all(r, f);
	for (unsigned i = 0; i < f->n_ports; i++)
		print_port_gaps(&f->ports[i]);
	print_clock_step(f);
	for (unsigned i = 0; i < r->n_rx; i++)
		print_queue(r, &r->rx[i]);
	for (unsigned i = 0; i < f->n_ports; i++)
		print_clock(&f->ports[i]);
	for (unsigned i = 0; i < f->n_ports; i++)
		if (!figures_compare_port(&f->ports[i], r->o->send_only, difference))
			printf("%s\n", difference);
	print_links(f);
	for (unsigned i = 0; i < r->n_responders; i++)
		print_answers(&r->responders[i]);
	print_cpu_time(r, &f->account);
	print_unjudged_rates(r);
	print_verdict(r, &f->account, v);
}
