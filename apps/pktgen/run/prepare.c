/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_random.h>

#include "base/lines.h"
#include "cli/messages.h"
#include "cli/units.h"
#include "run/queues.h"
#include "run/resolve.h"
#include "run/run.h"
#include "run/spread.h"

/* Warns if the link that a flow is sent on cannot carry the requested rate. */
static void warn_rate_above_link(const struct run *r, const struct job_flow *f)
{
	const struct port *from = &r->ports.port[f->tx];
	const double rate = (double)f->rate.micro / RATE_MICRO, link = from->link_mbps * 1e6;
	const double bytes = job_compute_mean(f), line_bytes = bytes + BUCKET_LINE_EXTRA_BYTES;
	double needed = 0;

	if (f->rate.unit == RATE_PACKETS)
		needed = rate * line_bytes * 8;
	else if (f->rate.unit == RATE_BITS)
		needed = rate * line_bytes / bytes;
	else if (f->rate.unit == RATE_LINE_BITS)
		needed = rate;
	if (link > 0 && needed > link)
		report_warning("--rate: %s needs a link of %sb/s, preamble and gap included, "
			       "and port %s has %sb/s; the link cannot carry the rate",
			       f->name, units_format_si(needed), from->device,
			       units_format_si(link));
}

/* Warns if all addresses of the sending port are in other VLANs than the frames of a flow. */
static void warn_vlan(const struct run *r, const struct job_flow *f)
{
	const struct port *from = &r->ports.port[f->tx];
	char theirs[VLAN_TEXT_BYTES], own[VLAN_TEXT_BYTES];
	const struct address *a;
	struct stack_ip ip;
	struct vlan v;

	if (f->capture || !stack_find_ip(&f->stack, &ip) || !vlan_find(&v, &f->stack, &ip))
		return;
	a = addresses_find_for(&from->addresses, &v, ip.is_v6 ? IP6_BYTES : IP4_BYTES);
	if (!a || !a->vlan.n || vlan_is_same(&a->vlan, &v))
		return;
	vlan_format(&v, theirs);
	vlan_format(&a->vlan, own);
	report_warning("%s: sends %s%.*s, but port %u has its address in %.*s; give the frames the "
		       "VLAN of the port, such as ethernet/vlan(id=%u)/...",
		       f->name, v.n ? "in " : "without VLAN tag", (int)strcspn(theirs, ":"), theirs,
		       from->id, (int)strcspn(own, ":"), own, a->vlan.tags[0].id);
}

static enum pktgen_exit check_flow(const struct run *r, const struct job_flow *f)
{
	const struct port *from = &r->ports.port[f->tx];

	if (f->rate.unit == RATE_LINE && !from->link_mbps)
		return report_error(PKTGEN_USAGE,
				    "--rate in %%: port %s does not report the speed of its link; "
				    "give the rate in pps or bps",
				    from->device);
	if ((f->expect == EXPECT_ANY || f->egress) && r->ports.port[f->rx].n_rx > 1)
		return report_error(PKTGEN_USAGE,
				    "%s expects other headers than it sends: port %s has %u "
				    "receive queues, and "
				    "changed headers choose the queue of a frame, so that its "
				    "order would be lost (valid: 1 receive queue); give --queues "
				    "%u=1:1",
				    f->name, r->ports.port[f->rx].device, r->ports.port[f->rx].n_rx,
				    f->rx);
	warn_rate_above_link(r, f);
	warn_vlan(r, f);
	return PKTGEN_MET;
}

/*
 * Returns over how many queues of its port a flow is spread. If a port sends at least as many flows
 * as it has queues, each flow uses one queue. So does a capture, whose frames must stay in order,
 * and a flow with less than a millionth of its unit for each queue. @n_flows: number of
 * flows that each port sends.
 */
static unsigned count_parts(const struct run *r, const struct job_flow *f,
			    const unsigned n_flows[PKTGEN_MAX_PORTS])
{
	const unsigned n_queues = r->ports.port[f->tx].n_tx;
	const bool is_slow = f->rate.unit != RATE_MAX && f->rate.micro < n_queues;

	return f->capture || is_slow || n_flows[f->tx] >= n_queues ? 1 : n_queues;
}

