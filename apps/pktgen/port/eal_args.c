/* SPDX-License-Identifier: BSD-3-Clause */
#include "port/eal_args.h"

#include <dirent.h>
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rte_config.h>

#include "cli/messages.h"

#define NET_DEVX "librte_net_devx.so"
enum { TEXT_BYTES = 160 };

/* Returns the MiB of free hugepages of the page size that has the most free memory. */
static size_t read_free_hugepages_mb(void)
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

static bool has_user_option(const struct options *o, const char *const *names)
{
	for (int i = 0; i < o->n_eal; i++) {
		for (const char *const *name = names; *name; name++) {
			if (!strncmp(o->eal[i], *name, strlen(*name)))
				return true;
		}
	}
	return false;
}

/* Accepts "0000:08:00.0" and "08:00.0", with or without driver arguments, and "pci:..." */
static bool is_pci_device(const char *device)
{
	unsigned a, b, c, d;

	return sscanf(device, "%x:%x:%x.%x", &a, &b, &c, &d) == 4 ||
	       sscanf(device, "%x:%x.%x", &a, &b, &c) == 3 || !strncmp(device, "pci:", 4);
}

static bool wants_pci(const struct options *o)
{
	static const char *const names[] = { "-a", "--allow", "-b", "--block", NULL };

	for (unsigned i = 0; i < o->n_ports; i++) {
		if (is_pci_device(o->ports[i]))
			return true;
	}
	return has_user_option(o, names);
}

/*
 * Returns whether EAL can load net_devx by name. EAL loads only installed drivers by itself; it
 * finds the driver of a build folder through LD_LIBRARY_PATH. A path would not do, because EAL
 * refuses paths below folders that every user may write to.
 */
static bool can_load_net_devx(void)
{
	return dlopen(NET_DEVX, RTLD_LAZY);
}

static bool wants_net_devx(const struct options *o)
{
	bool named = false;

	for (unsigned i = 0; i < o->n_ports; i++)
		named |= !strncmp(o->ports[i], "net_devx", strlen("net_devx"));
	return named && can_load_net_devx();
}

static void add_arg(struct eal_args *a, const char *arg)
{
	a->v[a->n++] = (char *)arg;
}

/* Adds an option unless the user gave it: EAL 25.11 refuses an option that is given twice. */
static void add_own_arg(struct eal_args *a, const struct options *o, const char *name)
{
	const char *const names[] = { name, NULL };

	if (!has_user_option(o, names))
		add_arg(a, name);
}

const char *eal_args_format_prefix(int pid)
{
	static char prefix[TEXT_BYTES];

	snprintf(prefix, sizeof(prefix), "pktgen-%d", pid);
	return prefix;
}

/*
 * Makes EAL use a folder that no other program uses, so that eal_stop() can remove it. If the user
 * wants telemetry without --allow-monitor, keeps EAL's default prefix, where DPDK's tools look.
 */
static void add_prefix_arg(struct eal_args *a, const struct options *o)
{
	static const char *const other[] = { "--file-prefix", "--telemetry", NULL };
	static char prefix[2 * TEXT_BYTES];

	if (!o->allow_monitor && has_user_option(o, other))
		return;
	snprintf(prefix, sizeof(prefix), "--file-prefix=%s", eal_args_format_prefix(getpid()));
	add_arg(a, prefix);
}

static void add_own_args(struct eal_args *a, const struct options *o, const struct cores *c)
{
	static const char *const telemetry[] = { "--telemetry", NULL };
	static const char *const iova[] = { "--iova-mode", NULL };

	add_arg(a, "devx-pktgen");
	add_prefix_arg(a, o);
	if (!has_user_option(o, telemetry))
		add_own_arg(a, o, "--no-telemetry");
	if (!wants_pci(o)) {
		add_own_arg(a, o, "--no-pci");
		if (!has_user_option(o, iova))
			add_arg(a, "--iova-mode=va"); /* only PCI devices need another mode */
	}
	if (wants_net_devx(o)) {
		add_arg(a, "-d");
		add_arg(a, NET_DEVX);
	}
	if (!a->has_user_cores) {
		add_arg(a, "--lcores");
		add_arg(a, cores_format_lcores(c));
	}
}

static void add_memory_args(struct eal_args *a, const struct options *o, size_t memory_mb)
{
	static const char *const no_huge[] = { "--no-huge", "--legacy-mem", NULL };
	static const char *const in_memory[] = { "--in-memory", NULL };
	static const char *const size[] = { "-m", "--memory-size", "--socket-mem", "--numa-mem",
					    NULL };
	static char memory[TEXT_BYTES];
	const bool ordinary = has_user_option(o, no_huge), sized = has_user_option(o, size);
	const bool own_pages = has_user_option(o, in_memory);
	const size_t enough = sized ? 1 : memory_mb;
	const bool huge =
		!ordinary && (own_pages || (!o->no_huge && read_free_hugepages_mb() >= enough));

	*memory = '\0';
	add_own_arg(a, o, huge ? "--in-memory" : "--no-shconf");
	a->huge_mb = huge && !own_pages ? enough : 0;
	/* With its size, EAL takes the memory at once: another program cannot take it later. */
	if (!sized && !(huge && own_pages)) {
		snprintf(memory, sizeof(memory), "%zu", memory_mb);
		add_arg(a, "-m");
		add_arg(a, memory);
	}
	if (ordinary || huge)
		return;
	add_arg(a, "--no-huge");
	report_line("%s: EAL runs with --no-huge on %s%sordinary memory",
		    o->no_huge ? "--no-huge given" : "too few free hugepages", memory,
		    sized ? "" : " MiB of ");
}

