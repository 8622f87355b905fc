/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/verdict.h"

#include <stdio.h>

#include "cli/units.h"
#include "packet/line.h"

enum { BLOCKED_PERCENT = 10 }; /* with fewer blocked samples, the CPU is too slow; else the port */

static double compute_blocked_percent(const struct rate_signs *s)
{
	return s->n_samples ? (double)s->n_blocked * 100 / (double)s->n_samples : 0;
}

enum rate_reason rate_reason_find(const struct rate_signs *s)
{
	if (compute_blocked_percent(s) < BLOCKED_PERCENT)
		return RATE_REASON_CPU;
	return s->n_pauses ? RATE_REASON_PAUSE : RATE_REASON_PORT;
}

const char *rate_reason_get_code(enum rate_reason reason)
{
	static const char *const codes[] = {
		[RATE_REASON_CPU] = "cpu",
		[RATE_REASON_PORT] = "port",
		[RATE_REASON_PAUSE] = "pause_frames",
	};

	return codes[reason];
}

void rate_reason_write(enum rate_reason reason, const struct rate_signs *s, char *text,
		       size_t bytes)
{
	const double blocked = compute_blocked_percent(s);

	switch (reason) {
	case RATE_REASON_CPU:
		snprintf(text, bytes, "the CPU is too slow: the port had room for frames");
		break;
	case RATE_REASON_PORT:
		snprintf(text, bytes, "the port is too slow: its ring was full %.0f%% of the time",
			 blocked);
		break;
	case RATE_REASON_PAUSE:
		snprintf(text, bytes,
			 "the other side is too slow: the port received %s pause frames, and its "
			 "ring was full %.0f%% of the time",
			 units_format_count(s->n_pauses), blocked);
		break;
	}
}

double verdict_compute_seconds(const struct run *r, const struct tx *tx)
{
	return tx->end > tx->begin ? (double)(tx->end - tx->begin) / (double)r->clock.hz : 0;
}

bool verdict_is_rate_judged(const struct run *r, const struct tx *tx)
{
	/* The gaps between bursts lower the rate of the whole. */
	return tx->bucket.rate && !tx->pace.packets &&
	       verdict_compute_seconds(r, tx) * 1000 >= VERDICT_MIN_JUDGED_MS;
}

/* Returns the tokens that a stream without bursts asked for: from its first packet on. */
static double compute_asked(const struct run *r, const struct tx *tx)
{
	const double spread = (double)(tx->pace.next - tx->begin);

	return bucket_compute_asked(&tx->bucket,
				    verdict_compute_seconds(r, tx) * (double)r->clock.hz) -
	       bucket_compute_asked(&tx->bucket, spread);
}

/*
 * Returns the percentage of its requested rate that the slowest stream reached; 100 if no rate is
 * judged. @slowest: receives that stream, or NULL
 */
static double compute_rate_percent(const struct run *r, const struct stream **slowest)
{
	double least = 100;

	*slowest = NULL;
	for (unsigned i = 0; i < r->n_streams; i++) {
		const struct tx *tx = &r->streams[i].tx;
		const struct bucket *b = &tx->bucket;
		const uint32_t longest = job_compute_longest(&r->job.flows[r->streams[i].flow]);
		const double asked = compute_asked(r, tx);
		const double got =
			(double)b->per_packet * (double)tx->sent +
			(double)b->per_byte *
				((double)tx->bytes + (double)b->extra_bytes * (double)tx->sent);

		/* A stream that ended in its first period need not have sent a packet. */
		if (!verdict_is_rate_judged(r, tx) ||
		    asked < (double)bucket_compute_cost(b, longest))
			continue;
		if (got * 100 / asked < least) {
			least = got * 100 / asked;
			*slowest = &r->streams[i];
		}
	}
	return least;
}

