/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_version.h>

#include "base/clock.h"
#include "base/exit.h"
#include "base/huge.h"
#include "cases/cases.h"
#include "children.h"
#include "cli/messages.h"
#include "launch/launch.h"
#include "options.h"
#include "output.h"

static volatile sig_atomic_t stopped; /* number of the first signal, or 0 */

static void take_signal(int number)
{
	if (!stopped)
		stopped = number;
	children_pass_signal(number);
}

static void catch_signals(void)
{
	const struct sigaction action = { .sa_handler = take_signal, .sa_flags = SA_RESTART };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* Prints the paths of all points that the filters select. */
static int list_points(const struct bench_options *o)
{
	int n = 0;

	for (const struct bench_case *const *c = bench_cases; *c; c++)
		n += bench_list_points(*c, &o->run, stdout);
	return n || !o->run.n_filters ? report_check_stdout(BENCH_ENVIRONMENT)
				      : report_error(BENCH_USAGE,
						     "--filter %s: no point matches; devx-bench "
						     "list prints all",
						     o->run.filter[0]);
}

/* Makes all checks that need no adapter, before any measurement is made in vain. */
static int check_run(const struct bench_options *o)
{
	int n = 0;

	for (const struct bench_case *const *c = bench_cases; *c; c++)
		if (!o->one || o->one == *c)
			n += bench_list_points(*c, &o->run, NULL);
	if (!n && o->run.n_filters)
		return report_error(BENCH_USAGE,
				    "--filter %s: no point of %s matches; devx-bench list prints "
				    "all",
				    o->run.filter[0], o->command);
	if (!bench_clock_is_constant())
		return report_error(
			BENCH_ENVIRONMENT,
			"CPU: its TSC does not tick at a constant rate (CPUID "
			"0x80000007), so cycles cannot be measured; use another machine");
	return 0;
}

/* Runs one case in this process, on emu unless the user named ports or the case opens none. */
static int run_case(struct bench_options *o, char **argv, struct report_about *about)
{
	int rc;

	if (o->one->own_ports) {
		report_about_fill(about, rte_version());
		return o->one->run(&o->run);
	}
	if (!o->run.n_ports && !launch_is_on_emu())
		return launch_on_emu(o->one, argv);
	rc = launch_prepare_netdevs();
	if (rc)
		return rc;
	launch_load_driver();
	bench_huge_tell(&o->run);
	rc = o->one->run(&o->run);
	report_about_fill(about, rte_version());
	return rc;
}

static int run_command(struct bench_options *o, char **argv)
{
	struct bench_table table = { 0 };
	struct report_about about = { 0 };
	struct output output = { .o = o };
	int rc = output_prepare(&output);

	if (!rc)
		rc = check_run(o);
	if (!rc) {
		catch_signals();
		o->run.stopped = &stopped;
		o->run.table = &table;
		rc = o->one ? run_case(o, argv, &about) : children_run(o, &table, &about);
		about.interrupted = stopped != 0;
		if (table.n_rows)
			rc = output_write(&output, &table, &about, rc);
	}
	output_free(&output);
	bench_table_free(&table);
	return stopped ? BENCH_INTERRUPTED + (int)stopped : rc;
}

int main(int argc, char **argv)
{
	static struct bench_options options;
	int rc;

	options_parse(&options, argc, argv);
	rc = report_check_stdout(BENCH_ENVIRONMENT);
	if (rc)
		return rc;
	if (!strcmp(options.command, "list"))
		return list_points(&options);
	return run_command(&options, argv);
}
