/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/flow_text.h"

#include <stdio.h>

#include "cli/units.h"
#include "report/changed.h"
#include "report/rate.h"

static void print_drops(uint64_t n, const char *why, const char *counter)
{
	if (n)
		printf("        dropped by the port, frames of all flows: %s %s (%s)\n",
		       units_format_count(n), why, counter);
}

/* Prints how many lost packets of a flow the receiving port counted as dropped, and why. */
static void print_lost(const struct figures_port *to, uint64_t lost)
{
	const struct rte_eth_stats *s = &to->stats;
	const uint64_t dropped = s->imissed + s->rx_nombuf + s->ierrors;
	const uint64_t named = dropped < lost ? dropped : lost;

	printf("        lost %s = %s dropped by port %u + %s lost before port %u\n",
	       units_format_count(lost), units_format_count(named), to->port->id,
	       units_format_count(lost - named), to->port->id);
	print_drops(s->imissed, "found no receive descriptor", "rx_missed_errors");
	print_drops(s->rx_nombuf, "found no buffer", "rx_mbuf_allocation_errors");
	print_drops(s->ierrors, "were damaged or refused", "rx_errors");
}

double flow_text_compute_ns(const struct run *r, uint64_t cycles, uint64_t packets)
{
	return packets ? (double)cycles * 1e9 / (double)r->clock.hz / (double)packets : 0;
}

void flow_text_print_account(const char *name, const struct account *a, bool send_only)
{
	if (send_only) {
		printf("%s: %s sent\n", name, units_format_count(a->sent));
		return;
	}
	printf("%s: %s sent, %s received, %s lost, %s duplicated, %s reordered, %s corrupted\n",
	       name, units_format_count(a->sent), units_format_count(a->received),
	       units_format_count(a->lost), units_format_count(a->duplicated),
	       units_format_count(a->reordered), units_format_count(a->corrupted));
}

static void print_counters(const struct run *r, const struct figures *figures,
			   const struct figures_flow *f)
{
	const struct account *a = &f->account;

	flow_text_print_account(f->flow->name, a, r->o->send_only);
	if (a->lost)
		print_lost(&figures->ports[f->flow->rx], a->lost);
	if (a->changed)
		changed_print(f);
	if (a->truncated)
		printf("        %s corrupted packet%s shorter than sent\n",
		       units_format_count(a->truncated), a->truncated == 1 ? " is" : "s are");
	if (a->unreadable)
		printf("        %s corrupted packet%s no readable number: each is taken for a "
		       "missing packet, which then does not count as lost\n",
		       units_format_count(a->unreadable), a->unreadable == 1 ? " has" : "s have");
}

void flow_text_print_histogram(const struct histogram *h)
{
	printf("min %s, mean %s", units_format_time((double)h->min_ns),
	       units_format_time(histogram_compute_mean(h)));
	for (unsigned i = 0; i < LATENCY_N_PERCENTILES; i++) {
		const uint64_t ns = histogram_find_percentile(h, latency_percentiles[i]);

		printf(", %s %s", latency_names[i], units_format_time((double)ns));
	}
	printf(", max %s\n", units_format_time((double)h->max_ns));
}

void flow_text_print_times(const char *name, const struct figures_times *t)
{
	if (!t->times)
		return;
	printf("        %s: ", name);
	flow_text_print_histogram(t->times);
}

static void print_rate(const struct figures_flow *f)
{
	const struct measured_rate rate = rate_measure_whole(&f->tx);

	if (!(f->offered_rate > 0))
		return;
	printf("        rate: offered %spps, ", units_format_si(f->offered_rate));
	if (rate.is_known)
		printf("achieved %spps\n", units_format_si(rate.packets));
	else
		puts("achieved unknown, because no two packets left at different times");
}

void flow_text_print_moments(const char *what, const struct figures_side *s)
{
	char first[UTC_TEXT_BYTES], last[UTC_TEXT_BYTES];

	if (!s->packets)
		return;
	utc_format(s->first_utc_ns, first);
	utc_format(s->last_utc_ns, last);
	printf("        %s: first %s, last %s\n", what, first, last);
}

void flow_text_print(const struct run *r, const struct figures *figures,
		     const struct figures_flow *f)
{
	const uint64_t sent = f->account.sent;

	print_counters(r, figures, f);
	flow_text_print_moments("sent", &f->tx);
	flow_text_print_moments("received", &f->rx);
	flow_text_print_times("latency", &f->latency);
	if (f->account.untimed)
		printf("        %s packet%s no latency: made more than 11 minutes before arrival\n",
		       units_format_count(f->account.untimed),
		       f->account.untimed == 1 ? " has" : "s have");
	flow_text_print_times("jitter", &f->jitter);
	print_rate(f);
	flow_text_print_times("gap between packets", &f->gaps);
	flow_text_print_times("later than in the capture", &f->late);
	printf("        time per packet, waiting included: make%s %.1f ns, send %.1f ns\n",
	       f->flow->capture ? "" : " and sign", flow_text_compute_ns(r, f->make_cycles, sent),
	       flow_text_compute_ns(r, f->send_cycles, sent));
}
