/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_LATENCY_H
#define PKTGEN_LATENCY_H

#include "measure/histogram.h"

/**
 * DOC: Latency and jitter
 *
 * Latency is the time from making a frame to receiving it. Both ends read a clock once per burst,
 * so many frames in a row have the same latency and are counted together. Jitter is the absolute
 * difference between the latencies of a frame and of the frame received before it: the absolute
 * value of IPDV (RFC 3393).
 */

enum {
	LATENCY_MAX_PARTS = 4096, /* streams with their own histograms; more share them */
	LATENCY_DIGITS = 2,
	LATENCY_N_PERCENTILES = 5,
};

/* The largest latency with a slot of its own: 18 minutes. */
#define LATENCY_HIGHEST_NS ((1ull << 40) - 1)

/** latency_percentiles - the percentiles of reports, in millionths */
extern const unsigned latency_percentiles[LATENCY_N_PERCENTILES];

/** latency_names - their names: p50, p90, p99, p99.9 and p99.99 */
extern const char *const latency_names[LATENCY_N_PERCENTILES];

/** struct latency - times of one or several streams. One thread writes it */
struct latency {
	struct histogram time, jitter;
};

/**
 * struct latency_row - frames of one stream, in the order of their arrival
 * @to: receives the times
 * @last_ns: latency of the last frame; UINT64_MAX: no frame yet
 * @n_same: frames with this latency that @to does not count yet
 */
struct latency_row {
	struct latency *to;
	uint64_t last_ns, n_same;
};

/** latency_init - make empty histograms. Return: 0 or -ENOMEM. Free them also after a failure */
int latency_init(struct latency *l);

/** latency_free - free the histograms; @l is all zero afterwards */
void latency_free(struct latency *l);

/** latency_get_bytes - compute the bytes of a struct latency with its histograms */
size_t latency_get_bytes(void);

static inline struct latency_row latency_row_begin(struct latency *to)
{
	return (struct latency_row){ .to = to, .last_ns = UINT64_MAX };
}

/** latency_row_change - latency_row_record() for a latency that differs from the last one */
void latency_row_change(struct latency_row *row, uint64_t ns);

static inline void latency_row_record(struct latency_row *row, uint64_t ns)
{
	if (__builtin_expect(ns == row->last_ns, 1))
		row->n_same++;
	else
		latency_row_change(row, ns);
}

/** latency_row_end - count the pending frames. Call it before reading the histograms */
void latency_row_end(struct latency_row *row);

#endif
