/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/eal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_log.h>

#include "base/messages.h"
#include "port/eal_args.h"

#define NOT_STARTED "EAL does not start: %s (--verbose tells more)"
enum { TEXT_BYTES = 640 };

/* What EAL and drivers said since eal_log_clear(), in a file without a name. */
static struct {
	FILE *stream;
	char text[4096];
} kept;

static void read_kept_logs(void)
{
	ssize_t n = pread(fileno(kept.stream), kept.text, sizeof(kept.text) - 1, 0);

	kept.text[n > 0 ? n : 0] = 0;
}

/* Progress, and the last line that only says that it failed. */
static bool is_noise_line(const char *line)
{
	static const char *const noise[] = { "EAL: Detected",      "EAL: Selected",
					     "EAL: FATAL",         "EAL: Invalid 'command",
					     "EAL: Error parsing", "EAL: Invalid command",
					     "EAL: Cannot init",   NULL };

	for (const char *const *n = noise; *n; n++) {
		if (!strncmp(line, *n, strlen(*n)))
			return true;
	}
	return false;
}

/* The last line that says something. */
static const char *find_log_reason(const char *otherwise)
{
	const char *found = otherwise;
	char *rest;

	if (!kept.stream)
		return otherwise;
	read_kept_logs();
	for (char *line = strtok_r(kept.text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (!is_noise_line(line))
			found = line;
	}
	return found;
}

static void keep_logs(void)
{
	const int fd = memfd_create("devx-pktgen-log", MFD_CLOEXEC);

	kept.stream = fd < 0 ? NULL : fdopen(fd, "w+");
	if (!kept.stream)
		return;
	setvbuf(kept.stream, NULL, _IONBF, 0);
	rte_openlog_stream(kept.stream);
}

/* What stdout and stderr were while EAL starts; -1 at other times. */
static int out = -1, err = -1;

static void restore_output(void)
{
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(out);
	close(err);
	out = err = -1;
}

/*
 * EAL since 25.11 leaves the process, with a status of its own, when it does not like an option:
 * then this is the end of the program. Older ones return.
 */
static void report_eal_exit(int status, void *unused)
{
	(void)unused;
	if (err < 0 || !status)
		return;
	restore_output();
	_exit((int)report_error(PKTGEN_ENVIRONMENT, NOT_STARTED,
				find_log_reason("it refuses an option")));
}

/* EAL also prints past its log: the usage, and why getopt refused something. */
static int init_eal(struct eal_args *args)
{
	const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	int rc;

	on_exit(report_eal_exit, NULL);
	fflush(stdout);
	out = dup(STDOUT_FILENO);
	err = dup(STDERR_FILENO);
	if (kept.stream && out >= 0 && err >= 0 && nowhere >= 0) {
		if (!args->asks)
			dup2(nowhere, STDOUT_FILENO);
		dup2(fileno(kept.stream), STDERR_FILENO);
	}
	rc = rte_eal_init(args->n, args->v);
	restore_output();
	close(nowhere);
	return rc;
}

enum pktgen_exit eal_start(const struct options *o, size_t memory_mb)
{
	static struct eal_args args;
	const enum pktgen_exit e = eal_args_make(&args, o, memory_mb);

	if (e)
		return e;
	if (!o->verbose)
		keep_logs();
	if (init_eal(&args) < 0) {
		const char *why = rte_strerror(rte_errno);

		return report_error(PKTGEN_ENVIRONMENT, NOT_STARTED, find_log_reason(why));
	}
	return PKTGEN_MET;
}

void eal_stop(void)
{
	char dir[TEXT_BYTES];
	char *end;

	snprintf(dir, sizeof(dir), "%s", rte_eal_get_runtime_dir());
	rte_eal_cleanup();
	/* EAL makes them even if nothing will be in them; what others use is not empty and stays */
	end = strrchr(dir, '/'); /* NULL: it could not make any */
	if (end) {
		rmdir(dir);
		*end = 0;
		rmdir(dir);
	}
	eal_log_show();
}

void eal_log_clear(void)
{
	if (kept.stream && !ftruncate(fileno(kept.stream), 0))
		rewind(kept.stream);
}

const char *eal_log_read_first(const char *otherwise)
{
	if (!kept.stream)
		return otherwise;
	read_kept_logs();
	kept.text[strcspn(kept.text, "\n")] = 0;
	return kept.text[0] ? kept.text : otherwise;
}

void eal_log_show(void)
{
	rte_openlog_stream(stderr);
	if (kept.stream)
		fclose(kept.stream);
	kept.stream = NULL;
}
