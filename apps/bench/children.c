/* SPDX-License-Identifier: BSD-3-Clause */
#include "children.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/exit.h"
#include "base/huge.h"
#include "cases/cases.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "launch/launch.h"
#include "report/json.h"

/* MAX_ARGS: the program, the case, the options of make_arguments(), "--" and NULL */
enum {
	OWN_ARGS = 16,
	MAX_ARGS = OWN_ARGS + 2 * BENCH_MAX_FILTERS + 2 * BENCH_MAX_PORTS + BENCH_MAX_EAL,
	NUMBER_BYTES = 32,
	WHY_BYTES = 256,
	TEMPORARY_BYTES = 256,
};

static volatile sig_atomic_t child;

void children_pass_signal(int number)
{
	if (child > 0)
		kill((pid_t)child, number);
}

/* The command line of a case: like that of this process, with another command and other outputs. */
struct arguments {
	char *v[MAX_ARGS];
	int n;
	char time_limit[NUMBER_BYTES], width[NUMBER_BYTES];
};

/* MAX_ARGS is the sum of all limits of options_parse(). */
static void add_argument(struct arguments *a, const char *text)
{
	assert(a->n < MAX_ARGS - 1);
	a->v[a->n++] = (char *)text;
}

static void add_option(struct arguments *a, const char *name, const char *value)
{
	add_argument(a, name);
	add_argument(a, value);
}

static void make_arguments(struct arguments *a, const struct bench_options *o,
			   const struct bench_case *c, const char *json)
{
	const struct bench_run *run = &o->run;

	*a = (struct arguments){ 0 };
	snprintf(a->time_limit, sizeof(a->time_limit), "%.0fus", run->time_limit_s * 1e6);
	snprintf(a->width, sizeof(a->width), "%.9g", run->width * 100);
	add_argument(a, launch_path());
	add_argument(a, c->name);
	add_option(a, "--json", json);
	add_option(a, "--time-limit", a->time_limit);
	add_option(a, "--width", a->width);
	for (unsigned i = 0; i < run->n_filters; i++)
		add_option(a, "--filter", run->filter[i]);
	for (unsigned i = 0; i < run->n_ports; i++)
		add_option(a, "--port", run->port[i]);
	if (run->short_form)
		add_argument(a, "--short");
	if (run->no_huge)
		add_argument(a, "--no-huge");
	if (run->quiet)
		add_argument(a, "--quiet");
	if (run->verbose)
		add_argument(a, "--verbose");
	if (run->n_eal)
		add_argument(a, "--");
	for (int i = 0; i < run->n_eal; i++)
		add_argument(a, run->eal[i]);
}

static int wait_for_child(pid_t pid)
{
	int status;

	child = pid;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return BENCH_ENVIRONMENT;
	child = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : BENCH_INTERRUPTED + WTERMSIG(status);
}

static int start_case(const struct arguments *a)
{
	const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	const pid_t pid = nowhere < 0 ? -1 : fork();

	if (pid < 0)
		return report_error(BENCH_ENVIRONMENT, "%s: cannot start it: %s", a->v[1],
				    strerror(errno));
	if (!pid) {
		/* the rows come as JSON; this process prints them */
		dup2(nowhere, STDOUT_FILENO);
		execv(a->v[0], a->v);
		_exit(BENCH_ENVIRONMENT);
	}
	close(nowhere);
	return wait_for_child(pid);
}

/* Fails if the case ended without rows; the case has printed the reason. */
static int read_rows(const char *path, const struct bench_case *c, struct bench_table *table,
		     struct report_about *about)
{
	char why[WHY_BYTES];

	if (!report_json_read(path, table, about, why, sizeof(why)))
		return 0;
	return report_error(BENCH_ENVIRONMENT, "%s: cannot read its rows: %s", c->name, why);
}

static int run_case(const struct bench_options *o, const struct bench_case *c,
		    struct bench_table *table, struct report_about *about)
{
	char path[TEMPORARY_BYTES];
	struct arguments a;
	off_t bytes;
	int fd, rc, status;

	files_format_temporary(path, sizeof(path), "devx-bench.XXXXXX");
	fd = mkstemp(path);
	if (fd < 0)
		return report_error(BENCH_ENVIRONMENT, "%s: %s", path, strerror(errno));
	make_arguments(&a, o, c, path);
	status = start_case(&a);
	bytes = lseek(fd, 0, SEEK_END);
	rc = bytes > 0 ? read_rows(path, c, table, about) : 0;
	unlink(path);
	close(fd);
	return status ? status : rc;
}

int children_run(const struct bench_options *o, struct bench_table *table,
		 struct report_about *about)
{
	int first = 0;

	bench_huge_tell(&o->run);
	for (const struct bench_case *const *c = bench_cases; *c && !*o->run.stopped; c++) {
		int status;

		if (bench_list_points(*c, &o->run, NULL) == 0)
			continue;
		if (o->run.n_ports && (*c)->needs_emu) {
			report_warning("%s: left out: this case needs emu, because %s", (*c)->name,
				       (*c)->needs_emu);
			continue;
		}
		if ((o->run.n_ports || o->run.n_eal) && (*c)->own_ports) {
			report_warning("%s: left out with --port and options for EAL: %s",
				       (*c)->name, (*c)->own_ports);
			continue;
		}
		status = run_case(o, *c, table, about);
		first = first ? first : status;
	}
	return first;
}
