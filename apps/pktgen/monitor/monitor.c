/* SPDX-License-Identifier: BSD-3-Clause */
#include "monitor/monitor.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "cli/messages.h"
#include "monitor/generator.h"
#include "monitor/monitor_options.h"
#include "monitor/show.h"
#include "port/eal.h"

enum { RETRY_NS = 10 * 1000 * 1000 };

static volatile sig_atomic_t stop_signal;

static void note_signal(int number)
{
	stop_signal = number;
}

static void catch_signals(void)
{
	const struct sigaction action = { .sa_handler = note_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* Sleeps; a signal ends the sleep. */
static void sleep_ns(uint64_t ns)
{
	const struct timespec t = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };

	if (!stop_signal)
		nanosleep(&t, NULL);
}

static bool has_ended(const struct snapshot *s, int pid)
{
	return !strcmp(s->run.stage, "ended") || !generator_runs(pid);
}

/* Waits for the run to begin. @zone: receives its memory zone */
static enum pktgen_exit find_zone(int pid, const struct published **zone)
{
	while (!(*zone = publish_find())) {
		if (stop_signal)
			return PKTGEN_INTERRUPTED;
		if (!generator_runs(pid))
			return report_error(PKTGEN_ENVIRONMENT,
					    "devx-pktgen %d: ended before its run began", pid);
		sleep_ns(RETRY_NS);
	}
	if ((*zone)->layout != PUBLISH_LAYOUT)
		return report_error(PKTGEN_ENVIRONMENT,
				    "devx-pktgen %d: is another version (layout %u of its figures; "
				    "valid: %d); use the same devx-pktgen for both",
				    pid, (*zone)->layout, PUBLISH_LAYOUT);
	return PKTGEN_MET;
}

/* Shows the figures until the run ends, or @o->count times. */
static enum pktgen_exit watch_run(const struct monitor_options *o, const struct published *zone)
{
	static struct snapshot now, last;
	enum pktgen_exit e = PKTGEN_MET;
	uint64_t n = 0;

	while (!snapshot_take(&last, zone) && !stop_signal)
		sleep_ns(RETRY_NS);
	while (!e && !has_ended(&last, o->pid) && !stop_signal) {
		sleep_ns(o->interval_ns);
		if (stop_signal || !snapshot_take(&now, zone))
			continue;
		e = show_snapshot(o->pid, &now, &last, o->json);
		last = now;
		if (++n == o->count)
			return e;
	}
	if (e || stop_signal)
		return e ? e : PKTGEN_INTERRUPTED;
	if (!o->json)
		report_line("devx-pktgen %d ended", o->pid);
	return report_check_stdout(PKTGEN_REPORT);
}

int monitor_main(int argc, char **argv)
{
	struct monitor_options o;
	const struct published *zone;
	enum pktgen_exit e;

	monitor_options_parse(&o, argc, argv);
	e = report_check_stdout(PKTGEN_REPORT);
	if (!e)
		e = generator_find(&o.pid);
	if (!e)
		e = eal_start_secondary(o.pid);
	if (e)
		return (int)e;
	catch_signals();
	snapshot_begin();
	e = find_zone(o.pid, &zone);
	if (!e)
		e = watch_run(&o, zone);
	snapshot_end();
	eal_stop();
	return e == PKTGEN_INTERRUPTED ? (int)e + (int)stop_signal : (int)e;
}
