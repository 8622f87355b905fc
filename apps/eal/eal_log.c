/* SPDX-License-Identifier: BSD-3-Clause */
#include "eal/eal_log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_log.h>

enum { LINE_BYTES = 512, KEPT_BYTES = 4096 };

/* Log lines since eal_log_clear(): all in memory file @fd, and the first error also in @error. */
static struct {
	FILE *stream; /* EAL logs to this stream, which passes messages to write_kept_log() */
	int fd;
	char text[KEPT_BYTES];
	char error[LINE_BYTES];
} kept = { .fd = -1 };

static ssize_t write_kept_log(void *unused, const char *text, size_t n)
{
	const char *end = memchr(text, '\n', n);

	(void)unused;
	if (!kept.error[0] && rte_log_cur_msg_loglevel() <= (int)RTE_LOG_ERR)
		snprintf(kept.error, sizeof(kept.error), "%.*s",
			 (int)(end ? end - text : (ptrdiff_t)n), text);
	return write(kept.fd, text, n);
}

void eal_log_keep(void)
{
	const cookie_io_functions_t functions = { .write = write_kept_log };

	kept.fd = memfd_create("eal-log", MFD_CLOEXEC);
	if (kept.fd < 0)
		return;
	kept.stream = fopencookie(NULL, "w", functions);
	if (!kept.stream) {
		close(kept.fd);
		kept.fd = -1;
		return;
	}
	/* EAL flushes after each message, so write_kept_log() gets whole messages. */
	setvbuf(kept.stream, NULL, _IOFBF, KEPT_BYTES);
	rte_openlog_stream(kept.stream);
}

int eal_log_get_fd(void)
{
	return kept.fd;
}

void eal_log_clear(void)
{
	if (kept.fd >= 0 && !ftruncate(kept.fd, 0))
		lseek(kept.fd, 0, SEEK_SET);
	kept.error[0] = 0;
}

const char *eal_log_read_error(const char *otherwise)
{
	return kept.error[0] ? kept.error : otherwise;
}

/* EAL logs these lines even if nothing failed, or after the line that gives the reason. */
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

const char *eal_log_read_last(const char *otherwise)
{
	const char *found = otherwise;
	ssize_t n;
	char *rest;

	if (kept.fd < 0)
		return otherwise;
	n = pread(kept.fd, kept.text, sizeof(kept.text) - 1, 0);
	kept.text[n > 0 ? n : 0] = 0;
	for (char *line = strtok_r(kept.text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (!is_noise_line(line))
			found = line;
	}
	return found;
}

void eal_log_show(void)
{
	rte_openlog_stream(stderr);
	if (kept.stream)
		fclose(kept.stream);
	if (kept.fd >= 0)
		close(kept.fd);
	kept.stream = NULL;
	kept.fd = -1;
	kept.error[0] = 0;
}
