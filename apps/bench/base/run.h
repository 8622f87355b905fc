/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include <signal.h>
#include <stdbool.h>

#include "base/row.h"

/* most options after "--": every command line that a run makes has room for them */
enum { BENCH_MAX_EAL = 48 };

/**
 * struct bench_run - how to measure, and where the rows go
 * @time_limit_s: longest time for one point; the point then ends with the samples it has
 * @width: a point ends when its 95 % interval is narrower than this part of the median (0.02)
 * @short_form: measure only the points that CI judges
 * @stopped: not 0 after Ctrl-C: a case ends after its current window and keeps its rows
 * @table: receives the rows
 * @filter, @n_filters: the globs of --filter; bench_wants() compares with them
 * @port, @n_ports: the devices of --port, as EAL names them: measure these. None: the case opens
 *	net_devx and net_mlx5 on emu
 * @eal, @n_eal: the options after "--", which are for EAL; at most BENCH_MAX_EAL
 * @memory_mib: packet memory that a case needs, which sets it; 0: 128
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

/** bench_wants - does --filter select the point @path, "cycles/rx/burst=64/size=60/cache=hot"? */
bool bench_wants(const struct bench_run *run, const char *path);

/** bench_progress - replace the progress line of a terminal; elsewhere print some lines */
void bench_progress(const struct bench_run *run, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * struct bench_case - one subcommand of devx-bench; a file in cases/ each
 * @name: "cycles"
 * @help: one line
 * @needs_emu: cannot run on an adapter, with the reason; NULL: can
 * @own_ports: the reason why the case opens no port in this process: it needs neither emu nor
 *	--port, which is refused; NULL: it opens ports
 * @emu: options for devx-emu, ended by NULL; NULL: "--ports 4 --wire pair --mtu 9978". launch/ adds
 *	"--netdev bench" where this user may make netdevs, and sets bench0... up
 * @prepare: optional; makes files that the options in @emu name, in the process that becomes
 *	devx-emu. Return: 0, or an exit status after one line on stderr
 * @list: prints the paths of its points, one a line, for `devx-bench list`
 * @run: measures all points that bench_wants(); Return: 0, or an exit status of base/exit.h
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
