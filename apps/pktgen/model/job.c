/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/job_check.h"
#include "model/share.h"

enum { DEMO_CAPTURE_PACKETS = 1000000 };

/* Returns how many packets a flow that replays a capture sends; 0: no limit. */
static uint64_t compute_capture_count(const struct options *o, const struct capture *c)
{
	const uint64_t most = 1ull << PKTGEN_MAX_SEQ_LOG2;
	const uint64_t passes = o->loops  ? o->loops
				: o->demo ? 1 + DEMO_CAPTURE_PACKETS / c->n_frames
					  : 1;

	if (o->duration_ns && !o->loops)
		return 0;
	return passes > most / c->n_frames ? most : passes * c->n_frames;
}

void job_set_ips(struct stack *s, const struct addresses *from, const struct addresses *to)
{
	const struct address *src, *dst;
	const struct vlan *v;
	struct stack_ip ip;
	struct vlan vlan;

	if (!stack_find_ip(s, &ip))
		return;
	v = vlan_find(&vlan, s, &ip) ? &vlan : NULL;
	src = addresses_find_for(from, v, ip.is_v6 ? IP6_BYTES : IP4_BYTES);
	dst = addresses_find_for(to, v, ip.is_v6 ? IP6_BYTES : IP4_BYTES);
	stack_set_ips(s, &ip, src ? src->bytes : NULL, dst ? dst->bytes : NULL);
}

static bool is_capture(const struct job_capture *c, const char *path, const char *interface)
{
	return !strcmp(c->path, path) && !c->interface == !interface &&
	       (!interface || !strcmp(c->interface, interface));
}

static void free_capture(struct job_capture *c)
{
	capture_free(&c->capture);
	free(c->path);
	free(c->interface);
	free(c);
}

/* Makes a capture without frames. Returns NULL without memory. */
static struct job_capture *make_capture(const char *path, const char *interface)
{
	struct job_capture *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->path = strdup(path);
	c->interface = interface ? strdup(interface) : NULL;
	if (c->path && !interface == !c->interface)
		return c;
	free_capture(c);
	return NULL;
}

const struct job_capture *job_load_capture(struct job *j, const char *path, const char *interface,
					   const struct rewrite *rewrite, char *why,
					   size_t why_bytes)
{
	struct job_capture **end = &j->captures;
	struct job_capture *c;

	for (; *end; end = &(*end)->next) {
		if (is_capture(*end, path, interface))
			return *end;
	}
	c = make_capture(path, interface);
	if (!c)
		snprintf(why, why_bytes, "%s: no memory for it; free some memory", path);
	else if (!capture_read(&c->capture, path, interface, rewrite, why, why_bytes))
		return *end = c;
	if (c)
		free_capture(c);
	return NULL;
}

static void free_captures(struct job_capture *c)
{
	while (c) {
		struct job_capture *next = c->next;

		free_capture(c);
		c = next;
	}
}

/* Adds share @part of a flow (--flows). */
static void add_share(struct job *j, const struct options *o, unsigned tx, unsigned rx,
		      bool is_back, unsigned part)
{
	struct job_flow *f = &j->flows[j->n_flows];

	*f = (struct job_flow){
		.tx = tx,
		.rx = rx,
		.size = o->size,
		.capture = o->pcap ? &j->captures->capture : NULL,
		.pcap = o->pcap,
		.interface = o->interface,
		.speed = o->speed,
		.expect = o->expect,
		.rate = o->rate,
		.ramp_from = o->ramp_from,
		.ramp_ns = o->ramp_ns,
		.count = o->count,
		.duration_ns = o->duration_ns,
		.delay_ns = o->delay_ns,
		.burst_packets = o->burst_packets,
		.burst_gap_ns = o->burst_gap_ns,
	};
	stack_copy(&f->stack, &o->stack);
	job_set_ips(&f->stack, &o->addresses[is_back ? rx : tx], &o->addresses[is_back ? tx : rx]);
	if (is_back)
		stack_reverse(&f->stack);
	share_take(f, part, o->n_flows);
	job_raise_sizes(f);
	if (f->capture && !f->count)
		f->count = compute_capture_count(o, f->capture);
	snprintf(f->name, sizeof(f->name), "flow %u", j->n_flows);
	j->n_flows++;
}

static void add_flow(struct job *j, const struct options *o, unsigned tx, unsigned rx, bool is_back)
{
	unsigned part = 0;

	do
		add_share(j, o, tx, rx, is_back, part);
	while (++part < o->n_flows);
}

const char *job_make_flows(struct job *j, const struct options *o, unsigned n_ports)
{
	const char *why = job_check_ports(o, n_ports);

	if (why)
		return why;
	j->n_flows = 0;
	j->flows = calloc((size_t)job_count_flows(o, n_ports) * (o->n_flows ? o->n_flows : 1),
			  sizeof(*j->flows));
	if (!j->flows)
		return "no memory for the flows; free some memory";
	if (n_ports == 1)
		add_flow(j, o, 0, 0, false);
	for (unsigned i = 0; i + 1 < n_ports; i += 2) {
		add_flow(j, o, i, i + 1, false);
		if (o->both)
			add_flow(j, o, i + 1, i, true);
	}
	return NULL;
}

bool job_share_port_rates(struct job *j)
{
	unsigned n_flows[PKTGEN_MAX_PORTS] = { 0 }, part[PKTGEN_MAX_PORTS] = { 0 };

	for (unsigned i = 0; i < j->n_flows; i++)
		n_flows[j->flows[i].tx]++;
	for (unsigned i = 0; i < j->n_flows; i++) {
		struct job_flow *f = &j->flows[i];
		const struct rate *rate = &j->ports[f->tx].rate;

		if (rate->unit == RATE_MAX)
			continue;
		f->rate = rate_get_part(rate, part[f->tx]++, n_flows[f->tx]);
		if (!f->rate.micro)
			return false;
	}
	return true;
}

uint32_t job_compute_longest(const struct job_flow *f)
{
	return f->capture ? f->capture->max_bytes + PKTGEN_FCS_BYTES : f->size.max;
}

double job_compute_mean(const struct job_flow *f)
{
	if (!f->capture)
		return size_compute_mean(&f->size);
	return (double)f->capture->total_bytes / f->capture->n_frames + PKTGEN_FCS_BYTES;
}

static void free_flow(struct job_flow *f)
{
	stack_free(&f->stack);
	if (f->egress)
		stack_free(f->egress);
	free(f->egress);
}

void job_free(struct job *j)
{
	for (unsigned i = 0; i < j->n_ports; i++)
		free(j->ports[i].device);
	for (unsigned i = 0; i < j->n_flows; i++)
		free_flow(&j->flows[i]);
	free(j->flows);
	free_captures(j->captures);
	*j = (struct job){ 0 };
}
