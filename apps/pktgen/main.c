/* SPDX-License-Identifier: BSD-3-Clause */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/messages.h"
#include "port/eal.h"
#include "port/eal_log.h"
#include "report/plan.h"
#include "report/result.h"
#include "run/run.h"

enum { WHY_BYTES = 512 };

static volatile int
	stop; /* signals so far: the first ends the run in order, the second the draining */

static void count_signal(int number)
{
	(void)number;
	stop++;
}

static void catch_signals(void)
{
	const struct sigaction action = { .sa_handler = count_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static uint32_t compute_longest_frame(const struct options *o, const struct capture *c)
{
	uint32_t bytes = o->pcap ? c->max_bytes : o->size;

	return bytes > o->mtu ? bytes : o->mtu;
}

/* Ports are open: all that can be refused is refused before anything is sent. */
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
		return report_error(PKTGEN_NOT_MET, "interrupted before anything was sent");
	report_plan(r);
	eal_log_show();
	run_execute(r, &stop);
	return report_run(r);
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
		e = report_error(PKTGEN_NOT_MET, "interrupted before anything was sent");
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

	options_parse(&options, argc, argv);
	setvbuf(stdout, NULL, _IOLBF, 0);
	catch_signals();
	return (int)run_command(&run);
}
