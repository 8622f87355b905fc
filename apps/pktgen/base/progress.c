/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/progress.h"

#include "cli/messages.h"
#include "cli/units.h"

void report_progress(const char *stage, uint64_t ms, uint64_t sent, uint64_t arrived, uint64_t step,
		     uint64_t step_ms)
{
	report_progress_line(stdout, "%6.1f s %s: %s sent, %s received, now %spps",
			     (double)ms / 1000, stage, units_format_count(sent),
			     units_format_count(arrived),
			     units_format_si(step_ms ? (double)step * 1000 / (double)step_ms : 0));
}
