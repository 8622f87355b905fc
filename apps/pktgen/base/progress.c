/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/progress.h"

#include "cli/messages.h"
#include "cli/units.h"

const char *progress_format_time(double seconds)
{
	static char text[32];

	if (seconds < 120)
		snprintf(text, sizeof(text), seconds < 9.95 ? "%.1f s" : "%.0f s", seconds);
	else if (seconds < 2 * 3600)
		snprintf(text, sizeof(text), "%.0f min", seconds / 60);
	else
		snprintf(text, sizeof(text), "%.1f h", seconds / 3600);
	return text;
}

void report_progress(const struct progress *p)
{
	const double rate = p->step_ms ? (double)p->step * 1000 / (double)p->step_ms : 0;
	char done[80] = "";

	if (p->share >= 0)
		snprintf(done, sizeof(done), ", %.0f%% done, %s left", p->share * 100,
			 progress_format_time(p->left_s));
	report_progress_line(stdout, "%6.1f s %s: %s sent, %s received, now %spps%s",
			     (double)p->ms / 1000, p->stage, units_format_count(p->sent),
			     units_format_count(p->arrived), units_format_si(rate), done);
}
