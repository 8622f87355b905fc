/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/rate_reason.h"

#include <stdio.h>

#include "cli/units.h"

enum { BLOCKED_PERCENT = 10 }; /* of the samples: then the port is too slow, else the CPU */

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
