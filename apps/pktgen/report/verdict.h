/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_VERDICT_H
#define PKTGEN_VERDICT_H

#include "report/loss.h"

enum {
	VERDICT_MET_PERCENT = 99,
	VERDICT_MIN_JUDGED_MS = 100, /* a shorter time says little about a rate */
	VERDICT_TEXT_BYTES = FIGURES_TEXT_BYTES + LOSS_TEXT_BYTES + 64,
};

/** enum rate_reason - why a port sent less than the requested rate */
enum rate_reason {
	RATE_REASON_CPU,   /* the port had room for frames; the send loop did not fill it */
	RATE_REASON_PORT,  /* no free send descriptor: the port sends no faster */
	RATE_REASON_PAUSE, /* the same, and the port received pause frames */
};

/**
 * struct rate_signs - what is known about the sender
 * @n_samples, @n_blocked: see struct run
 * @n_pauses: pause frames that the port received; also 0 if it does not count them
 */
struct rate_signs {
	uint64_t n_samples, n_blocked, n_pauses;
};

/**
 * struct verdict - whether a run met its job
 * @reason: why it did not, or "" if the counters show the reason
 * @rate_percent: how much of its requested rate the slowest stream reached; 100: all, or not judged
 * @loss_reason: why packets were lost
 * @rate_reason: why the rate was not reached, if @rate_percent is less than VERDICT_MET_PERCENT
 * @status: PKTGEN_MET, PKTGEN_NOT_MET or PKTGEN_INTERRUPTED
 */
struct verdict {
	bool passed;
	char reason[VERDICT_TEXT_BYTES];
	double rate_percent;
	enum loss_reason loss_reason;
	enum rate_reason rate_reason;
	enum pktgen_exit status;
};

/** verdict_make - judge a run by its final figures */
struct verdict verdict_make(const struct run *r, const struct figures *f);

/** verdict_compute_seconds - compute how long a stream has sent */
double verdict_compute_seconds(const struct run *r, const struct tx *tx);

/** verdict_is_rate_judged - tell whether a stream sent at a limited rate, and for long enough */
bool verdict_is_rate_judged(const struct run *r, const struct tx *tx);

enum rate_reason rate_reason_find(const struct rate_signs *s);

/** rate_reason_get_code - get the name of a reason for programs, which never changes */
const char *rate_reason_get_code(enum rate_reason reason);

void rate_reason_write(enum rate_reason reason, const struct rate_signs *s, char *text,
		       size_t bytes);

#endif
