/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/start.h"

/*
 * Sets up the bucket of a stream for its part of the rate of its flow. It gains tokens from the
 * first packet on.
 */
static void start_bucket(struct run *r, struct stream *s)
{
	const struct job_flow *f = &r->job.flows[s->flow];
	const struct rate rate = rate_get_part(&f->rate, s->part, s->n_parts);
	const struct rate first = rate_get_part(&f->ramp_from, s->part, s->n_parts);
	const uint32_t longest = job_compute_longest(f);

	bucket_init(&s->tx.bucket, &rate, s->from->link_mbps, longest, r->clock.hz,
		    s->tx.pace.next);
	if (f->ramp_ns)
		bucket_set_ramp(&s->tx.bucket, &first, s->from->link_mbps, longest, s->tx.begin,
				run_clock_to_tsc(&r->clock, f->ramp_ns) - r->clock.start);
}

void start_streams(struct run *r)
{
	r->clock = run_clock_start();
	utc_clock_begin(&r->utc, &r->clock);
	for (unsigned i = 0; i < r->n_streams; i++) {
		struct stream *s = &r->streams[i];
		const struct job_flow *f = &r->job.flows[s->flow];

		s->tx.begin = run_clock_to_tsc(&r->clock, f->delay_ns);
		if (f->duration_ns)
			s->tx.until = run_clock_to_tsc(&r->clock, f->delay_ns + f->duration_ns);
		s->tx.pace.gap = run_clock_to_tsc(&r->clock, f->burst_gap_ns) - r->clock.start;
		pace_begin(&s->tx.pace, run_clock_to_tsc(&r->clock, f->delay_ns + s->spread_ns));
		start_bucket(r, s);
	}
}

void start_shift(struct run *r, uint64_t pause)
{
	const uint64_t now = clock_read();

	r->clock.start += pause;
	for (unsigned i = 0; i < r->n_streams; i++) {
		struct tx *tx = &r->streams[i].tx;

		tx->begin += pause;
		tx->end += tx->end ? pause : 0;
		tx->until += tx->until != UINT64_MAX ? pause : 0;
		tx->bucket.last += pause;
		tx->bucket.ramp_end += tx->bucket.ramp_ticks ? pause : 0;
		tx->pace.next += pause;
		tx->first += tx->first ? pause : 0;
		tx->last += tx->last ? pause : 0;
	}
	for (unsigned i = 0; i < r->ports.n && r->last_bursts; i++)
		r->last_bursts[i].tsc += r->last_bursts[i].tsc ? pause : 0;
	for (unsigned i = 0; i < r->n_rx; i++) {
		struct rx *rx = &r->rx[i];

		rx->first += rx->first ? pause : 0;
		rx->last += rx->last ? pause : 0;
		rx->polled += rx->polled ? pause : 0;
		rx->resumed = now;
		for (unsigned n = 0; n < rx->n_streams; n++) {
			rx->streams[n].first += rx->streams[n].first ? pause : 0;
			rx->streams[n].last += rx->streams[n].last ? pause : 0;
		}
	}
}
