/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/extent.h"

#include <math.h>

double extent_compute_rate(const struct job_flow *f, const struct port *from)
{
	const double rate = (double)f->rate.micro / RATE_MICRO, bytes = job_compute_mean(f);

	switch (f->rate.unit) {
	case RATE_PACKETS:
		return rate;
	case RATE_BITS:
		return rate / 8 / bytes;
	case RATE_LINE_BITS:
		return rate / 8 / (bytes + BUCKET_LINE_EXTRA_BYTES);
	case RATE_LINE:
		return from->link_mbps * 1e4 * rate / 8 / (bytes + BUCKET_LINE_EXTRA_BYTES);
	case RATE_MAX:
		break;
	}
	return 0;
}

/* Returns the rate at the start of the ramp. */
static double compute_first_rate(const struct job_flow *f, double rate)
{
	return rate * (double)f->ramp_from.micro / (double)f->rate.micro;
}

double extent_compute_rate_at(const struct job_flow *f, const struct port *from, double seconds)
{
	const double rate = extent_compute_rate(f, from), ramp = (double)f->ramp_ns / 1e9;
	double first;

	if (seconds >= ramp)
		return rate;
	first = compute_first_rate(f, rate);
	return seconds > 0 ? first + (rate - first) * seconds / ramp : first;
}

double extent_compute_mean_rate(const struct job_flow *f, const struct port *from, double seconds)
{
	const double rate = extent_compute_rate(f, from), ramp = (double)f->ramp_ns / 1e9;
	const double in = seconds < ramp ? seconds : ramp;

	if (!f->ramp_ns || seconds <= 0)
		return rate;
	/* The mean rate in the ramp is the mean of its first and its last rate. */
	return ((compute_first_rate(f, rate) + extent_compute_rate_at(f, from, in)) / 2 * in +
		rate * (seconds - in)) /
	       seconds;
}

double extent_compute_seconds(const struct job_flow *f, const struct port *from, double packets)
{
	const double rate = extent_compute_rate(f, from), ramp = (double)f->ramp_ns / 1e9;
	const double in_ramp = extent_compute_mean_rate(f, from, ramp) * ramp;
	double first, gain;

	if (!f->ramp_ns || packets >= in_ramp)
		return ramp + (packets - (f->ramp_ns ? in_ramp : 0)) / rate;
	first = compute_first_rate(f, rate);
	gain = (rate - first) / ramp;
	if (gain == 0)
		return packets / rate;
	return (sqrt(first * first + 2 * gain * packets) - first) / gain;
}

/* Returns how long sending a flow takes; 0 if the job does not say. */
static double compute_flow_seconds(const struct job_flow *f, const struct port *from)
{
	const double rate = extent_compute_rate(f, from);
	const double duration = (double)f->duration_ns / 1e9;
	const double delay = (double)f->delay_ns / 1e9;
	double by_count =
		rate > 0 && f->count ? extent_compute_seconds(f, from, (double)f->count) : 0;

	if (f->speed > 0 && f->count)
		by_count = (double)replay_compute_due(f->capture, f->speed, f->count - 1) / 1e9;
	if (f->burst_packets && by_count > 0)
		by_count +=
			(double)f->burst_gap_ns / 1e9 * (double)(f->count / f->burst_packets - 1);
	if (by_count > 0 && (duration == 0 || by_count < duration))
		return delay + by_count;
	return duration > 0 ? delay + duration : 0;
}

struct extent extent_compute(const struct job *j, const struct ports *ports)
{
	struct extent e = { .job = j, .ports = ports };
	bool has_counts = true, has_seconds = true;

	for (unsigned i = 0; i < j->n_flows; i++) {
		const struct job_flow *f = &j->flows[i];
		const double seconds = compute_flow_seconds(f, &ports->port[f->tx]);

		e.is_endless |= !f->count && !f->duration_ns;
		e.packets += f->count;
		has_counts &= f->count && !f->duration_ns;
		has_seconds &= seconds > 0;
		e.seconds = seconds > e.seconds ? seconds : e.seconds;
	}
	e.packets = has_counts ? e.packets : 0;
	e.seconds = has_seconds ? e.seconds : 0;
	return e;
}

/* Counts the packets due in the first @seconds of a replay at its own times. */
static double count_replay(const struct job_flow *f, double seconds)
{
	const struct capture *c = f->capture;
	const double at = seconds * 1e9 * f->speed, period = (double)c->period_ns;
	const double passes = period > 0 ? floor(at / period) : (double)f->count;
	uint32_t first = 0, last = c->n_frames;

	while (first < last) {
		const uint32_t middle = first + (last - first) / 2;

		if ((double)c->frames[middle].at_ns <= at - passes * period)
			first = middle + 1;
		else
			last = middle;
	}
	return passes * c->n_frames + first;
}

/* Counts the packets of the first @seconds of bursts with gaps. @rate: packets per second */
static double count_bursts(const struct job_flow *f, double rate, double seconds)
{
	const double packets = (double)f->burst_packets, gap = (double)f->burst_gap_ns / 1e9;
	const double cycle = packets / rate + gap, bursts = floor(seconds / cycle);
	const double in_burst = (seconds - bursts * cycle) * rate;

	return bursts * packets + (in_burst < packets ? in_burst : packets);
}

static double count_flow(const struct job_flow *f, const struct port *from, double seconds)
{
	const double since = seconds - (double)f->delay_ns / 1e9, count = (double)f->count;
	double n;

	if (since <= 0)
		return 0;
	if (f->speed > 0)
		n = count_replay(f, since);
	else if (f->burst_packets)
		n = count_bursts(f, extent_compute_rate(f, from), since);
	else
		n = extent_compute_mean_rate(f, from, since) * since;
	return n < count ? n : count;
}

double extent_count_planned(const struct extent *e, double seconds)
{
	double n = 0;

	for (unsigned i = 0; i < e->job->n_flows; i++) {
		const struct job_flow *f = &e->job->flows[i];

		n += count_flow(f, &e->ports->port[f->tx], seconds);
	}
	return n;
}

/* Returns how much of the planned time is done after @passed seconds. */
static double compute_done_seconds(const struct extent *e, double passed, uint64_t sent)
{
	const double in = passed < e->seconds ? passed : e->seconds;
	/* Without a count of all flows, the durations end the run, whatever was sent. */
	const double planned = e->packets ? extent_count_planned(e, in) : 0;

	return planned > (double)sent ? in * (double)sent / planned : in;
}

double extent_compute_share(const struct extent *e, uint64_t ms, uint64_t sent, double *left_s)
{
	const double passed = (double)ms / 1000;
	double share = -1;

	if (e->seconds > 0)
		share = compute_done_seconds(e, passed, sent) / e->seconds;
	else if (e->packets)
		share = (double)sent / (double)e->packets;
	if (share < 0 || (e->packets && share == 0))
		return -1; /* the rest cannot be estimated yet */
	share = share > 1 ? 1 : share;
	*left_s = e->packets ? passed / share - passed : e->seconds * (1 - share);
	return share;
}
