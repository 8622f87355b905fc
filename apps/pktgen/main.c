/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/messages.h"
#include "port/eal.h"
#include "eal/eal_log.h"
#include "model/job_check.h"
#include "model/job_json.h"
#include "monitor/monitor.h"
#include "monitor/publish.h"
#include "port/checksums.h"
#include "port/mtu.h"
#include "port/timestamps.h"
#include "port/workplace.h"
#include "report/distinct_files.h"
#include "report/plan.h"
#include "report/records.h"
#include "report/result.h"
#include "run/run.h"

enum { WHY_BYTES = 512, OUTPUT_BYTES = 16384 };

/* Number of signals so far: the first ends sending, the second ends the wait for late frames. */
static volatile int stop;
static volatile sig_atomic_t stop_signal; /* number of the first signal */

/* Counts SIGHUP once: kernel, shell and launcher may each send it when a terminal is closed. */
static void count_signal(int number)
{
	if (stop && number == SIGHUP)
		return;
	if (!stop)
		stop_signal = number;
	stop++;
}

/* Opens /dev/null as stderr if it is closed: otherwise a report file would get the messages. */
static void open_stderr(void)
{
	const bool is_open = fcntl(STDERR_FILENO, F_GETFD) >= 0;
	const int nowhere = is_open ? -1 : open("/dev/null", O_WRONLY);

	if (nowhere < 0 || nowhere == STDERR_FILENO)
		return;
	dup2(nowhere, STDERR_FILENO);
	close(nowhere);
}

static void catch_signals(void)
{
	const struct sigaction action = { .sa_handler = count_signal };
	struct sigaction hangup;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, NULL, &hangup);
	if (hangup.sa_handler != SIG_IGN) /* nohup(1) */
		sigaction(SIGHUP, &action, NULL);
	/* If the reader of a report ends, the write fails, and the run goes on. */
	signal(SIGPIPE, SIG_IGN);
}

static enum pktgen_exit report_early_signal(void)
{
	return report_error(PKTGEN_INTERRUPTED, "interrupted by signal %d; sent no packet",
			    (int)stop_signal);
}

/* A signal ends the wait for more bytes of stdin, which looks like a file that ends too early. */
static enum pktgen_exit report_unreadable(const char *why)
{
	if (stop)
		return report_early_signal();
	return report_error(PKTGEN_USAGE, "%s", why);
}

static uint32_t compute_longest_frame(const struct options *o, const struct job *j)
{
	uint32_t bytes = o->pcap ? j->captures->capture.max_bytes : o->size.max;

	for (unsigned i = 0; i < j->n_flows; i++) {
		const uint32_t longest = job_compute_longest(&j->flows[i]);

		bytes = longest > bytes ? longest : bytes;
	}
	return bytes > o->mtu ? bytes : o->mtu;
}

static enum pktgen_exit run_and_report(struct run *r, struct records *records)
{
	struct figures f;
	struct verdict v;
	enum pktgen_exit e = PKTGEN_MET, written;

	if (figures_init(&f, r))
		e = report_error(PKTGEN_ENVIRONMENT, "no memory for the report; free some memory");
	if (!e && r->o->allow_monitor && publish_begin())
		e = report_error(
			PKTGEN_ENVIRONMENT,
			"--allow-monitor: no memory for the figures; reserve more huge pages");
	if (!e)
		e = run_execute(r, &stop);
	publish_end();
	if (e) {
		figures_free(&f);
		return e;
	}
	ports_stop(&r->ports);
	figures_read(&f, r, true);
	v = verdict_make(r, &f);
	report_run(r, &f, &v);
	written = report_check_stdout(PKTGEN_REPORT);
	e = records_finish(records, &f, &v);
	figures_free(&f);
	if (!e)
		e = written;
	return e ? e : v.status;
}

/* Makes all checks that need open ports, so that they come before the first packet; then runs. */
static enum pktgen_exit run_on_ports(struct run *r, struct records *records)
{
	const char *why = r->o->config ? NULL : job_make_flows(&r->job, r->o, r->ports.n);
	enum pktgen_exit e;

	if (why)
		return report_error(PKTGEN_USAGE, "%s", why);
	workplace_assign(&r->ports, &r->job, r->o, &r->cores);
	e = ports_choose_checksums(&r->ports, &r->job, r->o);
	if (!e)
		e = timestamps_choose(&r->ports, &r->job, r->o);
	if (!e)
		e = ports_configure(&r->ports, r->o);
	if (!e)
		e = ports_check_frames(&r->ports, &r->job);
	if (!e)
		e = ports_start(&r->ports, r->o, &stop);
	if (!e)
		e = run_prepare(r, &stop);
	if (!e)
		e = timestamps_begin(&r->ports, r->o);
	if (e)
		return e;
	if (stop)
		return report_early_signal();
	report_plan(r);
	e = report_check_stdout(PKTGEN_REPORT);
	if (!e)
		e = records_start(records, r);
	if (e)
		return e;
	eal_log_show();
	return run_and_report(r, records);
}

/* Reads the job file or the capture that the command line names. */
static enum pktgen_exit read_files(struct run *r, struct options *o)
{
	const char *reason;
	char why[WHY_BYTES];

