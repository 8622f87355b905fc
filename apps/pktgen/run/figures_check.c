/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdio.h>

#include "run/figures.h"

static bool is_equal(uint64_t left, uint64_t right, const char *subject, const char *what,
		     char text[FIGURES_TEXT_BYTES])
{
	if (left == right)
		return true;
	snprintf(text, FIGURES_TEXT_BYTES, "%s: %s: %" PRIu64 " and %" PRIu64, subject, what, left,
		 right);
	return false;
}

static enum figures_sum check_flow(const struct figures_flow *f, char text[FIGURES_TEXT_BYTES])
{
	const struct account *a = &f->account;

	/* Untracked packets were received; nothing else is known about them. */
	if (!is_equal(a->received, a->sent - a->lost + a->duplicated + a->untracked, f->flow->name,
		      "received, and sent - lost + duplicated", text))
		return SUM_FLOW;
	if (!is_equal(a->received, f->rx.packets, f->flow->name,
		      "received packets of the account, and of the receive queues", text))
		return SUM_STREAMS;
	return SUM_NONE;
}

static enum figures_sum check_queue(const struct figures_port *p, unsigned i,
				    char text[FIGURES_TEXT_BYTES])
{
	const struct figures_queue *q = &p->queues[i];
	char subject[FIGURES_TEXT_BYTES / 4];

	snprintf(subject, sizeof(subject), "port %u, receive queue %u", p->port->id, i);
	if (!is_equal(q->expected, q->of_streams, subject,
		      "packets of flows, and the sum of the flows", text))
		return SUM_STREAMS;
	if (!is_equal(q->rx.packets,
		      q->expected + q->unknown + q->requests + q->misdirected + q->other_run +
			      q->unsent + q->fragments,
		      subject,
		      "received packets, and those of flows + unknown + requests + misdirected + "
		      "other run + unsent + fragments",
		      text))
		return SUM_QUEUE;
	return SUM_NONE;
}

enum figures_sum figures_check(const struct figures *f, bool send_only,
			       char text[FIGURES_TEXT_BYTES])
{
	enum figures_sum sum = SUM_NONE;
	uint64_t sent = 0;

	for (unsigned i = 0; i < f->n_ports; i++)
		sent += f->ports[i].tx.packets;
	if (!is_equal(f->tx.packets, sent, "all ports",
		      "packets of the flows, and of the send queues", text))
		return SUM_SENT;
	for (unsigned i = 0; i < f->n_flows && !send_only && sum == SUM_NONE; i++)
		sum = check_flow(&f->flows[i], text);
	for (unsigned i = 0; i < f->n_ports && sum == SUM_NONE; i++) {
		for (unsigned q = 0; q < f->ports[i].n_queues && sum == SUM_NONE; q++)
			sum = check_queue(&f->ports[i], q, text);
	}
	return sum;
}

bool figures_compare_port(const struct figures_port *p, bool send_only,
			  char text[FIGURES_TEXT_BYTES])
{
	char subject[FIGURES_TEXT_BYTES / 4];

	snprintf(subject, sizeof(subject), "port %u", p->port->id);
	return is_equal(p->stats.opackets, p->tx.packets + p->answers, subject,
			"sent packets, as the port counts them and as devx-pktgen does", text) &&
	       (send_only ||
		is_equal(p->stats.ipackets, p->rx.packets, subject,
			 "received packets, as the port counts them and as devx-pktgen does",
			 text));
}

bool figures_get_clock(const struct figures_port *p, struct receive_clock *clock)
{
	const unsigned p99 = 990000; /* millionths */

	*clock = (struct receive_clock){ .is_device = p->port->stamps.on };
	if (!p->polls.times)
		return false;
	clock->error_ns = clock->is_device ? p->stamp_error_ns
					   : histogram_find_percentile(p->polls.times, p99);
	clock->unstamped = clock->is_device ? p->unstamped : 0;
	clock->negative = p->negative;
	return true;
}
