/* SPDX-License-Identifier: BSD-3-Clause */
#include "eal.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_log.h>

#include "report.h"

#define NET_DEVX "librte_net_devx.so"
enum { MAX_ARGS = 64, MAX_LCORES = 5, FEW_CPUS = 2, TEXT_BYTES = 160 };

/* What EAL and drivers said since eal_log_clear(), in a file without a name. */
static struct {
	FILE *stream;
	char text[4096];
} kept;

/* Whole free hugepages, in MiB, of the size that has most of them. */
static size_t free_hugepages_mb(void)
{
	const char *root = "/sys/kernel/mm/hugepages";
	DIR *dir = opendir(root);
	struct dirent *entry;
	size_t most = 0;

	while (dir && (entry = readdir(dir))) {
		unsigned long kb = 0, n = 0;
		char path[TEXT_BYTES * 2];
		FILE *f;

		if (sscanf(entry->d_name, "hugepages-%lukB", &kb) != 1)
			continue;
		snprintf(path, sizeof(path), "%s/%s/free_hugepages", root, entry->d_name);
		f = fopen(path, "r");
		if (f && fscanf(f, "%lu", &n) == 1 && n * kb / 1024 > most)
			most = n * kb / 1024;
		if (f)
			fclose(f);
	}
	if (dir)
		closedir(dir);
	return most;
}

/*
 * With CPUs enough each thread gets its own: "0@3,1@4,2@5". With fewer, main and one worker may
 * both run anywhere, as the scheduler sees fit: "(0,1)@(3,4)". A thread that is bound to a CPU
 * that somebody else has would wait while another CPU idles.
 */
static void lcores(char text[TEXT_BYTES])
{
	char bound[TEXT_BYTES] = "", loose[TEXT_BYTES] = "";
	unsigned n = 0, used = 0, at = 0;
	cpu_set_t cpus;

	if (sched_getaffinity(0, sizeof(cpus), &cpus)) {
		CPU_ZERO(&cpus);
		CPU_SET(0, &cpus);
	}
	for (unsigned cpu = 0; cpu < CPU_SETSIZE && n < MAX_LCORES; cpu++) {
		if (!CPU_ISSET(cpu, &cpus))
			continue;
		used += (unsigned)snprintf(bound + used, sizeof(bound) - used, "%s%u@%u",
					   n ? "," : "", n, cpu);
		at += (unsigned)snprintf(loose + at, sizeof(loose) - at, "%s%u", n ? "," : "", cpu);
		n++;
	}
	if (n > FEW_CPUS)
		snprintf(text, TEXT_BYTES, "%s", bound);
	else
		snprintf(text, TEXT_BYTES, "(0,1)@(%.100s)", loose);
}

static bool user_has(const struct options *o, const char *const *names)
{
	for (int i = 0; i < o->n_eal; i++) {
		for (const char *const *name = names; *name; name++) {
			if (!strncmp(o->eal[i], *name, strlen(*name)))
				return true;
		}
	}
	return false;
}

/* "0000:08:00.0" or "08:00.0", with or without arguments behind it */
static bool is_pci(const char *device)
{
	unsigned a, b, c, d;

	return sscanf(device, "%x:%x:%x.%x", &a, &b, &c, &d) == 4 ||
	       sscanf(device, "%x:%x.%x", &a, &b, &c) == 3 || !strncmp(device, "pci:", 4);
}

static bool wants_pci(const struct options *o)
{
	static const char *const names[] = { "-a", "--allow", "-b", "--block", NULL };

	for (unsigned i = 0; i < o->n_ports; i++) {
		if (is_pci(o->ports[i]))
			return true;
	}
	return user_has(o, names);
}

/*
 * EAL loads installed drivers by itself. One that is not installed (in a build folder) is found
 * by its name alone on LD_LIBRARY_PATH: EAL refuses paths below folders that all may write to.
 */
static bool wants_net_devx(const struct options *o)
{
	bool named = false;

	for (unsigned i = 0; i < o->n_ports; i++)
		named |= !strncmp(o->ports[i], "net_devx", strlen("net_devx"));
	return named && dlopen(NET_DEVX, RTLD_LAZY);
}

