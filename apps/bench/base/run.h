/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include <signal.h>
#include <stdbool.h>

#include "base/row.h"

/* largest number of options after "--"; every command line that a run makes has room for them */
enum { BENCH_MAX_EAL = 48 };

/**
 * struct bench_run - how to measure, and where the rows go
 * @time_limit_s: longest time for one point; the point then ends with the samples it has
 * @width: a point ends when its 95 % interval is narrower than this part of the median (0.02)
 * @short_form: measure only the points that CI judges
 * @stopped: not 0 after Ctrl-C: a case ends after its current window and keeps its rows
 * @table: receives the rows
 * @filter, @n_filters: the globs of --filter, for bench_wants()
 * @port, @n_ports: the devices to measure (--port), as EAL names them; without any, the case opens
 *	net_devx and net_mlx5 on emu
 * @eal, @n_eal: the options after "--", which are for EAL; at most BENCH_MAX_EAL
 * @memory_mib: MiB of packet memory that the case needs, set by the case; 0: 128
 * @no_huge: use ordinary memory even if hugepages are free
 * @verbose: show the log of EAL and of the drivers
 * @quiet: print no progress
 */
struct bench_run {
	double time_limit_s, width;
	bool short_form;
	const volatile sig_atomic_t *stopped;
	struct bench_table *table;
	const char *const *filter;
	unsigned n_filters;
	const char *const *port;
	unsigned n_ports;
	char *const *eal;
	int n_eal;
	unsigned memory_mib;
	bool no_huge, verbose, quiet;
};

/** bench_wants - tell whether --filter selects the point @path ("pcie/rx/size=60/burst=64") */
bool bench_wants(const struct bench_run *run, const char *path);

/** bench_progress - replace the progress line; without a terminal, print a line now and then */
void bench_progress(const struct bench_run *run, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * struct bench_case - one subcommand of devx-bench; each has a file in cases/
 * @name: "cycles"
 * @help: one line
 * @needs_emu: the reason why the case cannot run on an adapter, or NULL
 * @own_ports: the reason why the case opens no port in this process, or NULL. With a reason, the
 *	case needs no emu and refuses --port
 * @emu: options for devx-emu, ended by NULL; NULL: "--ports 4 --wire pair --mtu 9978". launch/ adds
 *	"--netdev bench" if this user may create netdevs, and sets bench0... up
 * @prepare: optional; creates the files that @emu names, in the process that becomes devx-emu.
 *	Return: 0, or an exit status after one line on stderr
 * @list: prints the paths of its points for `devx-bench list`, one per line
 * @run: measures all points that bench_wants(). Return: 0, or an exit status of base/exit.h
 */
struct bench_case {
	const char *name, *help, *needs_emu, *own_ports;
	const char *const *emu;
	int (*prepare)(void);
	void (*list)(void);
	int (*run)(struct bench_run *run);
};

extern const struct bench_case bench_cycles, bench_instructions, bench_pcie, bench_throughput,
	bench_control, bench_pktgen;

#endif
