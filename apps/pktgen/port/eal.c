/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/eal.h"

#include <dirent.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_lcore.h>

#include "cli/messages.h"
#include "port/eal_args.h"
#include "port/workplace.h"
#include "eal/eal_log.h"

#define NOT_STARTED "EAL does not start: %s (--verbose shows the whole log)"
enum { TEXT_BYTES = 640, MIN_LCORES = 2 };

/* Copies of stdout and stderr while init_eal() redirects both; -1 at other times. */
static int out = -1, err = -1;
static bool has_shared_files; /* --allow-monitor */

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
 * Exit handler. When EAL 25.11 or later refuses an option, it ends the process with its own status;
 * older releases return from rte_eal_init(). This handler ends it with our message and status.
 */
static void report_eal_exit(int status, void *unused)
{
	(void)unused;
	if (err < 0 || !status)
		return;
	restore_output();
	_exit((int)report_error(PKTGEN_ENVIRONMENT, NOT_STARTED,
				eal_log_read_last("EAL refuses an option")));
}

/*
 * Starts EAL. Until EAL is up, redirects stdout, where EAL prints its usage, and stderr, where
 * getopt prints its errors. --verbose keeps both; EAL's --help and --version keep stdout.
 */
static int init_eal(struct eal_args *args)
{
	const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	int rc;

	on_exit(report_eal_exit, NULL);
	fflush(stdout);
	out = dup(STDOUT_FILENO);
	err = dup(STDERR_FILENO);
	if (eal_log_get_fd() >= 0 && out >= 0 && err >= 0 && nowhere >= 0) {
		if (!args->asks)
			dup2(nowhere, STDOUT_FILENO);
		dup2(eal_log_get_fd(), STDERR_FILENO);
	}
	rc = rte_eal_init(args->n, args->v);
	restore_output();
	close(nowhere);
	return rc;
}

/* Removes the files of a folder whose names begin with @prefix. */
static void remove_files(const char *folder, const char *prefix)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, prefix, strlen(prefix)))
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
}

/* Also returns false for "", which means that EAL could not create its folder. */
static bool is_own_folder(const char *runtime_dir)
{
	const char *name = strrchr(runtime_dir, '/');

	return name && !strcmp(name + 1, eal_args_format_prefix(getpid()));
}

/* EAL keeps its files for the next process with the same prefix, but no other process has ours. */
static void remove_shared_files(const char *runtime_dir)
{
	char pages[TEXT_BYTES];
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	const struct mntent *m;

	snprintf(pages, sizeof(pages), "%smap_", eal_args_format_prefix(getpid()));
	while (mounts && (m = getmntent(mounts)))
		if (!strcmp(m->mnt_type, "hugetlbfs"))
			remove_files(m->mnt_dir, pages);
	if (mounts)
		endmntent(mounts);
	if (is_own_folder(runtime_dir))
		remove_files(runtime_dir, "");
}

/*
 * EAL creates the folder DIR/dpdk/PREFIX even if it stores nothing there. Keeps DIR/dpdk, because
 * another program may be about to create its own folder in it.
 */
static void remove_own_folder(const char *runtime_dir)
{
	if (is_own_folder(runtime_dir))
		rmdir(runtime_dir);
}

static enum pktgen_exit report_start_failure(void)
{
	const char *why = rte_strerror(rte_errno);

	return report_error(PKTGEN_ENVIRONMENT, NOT_STARTED, eal_log_read_last(why));
}

enum pktgen_exit eal_start_secondary(int pid)
{
	static struct eal_args args;

	eal_args_make_secondary(&args, pid);
	eal_log_keep();
	return init_eal(&args) < 0 ? report_start_failure() : PKTGEN_MET;
}

enum pktgen_exit eal_start(const struct options *o, struct cores *cores, size_t memory_mb)
{
	static struct eal_args args;
	const enum pktgen_exit e = eal_args_make(&args, o, cores, memory_mb);

	if (e)
		return e;
	if (!o->verbose)
		eal_log_keep();
	has_shared_files = o->allow_monitor;
	if (init_eal(&args) < 0) {
		if (has_shared_files)
			remove_shared_files(rte_eal_get_runtime_dir());
		remove_own_folder(rte_eal_get_runtime_dir());
		if (!eal_args_lost_pages(&args))
			return report_start_failure();
		report_line("another program took the free hugepages; starting again with "
			    "--no-huge");
		return PKTGEN_START_AGAIN;
	}
	if (args.has_user_cores)
		workplace_read_eal(cores);
	return PKTGEN_MET;
}

enum pktgen_exit eal_check_workers(void)
{
	if (rte_get_next_lcore((unsigned)-1, 1, 0) < RTE_MAX_LCORE) /* the first worker */
		return PKTGEN_MET;
	return report_error(
		PKTGEN_USAGE,
		"EAL options: no worker lcore (valid: at least %d lcores: one controls, "
		"the others send and receive); give more lcores (-- --lcores '(0,1)@0' "
		"puts two on CPU 0) or leave the option out",
		MIN_LCORES);
}

void eal_stop(void)
{
	char dir[TEXT_BYTES];

	snprintf(dir, sizeof(dir), "%s", rte_eal_get_runtime_dir());
	rte_eal_cleanup();
	if (has_shared_files)
		remove_shared_files(dir);
	remove_own_folder(dir);
	eal_log_show();
}
