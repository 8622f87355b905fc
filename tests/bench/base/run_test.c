/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "ct.h"

#include "base/clock.h"
#include "base/run.h"

static const char point[] = "cycles/rx/burst=64/size=60/cache=hot";

static bool is_selected(const char *filter, const char *path)
{
	const struct bench_run run = { .filter = &filter, .n_filters = 1 };

	return bench_wants(&run, path);
}

TEST(filter, selects_all_points_if_none_is_given)
{
	const struct bench_run run = { 0 };

	EXPECT_TRUE(bench_wants(&run, point));
}

TEST(filter, selects_by_whole_path_and_by_glob)
{
	EXPECT_TRUE(is_selected(point, point));
	EXPECT_TRUE(is_selected("*/burst=64/*", point));
	EXPECT_TRUE(is_selected("cycles/*/cache=hot", point));
	EXPECT_TRUE(is_selected("cycles/[rt]x", point));
	EXPECT_FALSE(is_selected("*/burst=6/*", point));
	EXPECT_FALSE(is_selected("cycles/tx", point));
}

TEST(filter, selects_everything_below_a_leading_part)
{
	EXPECT_TRUE(is_selected("cycles", point));
	EXPECT_TRUE(is_selected("cycles/rx", point));
	EXPECT_TRUE(is_selected("cycles/rx/burst=64", point));
	EXPECT_FALSE(is_selected("cycles/r", point));
	EXPECT_FALSE(is_selected("cycles/rx/burst=6", point));
}

TEST(filter, selects_with_any_of_several_globs)
{
	const char *filters[] = { "cycles/tx", "*size=60*" };
	const struct bench_run run = { .filter = filters, .n_filters = 2 };

	EXPECT_TRUE(bench_wants(&run, point));
	EXPECT_TRUE(bench_wants(&run, "cycles/tx/burst=1/size=128"));
	EXPECT_FALSE(bench_wants(&run, "cycles/rx/burst=1/size=128"));
}

/* Returns whether Linux names @flag among those of the first CPU; -1: it names no flags. */
static int find_cpu_flag(const char *flag)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char line[8192];
	int found = -1;

	while (f && found < 0 && fgets(line, sizeof(line), f))
		if (!strncmp(line, "flags", 5))
			found = strstr(line, flag) != NULL;
	if (f)
		fclose(f);
	return found;
}

/* Linux' flag is the same bit of CPUID: scattered_features of arch/x86. */
TEST(clock, agrees_with_linux_on_a_constant_rate)
{
	const int constant = find_cpu_flag(" nonstop_tsc");

	if (constant < 0)
		SKIP("needs the flags of /proc/cpuinfo");
	EXPECT_EQ(constant, bench_clock_is_constant());
}