static bool wants_huge(const struct options *o, size_t memory_mb)
{
	static const char *const names[] = { "--no-huge", "-m", "--socket-mem", "--legacy-mem",
					     NULL };

	if (user_has(o, names))
		return true; /* it is the user's affair */
	if (o->no_huge)
		return false;
	return free_hugepages_mb() >= memory_mb;
}

static void read_kept(void)
{
	ssize_t n = pread(fileno(kept.stream), kept.text, sizeof(kept.text) - 1, 0);

	kept.text[n > 0 ? n : 0] = 0;
}

/* Progress, and the last line that only says that it failed. */
static bool is_noise(const char *line)
{
	static const char *const noise[] = { "EAL: Detected",    "EAL: Selected",
					     "EAL: FATAL",       "EAL: Invalid 'command",
					     "EAL: Cannot init", NULL };

	for (const char *const *n = noise; *n; n++) {
		if (!strncmp(line, *n, strlen(*n)))
			return true;
	}
	return false;
}

/* The last line that says something. */
static const char *eal_log_reason(const char *otherwise)
{
	const char *found = otherwise;
	char *rest;

	if (!kept.stream)
		return otherwise;
	read_kept();
	for (char *line = strtok_r(kept.text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (!is_noise(line))
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

/* EAL also prints past its log: the usage, and why getopt refused something. */
static int init_quietly(int n, char **args)
{
	const int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
	const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	int rc;

	fflush(stdout);
	if (kept.stream && out >= 0 && err >= 0 && nowhere >= 0) {
		dup2(nowhere, STDOUT_FILENO);
		dup2(fileno(kept.stream), STDERR_FILENO);
	}
	rc = rte_eal_init(n, args);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(out);
	close(err);
	close(nowhere);
	return rc;
}

enum pktgen_exit eal_start(const struct options *o, size_t memory_mb)
{
	static const char *const cores[] = { "-l", "-c", "--lcores", "-s", "-S", NULL };
	static char memory[TEXT_BYTES], cpus[TEXT_BYTES];
	static char *args[MAX_ARGS] = { (char *)"devx-pktgen", (char *)"--no-telemetry" };
	int n = 2;

	if (!wants_pci(o)) {
		args[n++] = (char *)"--no-pci";
		args[n++] = (char *)"--iova-mode=va"; /* no device here needs to know better */
	}
	if (wants_net_devx(o)) {
		args[n++] = (char *)"-d";
		args[n++] = (char *)NET_DEVX;
	}
	if (!user_has(o, cores)) {
		lcores(cpus);
		args[n++] = (char *)"--lcores";
		args[n++] = cpus;
	}
	if (wants_huge(o, memory_mb)) {
		args[n++] = (char *)"--in-memory";
	} else {
		snprintf(memory, sizeof(memory), "%zu", memory_mb);
		args[n++] = (char *)"--no-shconf";
		args[n++] = (char *)"--no-huge";
		args[n++] = (char *)"-m";
		args[n++] = memory;
		report_line("%s: EAL runs with --no-huge on %zu MiB of ordinary memory",
			    o->no_huge ? "no hugepages wanted" : "no free hugepages", memory_mb);
	}
	if (n + o->n_eal >= MAX_ARGS)
		return report_error(PKTGEN_USAGE, "%d EAL options are too many: %d at most",
				    o->n_eal, MAX_ARGS - 1 - n);
	for (int i = 0; i < o->n_eal; i++)
		args[n++] = o->eal[i];
	if (!o->verbose)
		keep_logs();
	if (init_quietly(n, args) < 0) {
		const char *why = rte_strerror(rte_errno);

		return report_error(PKTGEN_ENVIRONMENT,
				    "EAL does not start: %s (--verbose tells more)",
				    eal_log_reason(why));
	}
	return PKTGEN_MET;
}

void eal_stop(void)
{
	char dir[TEXT_BYTES * 4];

	snprintf(dir, sizeof(dir), "%s", rte_eal_get_runtime_dir());
	rte_eal_cleanup();
	/* EAL makes them even if nothing will be in them; what others use is not empty and stays */
	rmdir(dir);
	*strrchr(dir, '/') = 0;
	rmdir(dir);
	eal_log_show();
}

void eal_log_clear(void)
{
	if (kept.stream && !ftruncate(fileno(kept.stream), 0))
		rewind(kept.stream);
}

const char *eal_log_first(const char *otherwise)
{
	if (!kept.stream)
		return otherwise;
	read_kept();
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
