/* SPDX-License-Identifier: BSD-3-Clause */
#include "cases/instructions_callgrind.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/files.h"
#include "harness/gauge.h"

enum { MAX_ARGS = 320, DIR_BYTES = 256, LINE_BYTES = 512 };

#define UNDER_CALLGRIND "DEVX_BENCH_CALLGRIND"
#define LABEL "desc: Trigger: Client Request: "
#define FIELDS "path=%u burst=%u driver=%u packets=%u calls=%u function="

bool callgrind_is_running(void)
{
	return getenv(UNDER_CALLGRIND) != NULL;
}

void callgrind_begin(void)
{
	CALLGRIND_START_INSTRUMENTATION;
	CALLGRIND_ZERO_STATS;
}

void callgrind_end(void)
{
	CALLGRIND_STOP_INSTRUMENTATION;
}

void callgrind_write_count(const struct callgrind_count *c)
{
	char label[LINE_BYTES];

	snprintf(label, sizeof(label), FIELDS "%s", c->path, c->burst, c->driver, c->n_packets,
		 c->n_calls, c->function);
	CALLGRIND_DUMP_STATS_AT(label);
}

/* ---- the parent process ------------------------------------------------------------------- */

/* Appends the arguments of this process to the @n entries of @args. @text: receives their text. */
static int append_command(char **args, int n, char *text, size_t bytes)
{
	const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, text, bytes - 1);
	char *at = text;

	if (fd >= 0)
		close(fd);
	if (length <= 0)
		return -EIO;
	text[length] = '\0';
	at += strlen(at) + 1; /* without the program's name, which may be a relative path */
	for (; at < text + length && n < MAX_ARGS - 1; at += strlen(at) + 1)
		args[n++] = at;
	if (at < text + length)
		return -E2BIG;
	args[n] = NULL;
	return 0;
}

static void exec_valgrind(const char *dir)
{
	char out[DIR_BYTES + 40], log[DIR_BYTES + 40], self[4096], text[1 << 14];
	char *args[MAX_ARGS] = { (char *)"valgrind", (char *)"--tool=callgrind",
				 (char *)"--collect-atstart=no", (char *)"--instr-atstart=no", out,
				 log, self,
				 /* valgrind leaves EAL too few addresses for huge pages */
				 (char *)"--no-huge" };
	const ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	self[n > 0 ? n : 0] = '\0';
	snprintf(out, sizeof(out), "--callgrind-out-file=%s/out", dir);
	snprintf(log, sizeof(log), "--log-file=%s/log", dir);
	dup2(null, STDOUT_FILENO);
	setenv(UNDER_CALLGRIND, "1", 1);
	if (!append_command(args, 8, text, sizeof(text)))
		execvp(args[0], args);
	_exit(errno == ENOENT ? 127 : 126);
}

static int tell_status(const char *dir, int status, char *why, size_t bytes)
{
	char name[DIR_BYTES + 40], line[LINE_BYTES], last[LINE_BYTES] = "";
	bool unknown = false;
	FILE *f;

	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
		snprintf(why, bytes, "valgrind was not found; install it");
		return -ENOENT;
	}
	snprintf(name, sizeof(name), "%s/log", dir);
	f = fopen(name, "re");
	while (f && fgets(line, sizeof(line), f)) {
		unknown |= strstr(line, "Unrecognised instruction") != NULL;
		if (strlen(line) > 12)
			memcpy(last, line, sizeof(line));
	}
	if (f)
		fclose(f);
	last[strcspn(last, "\n")] = '\0';
	if (unknown) {
		snprintf(why, bytes,
			 "valgrind does not know an instruction of this program (AVX-512?)");
		return -EIO;
	}
	snprintf(why, bytes, "valgrind ended with status 0x%x: %s", (unsigned int)status, last);
	return -EIO;
}

/* ---- files -------------------------------------------------------------------------------- */

/* Reads a file of callgrind. Returns whether it has a label and a total. */
static bool read_count(FILE *f, struct callgrind_count *c)
{
	bool has_label = false, has_total = false;
	char line[LINE_BYTES];
	int end = 0;

	memset(c, 0, sizeof(*c));
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, LABEL, strlen(LABEL)) &&
		    sscanf(line + strlen(LABEL), FIELDS "%n", &c->path, &c->burst, &c->driver,
			   &c->n_packets, &c->n_calls, &end) == 5) {
			snprintf(c->function, sizeof(c->function), "%.79s",
				 line + strlen(LABEL) + end);
			has_label = true;
		}
		has_total |= sscanf(line, "totals: %llu", &c->n_instructions) == 1;
	}
	return has_label && has_total;
}

static int read_counts(const char *dir, struct callgrind_count **counts, unsigned int *n_counts)
{
	struct callgrind_count *all = NULL, *more, one;
	unsigned int n = 0;
	char name[DIR_BYTES + 40];
	FILE *f;

	for (unsigned int i = 1;; i++) {
		bool found;

		snprintf(name, sizeof(name), "%s/out.%u", dir, i);
		f = fopen(name, "re");
		if (!f)
			break;
		found = read_count(f, &one);
		fclose(f);
		unlink(name);
		if (!found)
			continue;
		more = reallocarray(all, n + 1, sizeof(*all));
		if (!more) {
			free(all);
			return -ENOMEM;
		}
		all = more;
		all[n++] = one;
	}
	*counts = all;
	*n_counts = n;
	return 0;
}

static void remove_files(const char *dir)
{
	char name[DIR_BYTES + 40];

	snprintf(name, sizeof(name), "%s/out", dir);
	unlink(name);
	snprintf(name, sizeof(name), "%s/log", dir);
	unlink(name);
	rmdir(dir);
}

int callgrind_run(struct callgrind_count **counts, unsigned int *n_counts, char *why,
		  size_t why_bytes)
{
	char dir[DIR_BYTES];
	int status = 0, rc, bad;
	pid_t child;

	*counts = NULL;
	*n_counts = 0;
	if (!BENCH_HAS_CALLGRIND) {
		snprintf(why, why_bytes, "this program was built without valgrind/callgrind.h");
		return -ENOENT;
	}
	files_format_temporary(dir, sizeof(dir), "devx-bench-XXXXXX");
	if (!mkdtemp(dir)) {
		snprintf(why, why_bytes, "%s: %s", dir, strerror(errno));
		return -EIO;
	}
	child = fork();
	if (!child)
		exec_valgrind(dir);
	if (child > 0)
		waitpid(child, &status, 0);
	snprintf(why, why_bytes, "fork: %s", strerror(errno));
	rc = child > 0 ? tell_status(dir, status, why, why_bytes) : -EIO;
	bad = read_counts(dir, counts, n_counts);
	if (!rc && !bad && !*n_counts) {
		snprintf(why, why_bytes, "callgrind wrote no counts");
		rc = -EIO;
	}
	rc = rc ? rc : bad;
	remove_files(dir);
	return rc;
}
