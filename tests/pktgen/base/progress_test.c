/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/progress.h"

#include "ct.h"

static const struct time_case {
	const char *name, *text;
	double seconds;
} times[] = {
	{ "zero", "0.0 s", 0 },      { "tenths_of_a_second", "9.9 s", 9.94 },
	{ "seconds", "10 s", 9.95 }, { "many_seconds", "119 s", 119.4 },
	{ "minutes", "2 min", 120 }, { "many_minutes", "119 min", 7164 },
	{ "hours", "2.0 h", 7200 },  { "many_hours", "100.5 h", 361800 },
};

TEST_EACH(progress_format_time, chooses, struct time_case, times)
{
	EXPECT_STREQ(row->text, progress_format_time(row->seconds));
}
