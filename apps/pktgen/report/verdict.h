/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_VERDICT_H
#define PKTGEN_VERDICT_H

#include "run/figures.h"

enum {
	VERDICT_MIN_JUDGED_MS = 100, /* a shorter time says little about a rate */
	VERDICT_TEXT_BYTES = FIGURES_TEXT_BYTES + 64,
};

/**
 * struct verdict - whether a run met its job
 * @passed: it did
 * @reason: why not, or "" if the counters say it
 * @status: PKTGEN_MET, PKTGEN_NOT_MET or PKTGEN_INTERRUPTED
 */
struct verdict {
	bool passed;
	char reason[VERDICT_TEXT_BYTES];
	enum pktgen_exit status;
};

/** verdict_make - judge a run by its final figures */
struct verdict verdict_make(const struct run *r, const struct figures *f);

/** verdict_compute_seconds - compute the time that a stream sent for */
double verdict_compute_seconds(const struct run *r, const struct tx *tx);

/** verdict_is_rate_judged - did the stream send at a limited rate, and for long enough? */
bool verdict_is_rate_judged(const struct run *r, const struct tx *tx);

#endif
