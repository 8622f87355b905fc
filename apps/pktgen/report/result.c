/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/result.h"

#include <stdio.h>

#include "cli/units.h"
#include "receive/account.h"
#include "run/run.h"

enum {
	MET_PERCENT = 99,
	MIN_JUDGED_MS = 100, /* a shorter time says little about a rate */
	TEXT_BYTES = 256,
};

struct side {
	uint64_t packets, bytes;
	double seconds;
};

static void print_side(const struct side *s)
{
	const double seconds = s->seconds > 0 ? s->seconds : 1;

	printf("  %15s %17s %7.3f %8.3f", units_format_count(s->packets),
	       units_format_count(s->bytes), (double)s->packets / seconds / 1e6,
	       (double)s->bytes * 8 / seconds / 1e9);
}

static void print_drops(const struct port *port)
{
	const struct rte_eth_stats s = ports_read_stats(port);
	/* The names are those of ethdev's extended statistics. */
	const struct {
		const char *name;
		uint64_t n;
	} rows[] = {
		{ "rx_missed_errors", s.imissed },
		{ "rx_errors", s.ierrors },
		{ "rx_mbuf_allocation_errors", s.rx_nombuf },
		{ "tx_errors", s.oerrors },
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

static double compute_seconds(const struct run *r, uint64_t from, uint64_t to)
{
	return to > from ? (double)(to - from) / (double)r->clock.hz : 0;
}

static void print_table(const struct run *r)
{
	printf("\n%4s %5s  %15s %17s %7s %8s  %15s %17s %7s %8s  %s\n", "port", "queue",
	       "tx packets", "tx bytes", "Mpps", "Gb/s", "rx packets", "rx bytes", "Mpps", "Gb/s",
	       "drops");
	for (unsigned i = 0; i < r->ports.n; i++) {
		const struct port *port = &r->ports.port[i];
		struct side tx = { 0 }, rx = { 0 };

		for (unsigned f = 0; f < r->n_flows; f++) {
			if (r->tx[f].port == port->id)
				tx = (struct side){ r->tx[f].sent, r->tx[f].bytes,
						    compute_seconds(r, r->tx[f].begin,
								    r->tx[f].end) };
			if (r->rx[f].port == port->id)
				rx = (struct side){ r->rx[f].packets, r->rx[f].bytes,
						    compute_seconds(r, r->rx[f].first,
								    r->rx[f].last) };
		}
		printf("%4u %5u", port->id, 0);
		print_side(&tx);
		print_side(&rx);
		print_drops(port);
	}
}

/* ---- accounts ------------------------------------------------------------------- */

/* Prints how many lost packets of flow @i the receiving port counted as dropped. */
static void print_lost(const struct run *r, unsigned i, uint64_t lost)
{
	const struct rte_eth_stats s = ports_read_stats(&r->ports.port[r->ports.n - 1 - i]);
	const uint64_t dropped = s.imissed + s.rx_nombuf + s.ierrors;
	const uint64_t named = dropped < lost ? dropped : lost;

	printf("        lost %s = %s dropped by port %u + %s lost before port %u\n",
	       units_format_count(lost), units_format_count(named), r->rx[i].port,
	       units_format_count(lost - named), r->rx[i].port);
}

static double compute_ns_per_packet(const struct run *r, uint64_t cycles, uint64_t packets)
{
	return packets ? (double)cycles * 1e9 / (double)r->clock.hz / (double)packets : 0;
}

static void print_flow(const struct run *r, unsigned i, const struct account *a)
{
	const struct tx *tx = &r->tx[i];
	const struct rx *rx = &r->rx[i];

	if (r->o->send_only)
		printf("flow %u: %s sent\n", i, units_format_count(a->sent));
	else
		printf("flow %u: %s sent, %s received, %s lost, %s duplicated, %s reordered, %s "
		       "corrupted\n",
		       i, units_format_count(a->sent), units_format_count(a->received),
		       units_format_count(a->lost), units_format_count(a->duplicated),
		       units_format_count(a->reordered), units_format_count(a->corrupted));
	if (a->lost)
		print_lost(r, i, a->lost);
	if (a->unreadable)
		printf("        %s corrupted packets have no readable number: each is taken for a "
		       "missing packet, which then does not count as lost\n",
		       units_format_count(a->unreadable));
	if (a->foreign)
		printf("        port %u also received %s frames that do not belong to the flow\n",
		       rx->port, units_format_count(a->foreign));
	if (rx->n_latency)
		printf("        latency from making to receiving a burst: min %s, mean %s, max %s "
		       "ns\n",
		       units_format_count(rx->latency_min_ns),
		       units_format_count(rx->latency_sum_ns / rx->n_latency),
		       units_format_count(rx->latency_max_ns));
	printf("        time per packet, waiting included: make%s %.1f ns, send %.1f ns",
	       tx->capture ? "" : " and sign", compute_ns_per_packet(r, tx->make_cycles, a->sent),
	       compute_ns_per_packet(r, tx->send_cycles, a->sent));
	if (rx->packets)
		printf(", verify %.1f ns",
		       compute_ns_per_packet(r, rx->verify_cycles, rx->packets));
	putchar('\n');
}

/*
 * One worker may serve several flows, so the CPU time is that of the whole run. At a limited rate a
 * worker polls most of the time: CPU time per packet would say nothing about the packets.
 */
static void print_cpu_time(const struct run *r, const struct account *sum)
{
	printf("CPU time of %u worker thread%s: ", r->n_workers, r->n_workers == 1 ? "" : "s");
	if (r->busy_ms < MIN_JUDGED_MS) {
		printf("not measured, because packets moved for less than %d ms\n", MIN_JUDGED_MS);
		return;
	}
	printf("%.3f s in %.3f s, empty polls included", (double)r->cpu_ns / 1e9,
	       (double)r->busy_ms / 1e3);
	if (r->o->rate.unit == RATE_MAX && sum->sent)
		printf("; %.1f ns per packet", (double)r->cpu_ns / (double)sum->sent);
	putchar('\n');
}

/* ---- the verdict ---------------------------------------------------------------- */

static bool is_rate_judged(const struct run *r, const struct tx *tx)
{
	return tx->bucket.rate && compute_seconds(r, tx->begin, tx->end) * 1000 >= MIN_JUDGED_MS;
}

static void print_unjudged_rates(const struct run *r)
{
	for (unsigned i = 0; i < r->n_flows; i++) {
		const struct tx *tx = &r->tx[i];

		if (tx->bucket.rate && !is_rate_judged(r, tx))
			printf("flow %u: rate not judged, because sending took %.1f ms (valid: at "
			       "least %d ms)\n",
			       i, compute_seconds(r, tx->begin, tx->end) * 1000, MIN_JUDGED_MS);
	}
}

/* Returns how much of the requested rate the slowest flow reached, in percent; 100: not judged. */
static double compute_rate_percent(const struct run *r)
{
	double least = 100;

	for (unsigned i = 0; i < r->n_flows; i++) {
		const struct tx *tx = &r->tx[i];
		const struct bucket *b = &tx->bucket;
		const double asked = (double)b->rate * compute_seconds(r, tx->begin, tx->end);
		const double got =
			(double)b->per_packet * (double)tx->sent +
			(double)b->per_byte *
				((double)tx->bytes + (double)b->extra_bytes * (double)tx->sent);

		if (is_rate_judged(r, tx) && got * 100 / asked < least)
			least = got * 100 / asked;
	}
	return least;
}

/* Returns the reason why the run failed, "" if the account tells the reason, NULL: it passed. */
static const char *find_failure_reason(const struct run *r, const struct account *a,
				       char text[TEXT_BYTES])
{
	const double met = compute_rate_percent(r);
	uint64_t asked = 0;

	for (unsigned i = 0; i < r->n_flows; i++)
		asked += r->tx[i].count;
	if (r->interrupted)
		return "interrupted";
	if (r->trouble)
		return r->trouble;
	if (a->untracked)
		return "the counters are incomplete: no memory to track every packet";
	if (a->sent < asked && !r->o->duration_ns) {
		snprintf(text, TEXT_BYTES, "only %s of %s packets were sent",
			 units_format_count(a->sent), units_format_count(asked));
		return text;
	}
	if (a->sent == 0)
		return "no packet was sent";
	if (met < MET_PERCENT) {
		snprintf(
			text, TEXT_BYTES,
			"the rate was %.1f%% of the requested rate (valid: at least %d%%); the CPU "
			"or the port is too slow",
			met, MET_PERCENT);
		return text;
	}
	return a->lost || a->duplicated || a->reordered || a->corrupted ? "" : NULL;
}

static enum pktgen_exit get_exit_status(const struct run *r, const char *why)
{
	if (r->interrupted)
		return PKTGEN_INTERRUPTED;
	return why ? PKTGEN_NOT_MET : PKTGEN_MET;
}

static enum pktgen_exit print_verdict(const struct run *r, const struct account *a)
{
	char text[TEXT_BYTES];
	const char *why = find_failure_reason(r, a, text);

	if (r->o->send_only) {
		printf("\n%s: %s sent, not verified (--send-only)%s%s\n", why ? "FAIL" : "OK",
		       units_format_count(a->sent), why ? "; " : "", why ? why : "");
		return get_exit_status(r, why);
	}
	printf("\n%s: %s sent, %s received, %s lost", why ? "FAIL" : "OK",
	       units_format_count(a->sent), units_format_count(a->received),
	       units_format_count(a->lost));
	if (a->duplicated || a->reordered)
		printf(", %s duplicated, %s reordered", units_format_count(a->duplicated),
		       units_format_count(a->reordered));
	printf(", %s corrupted%s%s\n", units_format_count(a->corrupted), why && *why ? "; " : "",
	       why ? why : "");
	return get_exit_status(r, why);
}

enum pktgen_exit report_run(const struct run *r)
{
	struct account sum = { 0 };

	print_table(r);
	for (unsigned i = 0; i < r->n_flows; i++) {
		const struct account a = account_make(&r->rx[i], r->o->send_only);

		print_flow(r, i, &a);
		account_add(&sum, &a);
	}
	print_cpu_time(r, &sum);
	print_unjudged_rates(r);
	return print_verdict(r, &sum);
}