bool eal_args_lost_pages(const struct eal_args *a)
{
	return a->huge_mb && read_free_hugepages_mb() < a->huge_mb;
}

/* Makes EAL keep its huge pages in files, which the process of the monitor can map. */
static enum pktgen_exit add_shared_memory_args(struct eal_args *a, const struct options *o,
					       size_t memory_mb)
{
	static const char *const chosen[] = { "--no-huge",   "--legacy-mem",  "--in-memory",
					      "--no-shconf", "--file-prefix", "--huge-unlink",
					      "-m",          "--memory-size", NULL };
	static char memory[TEXT_BYTES];
	const size_t free_mb = read_free_hugepages_mb();

	if (o->no_huge || has_user_option(o, chosen))
		return report_error(PKTGEN_USAGE,
				    "--allow-monitor: needs huge pages and a file prefix of its "
				    "own; leave out --no-huge, and the EAL options for memory and "
				    "--file-prefix");
	if (free_mb < memory_mb)
		return report_error(PKTGEN_ENVIRONMENT,
				    "--allow-monitor: %zu MiB of huge pages are free (needed: %zu "
				    "MiB); reserve more with sysctl vm.nr_hugepages, or leave the "
				    "option out",
				    free_mb, memory_mb);
	snprintf(memory, sizeof(memory), "%zu", memory_mb);
	add_arg(a, "-m");
	add_arg(a, memory);
	return PKTGEN_MET;
}

enum pktgen_exit eal_args_make(struct eal_args *a, const struct options *o,
			       const struct cores *cores, size_t memory_mb)
{
	static const char *const lcores[] = { "-l", "-c", "--lcores",       "--coremask",
					      "-s", "-S", "--service-core", NULL };
	/* After these options EAL prints a text and ends the program. */
	static const char *const asks[] = { "-h", "--help", "-v", "--version", NULL };
	enum pktgen_exit e;

	*a = (struct eal_args){ .asks = has_user_option(o, asks),
				.has_user_cores = has_user_option(o, lcores) };
	if (a->has_user_cores && (o->cores.n_workers || o->cores.n_cpus))
		return report_error(PKTGEN_USAGE,
				    "--cores and EAL options: both choose the CPUs; give one");
	add_own_args(a, o, cores);
	if (!o->allow_monitor)
		add_memory_args(a, o, memory_mb);
	else if ((e = add_shared_memory_args(a, o, memory_mb)))
		return e;
	if (a->n + o->n_eal >= EAL_MAX_ARGS)
		return report_error(PKTGEN_USAGE, "EAL options: %d given (valid: at most %d)",
				    o->n_eal, EAL_MAX_ARGS - 1 - a->n);
	for (int i = 0; i < o->n_eal; i++)
		add_arg(a, o->eal[i]);
	return PKTGEN_MET;
}

/* Formats --lcores with one lcore that may use every CPU of this process. */
static const char *format_lcore(void)
{
	static char text[TEXT_BYTES * 8];
	cpu_set_t cpus;
	int at;

	at = snprintf(text, sizeof(text), "--lcores=%d@(", RTE_MAX_LCORE - 1);
	CPU_ZERO(&cpus);
	sched_getaffinity(0, sizeof(cpus), &cpus);
	for (int i = 0; i < CPU_SETSIZE && at < (int)sizeof(text) - TEXT_BYTES; i++)
		if (CPU_ISSET(i, &cpus))
			at += snprintf(text + at, sizeof(text) - (size_t)at, "%d,", i);
	text[at - 1] = ')';
	return text;
}

void eal_args_make_secondary(struct eal_args *a, int pid)
{
	static char prefix[2 * TEXT_BYTES];

	*a = (struct eal_args){ 0 };
	snprintf(prefix, sizeof(prefix), "--file-prefix=%s", eal_args_format_prefix(pid));
	add_arg(a, "devx-pktgen");
	add_arg(a, "--proc-type=secondary");
	add_arg(a, prefix);
	add_arg(a, "--no-telemetry");
	add_arg(a, "--no-pci"); /* ports of PCI devices are not needed */
	add_arg(a, format_lcore());
	if (can_load_net_devx()) {
		add_arg(a, "-d");
		add_arg(a, NET_DEVX);
	}
}