/*
 * Makes part @part of @n_parts of a flow, for send queue @queue. @route: what routers may change
 * in generated frames. Returns 0, or -ENOMEM.
 */
static int init_stream(struct run *r, unsigned flow, unsigned part, unsigned n_parts,
		       unsigned queue, struct route route)
{
	const struct job_flow *f = &r->job.flows[flow];
	const unsigned id = r->n_streams++;
	struct stream *s = &r->streams[id];
	const uint64_t count = f->count ? f->count : 1ull << PKTGEN_MAX_SEQ_LOG2;
	int rc;

	s->flow = flow;
	s->part = part;
	s->n_parts = n_parts;
	s->from = &r->ports.port[f->tx];
	s->to = &r->ports.port[f->rx];
	s->tx = (struct tx){
		.id = id,
		.port = s->from->id,
		.queue = (uint16_t)queue,
		.flow = &s->frames,
		.capture = f->capture,
		.clock = &r->clock,
		.count = count / n_parts + (part < count % n_parts),
		.until = UINT64_MAX,
	};
	s->tx.pace.packets = f->burst_packets;
	r->tx[id] = &s->tx;
	s->tx.speed = f->speed;
	if (f->rate.unit != RATE_MAX &&
	    histogram_init(&s->tx.gaps, LATENCY_DIGITS, GAPS_HIGHEST_NS))
		return -ENOMEM;
	if (f->speed > 0 && histogram_init(&s->tx.late, LATENCY_DIGITS, GAPS_HIGHEST_NS))
		return -ENOMEM;
	if (f->capture)
		return 0;
	s->tx.epochs = &r->epochs[id];
	rc = flow_init(&s->frames, r->number, id, &f->stack, &f->size, part, n_parts);
	flow_set_expect(&s->frames, f->expect, route, f->egress);
	return rc ? rc : flow_set_offload(&s->frames, &f->stack, &f->offload);
}

static enum pktgen_exit report_no_memory(unsigned n)
{
	return report_error(PKTGEN_ENVIRONMENT,
			    "%u flow%s: no memory for their frames; free some memory", n,
			    units_get_plural(n));
}

/*
 * Completes the addresses of generated frames with those of the ports. If the sending port has a
 * gateway, the destination is the gateway's MAC address. Returns whether it has.
 */
static bool set_addresses(struct stack *s, const struct port *from, const struct port *to)
{
	const struct addresses *a = &from->addresses;
	const struct gateway *g = NULL;
	struct stack_ip ip;
	struct vlan v;

	job_set_ips(s, a, &to->addresses);
	if (stack_find_ip(s, &ip))
		g = addresses_find_gateway(a, vlan_find(&v, s, &ip) ? &v : NULL,
					   ip.is_v6 ? IP6_BYTES : IP4_BYTES);
	stack_set_macs(s, from->mac.addr_bytes, g ? g->mac : to->mac.addr_bytes);
	return g;
}

/* Returns what routers may change in the frames of a flow. */
static struct route find_route(const struct job_flow *f)
{
	struct stack_ip ip;

	if ((f->expect != EXPECT_ROUTED && f->expect != EXPECT_ROUTED_DSCP) ||
	    !stack_find_ip(&f->stack, &ip))
		return (struct route){ 0 };
	return route_make(&ip);
}

/* Makes the @n_parts streams of a flow. @next: counts the send queues used on its port so far. */
static int init_streams(struct run *r, unsigned flow, unsigned n_parts, unsigned *next)
{
	struct job_flow *f = &r->job.flows[flow];
	const struct port *from = &r->ports.port[f->tx], *to = &r->ports.port[f->rx];
	const bool has_gateway = set_addresses(&f->stack, from, to);
	int rc = 0;

	if (f->egress)
		f->expect = EXPECT_EGRESS;
	else if (f->expect == EXPECT_DEFAULT)
		f->expect = has_gateway ? EXPECT_ROUTED : EXPECT_SAME;
	for (unsigned part = 0; part < n_parts && !rc; part++)
		rc = init_stream(r, flow, part, n_parts, (*next)++ % from->n_tx, find_route(f));
	return rc;
}