/* Returns whether fewer packets than requested were sent. If so, @text says how many. */
static bool find_missing_count(const struct run *r, const struct account *a,
			       char text[VERDICT_TEXT_BYTES])
{
	uint64_t asked = 0;

	for (unsigned i = 0; i < r->job.n_flows; i++) {
		if (r->job.flows[i].duration_ns)
			return false;
		asked += r->job.flows[i].count;
	}
	snprintf(text, VERDICT_TEXT_BYTES, "only %s of %s packet%s sent",
		 units_format_count(a->sent), units_format_count(asked),
		 asked == 1 ? " was" : "s were");
	return a->sent < asked;
}

/* Returns what is known about the sender of a stream. */
static struct rate_signs find_signs(const struct run *r, const struct figures *f,
				    const struct stream *s)
{
	struct rate_signs signs = { .n_samples = r->n_samples, .n_blocked = r->n_blocked };

	for (unsigned i = 0; s && i < f->n_ports; i++) {
		if (f->ports[i].port == s->from)
			signs.n_pauses = f->ports[i].pauses;
	}
	return signs;
}

/* Says by how much the rate was missed, and why. */
static void write_rate_reason(const struct verdict *v, const struct rate_signs *signs,
			      char text[VERDICT_TEXT_BYTES])
{
	char why[VERDICT_TEXT_BYTES / 2];

	rate_reason_write(v->rate_reason, signs, why, sizeof(why));
	snprintf(text, VERDICT_TEXT_BYTES,
		 "the rate was %.1f%% of the requested rate (valid: at least %d%%); %s",
		 v->rate_percent, VERDICT_MET_PERCENT, why);
}

/* Returns whether packets of a flow were changed in a way that it does not expect. */
static bool has_unexpected_change(const struct figures *f)
{
	for (unsigned i = 0; i < f->n_flows; i++) {
		if (f->flows[i].account.changed && f->flows[i].flow->expect != EXPECT_ANY)
			return true;
	}
	return false;
}

/* Returns the reason why the run failed, "" if the account shows it, or NULL if the run passed. */
static const char *find_failure_reason(const struct run *r, const struct figures *f,
				       const struct verdict *v, const struct rate_signs *signs,
				       char text[VERDICT_TEXT_BYTES])
{
	const struct account *a = &f->account;
	char sum[FIGURES_TEXT_BYTES];

	if (figures_check(f, r->o->send_only, sum) != SUM_NONE) {
		snprintf(text, VERDICT_TEXT_BYTES, "the numbers do not add up: %s", sum);
		return text;
	}
	if (r->interrupted)
		return "interrupted";
	if (r->trouble)
		return r->trouble;
	if (a->untracked)
		return "the counters are incomplete: no memory to track every packet";
	if (find_missing_count(r, a, text))
		return text;
	if (a->sent == 0)
		return "no packet was sent";
	if (v->rate_percent < VERDICT_MET_PERCENT) {
		write_rate_reason(v, signs, text);
		return text;
	}
	return a->lost || a->duplicated || a->reordered || a->corrupted || has_unexpected_change(f)
		       ? ""
		       : NULL;
}

struct verdict verdict_make(const struct run *r, const struct figures *f)
{
	const struct stream *slowest;
	struct verdict v = { .rate_percent = compute_rate_percent(r, &slowest) };
	const struct rate_signs signs = find_signs(r, f, slowest);
	char text[VERDICT_TEXT_BYTES], loss[LOSS_TEXT_BYTES] = "";
	struct line reason = { .text = v.reason, .bytes = sizeof(v.reason) };
	const char *why;

	v.rate_reason = rate_reason_find(&signs);
	why = find_failure_reason(r, f, &v, &signs, text);
	v.passed = !why;
	v.status = why ? PKTGEN_NOT_MET : PKTGEN_MET;
	if (why)
		line_add_text(&reason, "%s", why);
	if (!f->account.untracked) /* Untracked packets seem lost, and may have arrived. */
		v.loss_reason = loss_find(f, loss);
	/* A trouble of the run explains the loss as well. */
	if (*loss && !r->trouble)
		line_add_text(&reason, "%s%s", *v.reason ? "; " : "", loss);
	if (r->interrupted)
		v.status = PKTGEN_INTERRUPTED;
	return v;
}
