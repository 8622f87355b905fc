/* SPDX-License-Identifier: BSD-3-Clause */
#include "monitor/show.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/messages.h"
#include "cli/units.h"

enum { FCS_BYTES = 4 };

/* Counters of a port decrease when the run resets them or closes a generator ring. */
static double compute_rate(uint64_t now, uint64_t last, double seconds)
{
	return now > last && seconds > 0 ? (double)(now - last) / seconds : 0;
}

static const struct rte_eth_stats *find_stats(const struct snapshot *s, const char *name)
{
	static const struct rte_eth_stats none;

	for (unsigned i = 0; i < s->n_ports; i++)
		if (!strcmp(s->ports[i].name, name))
			return &s->ports[i].stats;
	return &none;
}

/** struct rates - rates of a port: packets, and bits of frames with FCS, per second */
struct rates {
	double tx_pps, tx_bps, rx_pps, rx_bps;
};

static struct rates compute_rates(const struct snapshot_port *p, const struct snapshot *last,
				  double seconds)
{
	const struct rte_eth_stats *old = find_stats(last, p->name), *now = &p->stats;
	struct rates r = {
		.tx_pps = compute_rate(now->opackets, old->opackets, seconds),
		.tx_bps = 8 * compute_rate(now->obytes, old->obytes, seconds),
		.rx_pps = compute_rate(now->ipackets, old->ipackets, seconds),
		.rx_bps = 8 * compute_rate(now->ibytes, old->ibytes, seconds),
	};

	r.tx_bps += 8 * FCS_BYTES * r.tx_pps;
	r.rx_bps += 8 * FCS_BYTES * r.rx_pps;
	return r;
}

static void print_text(int pid, const struct snapshot *now, const struct snapshot *last,
		       double seconds)
{
	const struct published *run = &now->run;
	char done[80] = "";

	if (run->share >= 0)
		snprintf(done, sizeof(done), ", %.0f%% done, %s left", run->share * 100,
			 progress_format_time(run->left_s));
	report_line("devx-pktgen %d, %6.1f s %s: %s sent, %s received, now %spps%s", pid,
		    (double)run->ms / 1000, run->stage, units_format_count(run->sent),
		    units_format_count(run->arrived),
		    units_format_si(compute_rate(run->sent, last->run.sent, seconds)), done);
	for (unsigned i = 0; i < now->n_ports; i++) {
		const struct snapshot_port *p = &now->ports[i];
		const struct rates r = compute_rates(p, last, seconds);

		report_line("  %s: sends %spps, %sbps; receives %spps, %sbps; %s missed, %s errors",
			    p->name, units_format_si(r.tx_pps), units_format_si(r.tx_bps),
			    units_format_si(r.rx_pps), units_format_si(r.rx_bps),
			    units_format_count(p->stats.imissed),
			    units_format_count(p->stats.ierrors + p->stats.oerrors));
	}
}

static json_t *make_port(const struct snapshot_port *p, const struct rates *r)
{
	return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f}", "name",
			 p->name, "tx_packets", (json_int_t)p->stats.opackets, "tx_bytes",
			 (json_int_t)p->stats.obytes, "rx_packets", (json_int_t)p->stats.ipackets,
			 "rx_bytes", (json_int_t)p->stats.ibytes, "rx_missed",
			 (json_int_t)p->stats.imissed, "rx_errors", (json_int_t)p->stats.ierrors,
			 "tx_errors", (json_int_t)p->stats.oerrors, "tx_pps", r->tx_pps, "tx_bps",
			 r->tx_bps, "rx_pps", r->rx_pps, "rx_bps", r->rx_bps);
}

static void print_json(int pid, const struct snapshot *now, const struct snapshot *last,
		       double seconds)
{
	const struct published *run = &now->run;
	json_t *ports = json_array(), *record;
	char *text;

	for (unsigned i = 0; i < now->n_ports; i++) {
		const struct rates r = compute_rates(&now->ports[i], last, seconds);

		json_array_append_new(ports, make_port(&now->ports[i], &r));
	}
	record = json_pack("{s:s, s:i, s:f, s:s, s:I, s:I, s:I, s:f, s:o}", "record", "monitor",
			   "pid", pid, "time_s", (double)run->ms / 1000, "stage", run->stage,
			   "sent", (json_int_t)run->sent, "received", (json_int_t)run->arrived,
			   "distinct", (json_int_t)run->distinct, "tx_pps",
			   compute_rate(run->sent, last->run.sent, seconds), "ports", ports);
	if (record && run->share >= 0) {
		json_object_set_new(record, "share", json_real(run->share));
		json_object_set_new(record, "left_s", json_real(run->left_s));
	}
	text = record ? json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;
	report_line("%s", text ? text : "{}");
	free(text);
	json_decref(record);
}

enum pktgen_exit show_snapshot(int pid, const struct snapshot *now, const struct snapshot *last,
			       bool json)
{
	const double seconds = (double)(now->ns - last->ns) / 1e9;

	if (json)
		print_json(pid, now, last, seconds);
	else
		print_text(pid, now, last, seconds);
	return report_check_stdout(PKTGEN_REPORT);
}