	if (o->pcap &&
	    !job_load_capture(&r->job, o->pcap, o->interface, &o->rewrite, why, sizeof(why)))
		return report_unreadable(why);
	if (!o->config)
		return PKTGEN_MET;
	if (job_read_file(&r->job, o, o->config, why, sizeof(why)))
		return report_unreadable(why);
	reason = job_check_receivers(o, true);
	if (reason)
		return report_error(PKTGEN_USAGE, "%s: %s", o->config, reason);
	reason = job_check_numbers(o, r->job.n_ports);
	if (reason)
		return report_error(PKTGEN_USAGE, "%s", reason);
	o->ports_given = true;
	o->n_ports = r->job.n_ports;
	for (unsigned i = 0; i < r->job.n_ports; i++)
		o->ports[i] = r->job.ports[i].device;
	return PKTGEN_MET;
}

static enum pktgen_exit print_config(struct run *r)
{
	const char *why = r->o->config ? NULL : job_make_flows(&r->job, r->o, r->o->n_ports);
	enum pktgen_exit e;
	char *text;

	if (why)
		return report_error(PKTGEN_USAGE, "%s", why);
	e = distinct_files_check(r->o, &r->job, NULL, 0);
	if (e)
		return e;
	text = job_write(&r->job, r->o);
	if (!text)
		return report_error(PKTGEN_ENVIRONMENT, "no memory for the job; free some memory");
	puts(text);
	free(text);
	return report_check_stdout(PKTGEN_REPORT);
}

static enum pktgen_exit run_with_records(struct run *r, struct records *records)
{
	const struct options *o = r->o;
	enum pktgen_exit e;

	e = workplace_choose(&r->cores, o);
	if (e)
		return e;
	e = eal_start(
		o, &r->cores,
		ports_compute_memory_mb(o, r->cores.n_workers, compute_longest_frame(o, &r->job)));
	if (e)
		return e;
	if (stop)
		e = report_early_signal();
	if (!e)
		e = eal_check_workers();
	if (!e)
		e = ports_open(&r->ports, o);
	if (!e)
		e = run_on_ports(r, records);
	ports_close(&r->ports);
	run_free(r);
	eal_stop();
	return e;
}

static enum pktgen_exit run_command(struct run *r)
{
	static struct records records;
	enum pktgen_exit e = records_open(&records, r->o, &r->job), closed;

	if (!e)
		e = run_with_records(r, &records);
	closed = records_close(&records);
	return closed ? closed : e;
}

/*
 * Starts the program again in this process with --no-huge, because no program can start EAL twice.
 * @stdin_start: position of stdin at the start, or -1. Returns only after a failure.
 */
static enum pktgen_exit start_again(const struct options *o, off_t stdin_start)
{
	const bool reads_stdin =
		(o->config && !strcmp(o->config, "-")) || (o->pcap && !strcmp(o->pcap, "-"));
	char **argv;
	int n = 1;

	if (reads_stdin && (stdin_start < 0 || lseek(STDIN_FILENO, stdin_start, SEEK_SET) < 0))
		return report_error(PKTGEN_ENVIRONMENT,
				    "stdin is a pipe and cannot be read again; give --no-huge");
	argv = calloc((size_t)o->argc + 2, sizeof(*argv));
	if (!argv)
		return report_error(PKTGEN_ENVIRONMENT, "no memory to start again; give --no-huge");
	if (o->argc > 1 && (!strcmp(o->argv[1], "run") || !strcmp(o->argv[1], "demo")))
		n++;
	memcpy(argv, o->argv, (size_t)n * sizeof(*argv));
	argv[n] = (char *)"--no-huge";
	memcpy(argv + n + 1, o->argv + n, (size_t)(o->argc - n) * sizeof(*argv));
	execv("/proc/self/exe", argv);
	free(argv);
	return report_error(PKTGEN_ENVIRONMENT, "cannot start again (%s); give --no-huge",
			    strerror(errno));
}

int main(int argc, char **argv)
{
	const off_t stdin_start = lseek(STDIN_FILENO, 0, SEEK_CUR);

	static struct options options;
	static struct run run = { .o = &options };
	static char output[OUTPUT_BYTES];
	enum pktgen_exit e;

	if (argc > 1 && !strcmp(argv[1], "monitor"))
		return monitor_main(argc - 1, argv + 1);
	open_stderr();
	clock_begin();
	options_parse(&options, argc, argv);
	/* Full buffering, so that flush_output() writes stdout and sees the errno of a failure. */
	setvbuf(stdout, output, _IOFBF, sizeof(output));
	e = report_check_stdout(PKTGEN_REPORT);
	if (e)
		return (int)e;
	catch_signals();
	e = read_files(&run, &options);
	if (!e)
		e = options.print_config ? print_config(&run) : run_command(&run);
	job_free(&run.job);
	if (e == PKTGEN_START_AGAIN)
		e = stop ? report_early_signal() : start_again(&options, stdin_start);
	return e == PKTGEN_INTERRUPTED ? (int)e + (int)stop_signal : (int)e;
}