static enum pktgen_exit make_streams(struct run *r)
{
	unsigned next[PKTGEN_MAX_PORTS] = { 0 }, n_flows[PKTGEN_MAX_PORTS] = { 0 }, n = 0;

	for (unsigned i = 0; i < r->job.n_flows; i++)
		n_flows[r->job.flows[i].tx]++;
	for (unsigned i = 0; i < r->job.n_flows; i++)
		n += count_parts(r, &r->job.flows[i], n_flows);
	if (n > SIGN_MAX_STREAMS)
		return report_error(PKTGEN_USAGE,
				    "%u flows on all queues (valid: at most %d); give fewer flows",
				    n, SIGN_MAX_STREAMS);
	r->streams = lines_calloc(n, sizeof(*r->streams), RTE_CACHE_LINE_SIZE);
	r->tx = calloc(n, sizeof(struct tx *));
	/* Zeroed: epoch 0 of each stream begins with its number 0. */
	r->epochs = calloc(n, sizeof(*r->epochs));
	if (!r->streams || !r->tx || !r->epochs)
		return report_no_memory(n);
	for (unsigned i = 0; i < r->job.n_flows; i++) {
		const struct job_flow *f = &r->job.flows[i];

		if (init_streams(r, i, count_parts(r, f, n_flows), &next[f->tx]))
			return report_no_memory(n);
	}
	return spread_streams(r) ? report_no_memory(n) : PKTGEN_MET;
}

static bool has_capture_of_run(const struct run *r, unsigned number)
{
	for (const struct job_capture *c = r->job.captures; c; c = c->next) {
		if (capture_has_run(&c->capture, number))
			return true;
	}
	return false;
}

/*
 * Chooses the number of the run: that of --run, or a random one. Frames of a replayed capture must
 * not look like those of this run.
 */
static enum pktgen_exit choose_number(struct run *r)
{
	const unsigned first = (unsigned)rte_rand_max(SIGN_MAX_RUN);

	r->number = r->o->run_number;
	for (unsigned i = 0; !r->number && i < SIGN_MAX_RUN; i++) {
		const unsigned number = 1 + (first + i) % SIGN_MAX_RUN;

		if (!has_capture_of_run(r, number))
			r->number = number;
	}
	if (!r->number)
		return report_error(PKTGEN_USAGE,
				    "the captures have frames with the signatures of all %d runs; "
				    "replay fewer of them",
				    SIGN_MAX_RUN);
	if (has_capture_of_run(r, r->number))
		return report_error(PKTGEN_USAGE,
				    "--run %u: a capture has frames with the signature of this run "
				    "(valid: another number from 1 to %d); choose another one, or "
				    "leave it out",
				    r->number, SIGN_MAX_RUN);
	return PKTGEN_MET;
}

enum pktgen_exit run_prepare(struct run *r, const volatile int *stop)
{
	enum pktgen_exit e = choose_number(r);

	for (unsigned i = 0; i < r->job.n_flows && !e; i++)
		e = check_flow(r, &r->job.flows[i]);
	if (!e && !r->o->send_only)
		e = queues_make_responders(r);
	/* Before make_streams(): the frames contain the MAC addresses of the gateways. */
	if (!e)
		e = run_resolve(r, stop);
	if (!e)
		e = make_streams(r);
	if (!e)
		e = queues_make_tx(r);
	if (!e && !r->o->send_only)
		e = queues_make_rx(r);
	return e;
}

void run_free(struct run *r)
{
	for (unsigned i = 0; i < r->n_streams; i++) {
		tx_release(&r->streams[i].tx);
		flow_free(&r->streams[i].frames);
	}
	queues_free(r);
	free(r->streams);
	free(r->tx);
	free(r->epochs);
	utc_clock_free(&r->utc);
}
