/* SPDX-License-Identifier: BSD-3-Clause */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/messages.h"
#include "port/eal.h"
#include "eal/eal_log.h"
#include "port/mtu.h"
#include "report/plan.h"
#include "report/result.h"
#include "run/run.h"

enum { WHY_BYTES = 512, OUTPUT_BYTES = 16384 };

/* Number of SIGINT and SIGTERM so far: the 1st ends sending, the 2nd the wait for late frames. */
static volatile int stop;
static volatile sig_atomic_t stop_signal; /* number of the first signal */

static void count_signal(int number)
{
	if (!stop)
		stop_signal = number;
	stop++;
}

static void catch_signals(void)
{
	const struct sigaction action = { .sa_handler = count_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static enum pktgen_exit report_early_signal(void)
{
	return report_error(PKTGEN_INTERRUPTED, "interrupted by signal %d; sent no packet",
			    (int)stop_signal);
}

static uint32_t compute_longest_frame(const struct options *o, const struct capture *c)
{
	uint32_t bytes = o->pcap ? c->max_bytes : o->size.max;

	return bytes > o->mtu ? bytes : o->mtu;
}

/* Makes every check that needs open ports before the first packet is sent, then runs. */
static enum pktgen_exit run_on_ports(struct run *r)
{
	enum pktgen_exit e = ports_check_frames(&r->ports, r->o, r->o->pcap ? &r->capture : NULL);

	if (!e)
		e = ports_start(&r->ports, r->o, &stop);
	if (!e)
		e = run_prepare(r);
	if (e)
		return e;
	if (stop)
		return report_early_signal();
	report_plan(r);
	e = report_check_stdout(PKTGEN_ENVIRONMENT);
	if (e)
		return e;
	eal_log_show();
	run_execute(r, &stop);
	ports_stop(&r->ports);
	e = report_run(r);
	return report_check_stdout(PKTGEN_ENVIRONMENT) ? PKTGEN_ENVIRONMENT : e;
}

static enum pktgen_exit run_command(struct run *r)
{
	const struct options *o = r->o;
	char why[WHY_BYTES];
	enum pktgen_exit e;

	if (o->pcap && capture_read(&r->capture, o->pcap, why, sizeof(why)))
		return report_error(PKTGEN_USAGE, "%s", why);
	e = eal_start(o, ports_compute_memory_mb(o, compute_longest_frame(o, &r->capture)));
	if (e)
		return e;
	if (stop)
		e = report_early_signal();
	if (!e)
		e = eal_check_workers();
	if (!e)
		e = ports_open(&r->ports, o);
	if (!e)
		e = run_on_ports(r);
	ports_close(&r->ports);
	run_free(r);
	eal_stop();
	return e;
}

int main(int argc, char **argv)
{
	static struct options options;
	static struct run run = { .o = &options };
	static char output[OUTPUT_BYTES];
	enum pktgen_exit e;

	options_parse(&options, argc, argv);
	/* Full buffering: flush_output() writes stdout and sees the errno of a failed write. */
	setvbuf(stdout, output, _IOFBF, sizeof(output));
	e = report_check_stdout(PKTGEN_ENVIRONMENT);
	if (e)
		return (int)e;
	catch_signals();
	e = run_command(&run);
	return e == PKTGEN_INTERRUPTED ? (int)e + (int)stop_signal : (int)e;
}
