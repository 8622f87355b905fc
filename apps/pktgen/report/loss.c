/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/loss.h"

#include "cli/units.h"
#include "packet/line.h"

/* The flow that lost most packets, and its ports. */
struct loss {
	const struct figures *f;
	const struct figures_flow *flow;
	const struct figures_port *from, *to;
	struct line text;
};

const char *loss_get_code(enum loss_reason reason)
{
	static const char *const codes[] = {
		[LOSS_NONE] = "none",
		[LOSS_LINK] = "link",
		[LOSS_NOT_SENT] = "tx_errors",
		[LOSS_MISDIRECTED] = "misdirected",
		[LOSS_DROPPED] = "dropped",
		[LOSS_FRAGMENTED] = "fragments",
		[LOSS_UNKNOWN] = "unknown_frames",
		[LOSS_NETWORK] = "network",
		[LOSS_NOTHING_ARRIVED] = "nothing_arrived",
	};

	return codes[reason];
}

static bool is_explained_by(const struct loss *l, uint64_t n)
{
	return n >= (l->flow->account.lost + 1) / 2;
}

static bool explain_link(struct loss *l)
{
	const struct figures_port *p = l->from->n_down ? l->from : l->to;

	if (!p->n_down)
		return false;
	line_add_text(&l->text, "the link of port %u was down for %.3f s", p->port->id, p->down_s);
	return true;
}

static bool explain_not_sent(struct loss *l)
{
	const uint64_t n = l->from->stats.oerrors;

	if (!is_explained_by(l, n))
		return false;
	line_add_text(&l->text,
		      "port %u could not send %s frame%s (tx_errors); --verbose may show why",
		      l->from->port->id, units_format_count(n), units_get_plural(n));
	return true;
}

static bool explain_misdirected(struct loss *l)
{
	for (unsigned i = 0; i < l->f->n_ports; i++) {
		const struct figures_port *p = &l->f->ports[i];
		uint64_t n = 0;

		for (unsigned q = 0; q < p->n_queues; q++)
			n += p->queues[q].misdirected;
		if (p == l->to || !is_explained_by(l, n))
			continue;
		line_add_text(&l->text, "port %u received %s packet%s that other ports expect; %s",
			      p->port->id, units_format_count(n), units_get_plural(n),
			      p == l->from ? "is the wire a loop?" : "are the wires exchanged?");
		return true;
	}
	return false;
}

static bool explain_dropped(struct loss *l)
{
	const struct rte_eth_stats *s = &l->to->stats;
	const struct {
		uint64_t n;
		const char *why;
	} drops[] = {
		{ s->imissed, "it had no receive descriptor (rx_missed_errors); give it more "
			      "(--rx-ring), or more CPUs (--cores)" },
		{ s->rx_nombuf, "it had no buffer (rx_mbuf_allocation_errors); give EAL more "
				"memory (-- -m 1024)" },
		{ s->ierrors, "of errors (rx_errors); look at the cable and the MTU" },
	};
	unsigned most = 0;

	if (!is_explained_by(l, s->imissed + s->rx_nombuf + s->ierrors))
		return false;
	for (unsigned i = 1; i < RTE_DIM(drops); i++)
		most = drops[i].n > drops[most].n ? i : most;
	line_add_text(&l->text, "port %u dropped %s frame%s because %s", l->to->port->id,
		      units_format_count(drops[most].n), units_get_plural(drops[most].n),
		      drops[most].why);
	return true;
}

static bool explain_fragments(struct loss *l)
{
	uint64_t n = 0;

	for (unsigned q = 0; q < l->to->n_queues; q++)
		n += l->to->queues[q].fragments;
	/* Each packet became at least two. */
	if (!is_explained_by(l, n / 2))
		return false;
	line_add_text(&l->text,
		      "port %u received %s fragments of IP packets; look at the MTU of each device "
		      "on the way",
		      l->to->port->id, units_format_count(n));
	return true;
}

/* Sums the lost packets of all flows to the receiving port. */
static uint64_t sum_lost(const struct loss *l)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < l->f->n_flows; i++) {
		const struct figures_flow *f = &l->f->flows[i];

		n += f->flow->rx == l->flow->flow->rx ? f->account.lost : 0;
	}
	return n;
}

static bool explain_unknown(struct loss *l)
{
	uint64_t n = 0;

	for (unsigned q = 0; q < l->to->n_queues; q++)
		n += l->to->queues[q].unknown;
	/* Many more are those of other hosts. */
	if (!is_explained_by(l, n) || n / 2 > sum_lost(l))
		return false;
	line_add_text(&l->text,
		      "port %u received %s frame%s to no flow; does a device change or truncate "
		      "the frames?",
		      l->to->port->id, units_format_count(n),
		      n == 1 ? " that belongs" : "s that belong");
	return true;
}

/* Names the way of the flow, where no counter of the ports looks. */
static void add_way(struct loss *l)
{
	if (l->from == l->to)
		line_add_text(&l->text, "on the way back to port %u", l->to->port->id);
	else
		line_add_text(&l->text, "between port %u and port %u", l->from->port->id,
			      l->to->port->id);
}

/* Says where packets were lost that no counter of the ports explains. */
static void explain_network(struct loss *l)
{
	const uint64_t n = l->flow->account.lost;

	line_add_text(&l->text, "%s packet%s lost ", units_format_count(n),
		      n == 1 ? " was" : "s were");
	add_way(l);
}

static void explain_silence(struct loss *l)
{
	const struct port *from = l->from->port, *to = l->to->port;

	line_add_text(&l->text, "nothing arrived ");
	add_way(l);
	line_add_text(&l->text,
		      "; look at the link, the VLAN and the MTU of each device there, and at the "
		      "port where a switch learned the MAC address " RTE_ETHER_ADDR_PRT_FMT,
		      RTE_ETHER_ADDR_BYTES(&to->mac));
	if (from->addresses.n_gateways)
		line_add_text(&l->text, "; and at the routes of the gateway");
}

static const struct figures_flow *find_flow(const struct figures *f)
{
	const struct figures_flow *most = f->flows;

	for (unsigned i = 1; i < f->n_flows; i++) {
		if (f->flows[i].account.lost > most->account.lost)
			most = &f->flows[i];
	}
	return most && most->account.lost ? most : NULL;
}

enum loss_reason loss_find(const struct figures *f, char text[LOSS_TEXT_BYTES])
{
	static bool (*const causes[])(struct loss * l) = {
		[LOSS_LINK] = explain_link,
		[LOSS_NOT_SENT] = explain_not_sent,
		[LOSS_MISDIRECTED] = explain_misdirected,
		[LOSS_DROPPED] = explain_dropped,
		[LOSS_FRAGMENTED] = explain_fragments,
		[LOSS_UNKNOWN] = explain_unknown,
	};
	struct loss l = { .f = f, .flow = find_flow(f), .text = { text, LOSS_TEXT_BYTES, 0 } };

	*text = '\0';
	if (!l.flow)
		return LOSS_NONE;
	l.from = &f->ports[l.flow->flow->tx];
	l.to = &f->ports[l.flow->flow->rx];
	if (f->n_flows > 1)
		line_add_text(&l.text, "%s: ", l.flow->flow->name);
	for (unsigned i = LOSS_LINK; i < RTE_DIM(causes); i++) {
		if (causes[i](&l))
			return (enum loss_reason)i;
	}
	if (l.flow->rx.packets) {
		explain_network(&l);
		return LOSS_NETWORK;
	}
	explain_silence(&l);
	return LOSS_NOTHING_ARRIVED;
}
