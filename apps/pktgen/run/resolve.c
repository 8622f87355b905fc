/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/resolve.h"

#include "base/clock.h"
#include "cli/messages.h"

enum { TRIES = 3, TRY_S = 1, POLL_US = 100 };

static struct port *find_port(struct run *r, uint16_t id)
{
	struct port *p = r->ports.port;

	while (p->id != id)
		p++;
	return p;
}

static void take_frame(struct responder *d, struct addresses *a, struct rte_mbuf *m)
{
	const uint8_t *frame = rte_pktmbuf_mtod(m, uint8_t *);

	/* Requests and replies are shorter than any buffer. */
	if (m->nb_segs == 1 && !responder_take_reply(a, frame, m->data_len))
		responder_take_frame(d, frame, m->data_len);
	rte_pktmbuf_free(m);
}

static void poll_port(struct responder *d, struct port *p)
{
	struct rte_mbuf *burst[PKTGEN_BURST];

	for (uint16_t queue = 0; queue < p->n_rx; queue++) {
		const unsigned n = rte_eth_rx_burst(p->id, queue, burst, PKTGEN_BURST);

		for (unsigned i = 0; i < n; i++)
			take_frame(d, &p->addresses, burst[i]);
	}
	responder_send(d);
}

static bool are_all_resolved(const struct run *r)
{
	for (unsigned i = 0; i < r->ports.n; i++) {
		const struct addresses *a = &r->ports.port[i].addresses;

		for (unsigned g = 0; g < a->n_gateways; g++) {
			if (!a->gateways[g].is_resolved)
				return false;
		}
	}
	return true;
}

/* Waits for the answers to one try. Returns true if all have arrived, or if *@stop is set. */
static bool wait_answers(struct run *r, const volatile int *stop)
{
	const uint64_t end = clock_read() + TRY_S * clock_get_hz();

	do {
		for (unsigned i = 0; i < r->n_responders; i++)
			poll_port(&r->responders[i], find_port(r, r->responders[i].port));
		if (*stop || are_all_resolved(r))
			return true;
		rte_delay_us_sleep(POLL_US);
	} while (clock_read() < end);
	return false;
}

static void report_silent(const struct port *p, const struct gateway *g, unsigned try)
{
	const bool is_v4 = g->ip.n_bytes == IP4_BYTES;
	char text[ADDRESS_VLAN_TEXT_BYTES];

	address_format_vlan(&g->ip, text);
	if (try < TRIES)
		report_line("port %u: gateway %s has not answered; asking again (%u of %d)", p->id,
			    text, try + 1, TRIES);
	else
		report_error(PKTGEN_ENVIRONMENT,
			     "port %u (%s): gateway %s did not answer %d %s; check the address, "
			     "the cable%s",
			     p->id, p->device, text, TRIES,
			     is_v4 ? "ARP requests" : "neighbour solicitations",
			     g->ip.vlan.n ? " and the VLAN"
					  : ", and whether it is in a VLAN (--gateway "
					    "PORT=vlan5:IP)");
}

/* Names the gateways that have not answered. */
static void report_silent_gateways(const struct run *r, unsigned try)
{
	for (unsigned i = 0; i < r->ports.n; i++) {
		const struct port *p = &r->ports.port[i];

		for (unsigned g = 0; g < p->addresses.n_gateways; g++) {
			if (!p->addresses.gateways[g].is_resolved)
				report_silent(p, &p->addresses.gateways[g], try);
		}
	}
}

enum pktgen_exit run_resolve(struct run *r, const volatile int *stop)
{
	bool done = are_all_resolved(r);

	for (unsigned try = 1; !done && try <= TRIES; try++) {
		for (unsigned i = 0; i < r->n_responders; i++)
			responder_ask(&r->responders[i]);
		done = wait_answers(r, stop);
		if (!done)
			report_silent_gateways(r, try);
	}
	/* The frames up to here are not part of the run. */
	ports_begin_stats(&r->ports);
	for (unsigned i = 0; i < r->n_responders; i++)
		responder_begin_counts(&r->responders[i]);
	return done ? PKTGEN_MET : PKTGEN_ENVIRONMENT;
}
