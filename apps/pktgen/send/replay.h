/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_REPLAY_H
#define PKTGEN_REPLAY_H

#include "model/capture.h"

/**
 * DOC: Original timing
 *
 * Frame n of a replay is due at the time of its packet in the capture, divided by the speed. The
 * next pass begins one mean gap after the last packet. All times are ns since sending began.
 */

/**
 * replay_compute_due - compute when packet @n of a replay is due
 * @c: the capture
 * @speed: factor, above 0
 */
static inline uint64_t replay_compute_due(const struct capture *c, double speed, uint64_t n)
{
	const uint64_t at = n / c->n_frames * c->period_ns + c->frames[n % c->n_frames].at_ns;

	return (uint64_t)((double)at / speed);
}

/** replay_count_due - how many of the @most packets from number @n on are due at @now_ns? */
static inline unsigned replay_count_due(const struct capture *c, double speed, uint64_t n,
					unsigned most, uint64_t now_ns)
{
	unsigned due = 0;

	while (due < most && replay_compute_due(c, speed, n + due) <= now_ns)
		due++;
	return due;
}

#endif
