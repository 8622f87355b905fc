/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_VERDICT_H
#define PKTGEN_VERDICT_H

#include "report/rate_reason.h"
#include "run/figures.h"

enum {
	VERDICT_MET_PERCENT = 99,
	VERDICT_MIN_JUDGED_MS = 100, /* a shorter time says little about a rate */
	VERDICT_TEXT_BYTES = FIGURES_TEXT_BYTES + 64,
};

/**
 * struct verdict - whether a run met its job
 * @passed: it did
 * @reason: why not, or "" if the counters say it
 * @rate_percent: share of the requested rate of the slowest stream; 100: met, or not judged
 * @rate_reason: why the rate was not kept, if @rate_percent is less than VERDICT_MET_PERCENT
 * @status: PKTGEN_MET, PKTGEN_NOT_MET or PKTGEN_INTERRUPTED
 */
struct verdict {
	bool passed;
	char reason[VERDICT_TEXT_BYTES];
	double rate_percent;
	enum rate_reason rate_reason;
	enum pktgen_exit status;
};

/** verdict_make - judge a run by its final figures */
struct verdict verdict_make(const struct run *r, const struct figures *f);

/** verdict_compute_seconds - compute the time that a stream sent for */
double verdict_compute_seconds(const struct run *r, const struct tx *tx);

/** verdict_is_rate_judged - did the stream send at a limited rate, and for long enough? */
bool verdict_is_rate_judged(const struct run *r, const struct tx *tx);

#endif
