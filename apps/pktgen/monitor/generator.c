/* SPDX-License-Identifier: BSD-3-Clause */
#include "monitor/generator.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/messages.h"
#include "port/eal_args.h"

#define PROGRAM "devx-pktgen"
enum { TEXT_BYTES = 256, LINE_BYTES = 1024, ARGUMENT_BYTES = 16 };

static FILE *open_proc(int pid, const char *name)
{
	char path[TEXT_BYTES];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	return fopen(path, "r");
}

bool generator_runs(int pid)
{
	return !kill(pid, 0) || errno == EPERM;
}

static bool is_program(int pid)
{
	FILE *f = open_proc(pid, "comm");
	char name[TEXT_BYTES] = "";
	bool is;

	is = f && fgets(name, sizeof(name), f) && !strcmp(name, PROGRAM "\n");
	if (f)
		fclose(f);
	return is;
}

/* Returns whether the second argument of the process is "monitor". */
static bool is_monitor(int pid)
{
	FILE *f = open_proc(pid, "cmdline");
	char argument[ARGUMENT_BYTES] = "";
	int c, n = 0;

	while (f && (c = getc(f)) > 0)
		;
	while (f && (c = getc(f)) > 0 && n < ARGUMENT_BYTES - 1)
		argument[n++] = (char)c;
	if (f)
		fclose(f);
	return !strcmp(argument, "monitor");
}

/* Counts the running generators. @pid: receives the last one */
static int count_generators(int *pid)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	int n = 0;

	while (dir && (entry = readdir(dir))) {
		const int p = atoi(entry->d_name);

		if (p <= 0 || p == (int)getpid() || !is_program(p) || is_monitor(p))
			continue;
		*pid = p;
		n++;
	}
	if (dir)
		closedir(dir);
	return n;
}

static bool has_line_with(int pid, const char *file, const char *text)
{
	FILE *f = open_proc(pid, file);
	char line[LINE_BYTES];
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		found = strstr(line, text);
	if (f)
		fclose(f);
	return found;
}

/* Refuses a process unless its huge pages are files, which a second process can map. */
static enum pktgen_exit check_memory(int pid)
{
	char pages[TEXT_BYTES];

	snprintf(pages, sizeof(pages), "/%smap_", eal_args_format_prefix(pid));
	if (has_line_with(pid, "maps", pages))
		return PKTGEN_MET;
	if (access("/proc/self/maps", R_OK) || !has_line_with(pid, "maps", PROGRAM))
		return report_error(PKTGEN_ENVIRONMENT,
				    PROGRAM
				    " %d: cannot read its memory map; run the monitor as the "
				    "same user",
				    pid);
	if (has_line_with(pid, "status", "HugetlbPages:\t       0 kB"))
		return report_error(PKTGEN_ENVIRONMENT,
				    PROGRAM
				    " %d: runs with --no-huge on ordinary memory, which no second "
				    "process can use (valid: huge pages); start it with free "
				    "huge pages and --allow-monitor",
				    pid);
	return report_error(PKTGEN_ENVIRONMENT,
			    PROGRAM
			    " %d: its huge pages have no files that a second process can use; "
			    "start it with --allow-monitor",
			    pid);
}

enum pktgen_exit generator_find(int *pid)
{
	int n = 1;

	if (!*pid)
		n = count_generators(pid);
	if (!n)
		return report_error(PKTGEN_ENVIRONMENT,
				    "no " PROGRAM " is running; start one with --allow-monitor");
	if (n > 1)
		return report_error(PKTGEN_USAGE,
				    "%d " PROGRAM " are running; give the process id of one", n);
	if (!generator_runs(*pid) || !is_program(*pid) || is_monitor(*pid))
		return report_error(PKTGEN_USAGE,
				    "%d: no running " PROGRAM " (valid: the process id of one, as "
				    "`pgrep devx-pktgen` prints it)",
				    *pid);
	return check_memory(*pid);
}
