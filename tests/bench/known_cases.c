/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cases of devx-bench with known results, for tests/scripts/bench-cli.sh. BENCH_KNOWN_CYCLES sets
 * the cycles of net_devx, so that a test can make a run that is slower than another.
 */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/exit.h"
#include "cases/cases.h"
#include "cli/messages.h"
#include "emu/uverbs/emu_ctl.h"

static const int bursts[] = { 1, 64 };
enum { N_BURSTS = 2, RIVAL_CYCLES = 20, PATH_BYTES = 64 };

static void format_path(char *path, int burst)
{
	snprintf(path, PATH_BYTES, "known/rx/burst=%d", burst);
}

static void list_known(void)
{
	char path[PATH_BYTES];

	for (int i = 0; i < N_BURSTS; i++) {
		format_path(path, bursts[i]);
		puts(path);
	}
}

static void add_row(struct bench_run *run, const char *driver, int burst, double cycles)
{
	struct bench_row row = { .case_name = "known/rx" };

	snprintf(row.driver, sizeof(row.driver), "%s", driver);
	bench_row_key(&row, "burst", "%d", burst);
	bench_row_exact(&row, "core_cycles_per_packet", "cycles/packet", cycles);
	bench_table_add(run->table, &row);
}

static int run_known(struct bench_run *run)
{
	const char *cycles = getenv("BENCH_KNOWN_CYCLES");
	char path[PATH_BYTES];

	for (int i = 0; i < N_BURSTS; i++) {
		format_path(path, bursts[i]);
		bench_progress(run, "%s", path);
		if (!bench_wants(run, path))
			continue;
		add_row(run, "net_devx", bursts[i], cycles ? atof(cycles) : RIVAL_CYCLES / 2);
		add_row(run, "net_mlx5", bursts[i], RIVAL_CYCLES);
	}
	return 0;
}

static void list_counts(void)
{
	puts("counts/rx/burst=32");
}

/* Instructions of both drivers, for the merged table of --with. */
static int run_counts(struct bench_run *run)
{
	for (int d = 0; d < 2; d++) {
		struct bench_row row = { .case_name = "counts/rx" };

		snprintf(row.driver, sizeof(row.driver), "%s", d ? "net_mlx5" : "net_devx");
		bench_row_key(&row, "burst", "%d", 32);
		bench_row_exact(&row, "instructions_per_packet", "instructions/packet",
				d ? 100 : 40);
		bench_table_add(run->table, &row);
	}
	return 0;
}

static void list_stages(void)
{
	puts("stages/rx");
}

/* Rows with a key "stage", which a plot draws as bars. */
static int run_stages(struct bench_run *run)
{
	static const char *const stages[] = { "take CQEs", "fill mbufs", "refill" };

	for (int d = 0; d < 2; d++)
		for (int i = 0; i < 3; i++) {
			struct bench_row row = { .case_name = "stages/rx" };

			snprintf(row.driver, sizeof(row.driver), "%s", d ? "net_mlx5" : "net_devx");
			bench_row_key(&row, "stage", "%s", stages[i]);
			bench_row_exact(&row, "tsc_cycles", "cycles/packet", 1 + d + i);
			bench_table_add(run->table, &row);
		}
	return 0;
}

static void list_place(void)
{
	puts("place/here");
}

static void list_curves(void)
{
	puts("curves/rx");
}

/* Rows of three keys and of drivers without a colour of their own, for the names of pictures. */
static int run_curves(struct bench_run *run)
{
	static const char *const drivers[] = { "net_tap", "net_devx", "net_ring" };
	static const int sizes[] = { 60, 1514 };

	for (int i = 0; i < 12; i++) {
		struct bench_row row = { .case_name = "curves/rx" };

		snprintf(row.driver, sizeof(row.driver), "%s", drivers[i % 3]);
		bench_row_key(&row, "size", "%d", sizes[i / 6]);
		bench_row_key(&row, "cache", "%s", "hot");
		bench_row_key(&row, "burst", "%d", bursts[i / 3 % 2]);
		bench_row_exact(&row, "packets", "", 7);
		bench_row_exact(&row, "tsc_cycles_per_packet", "cycles/packet", 100 + i);
		bench_table_add(run->table, &row);
	}
	return 0;
}

/* Adds rows for the place (on emu or not, number of netdevs that are up) and for the options. */
static int run_place(struct bench_run *run)
{
	struct bench_row row = { .case_name = "place/here", .driver = "none" };
	unsigned n = 0;
	char name[IFNAMSIZ];

	for (unsigned i = 0; i < 8; i++) {
		char path[PATH_BYTES], state[16] = "";
		FILE *f;

		snprintf(name, sizeof(name), "bench%u", i);
		if (!if_nametoindex(name))
			break;
		snprintf(path, sizeof(path), "/proc/sys/net/ipv6/conf/%s/disable_ipv6", name);
		f = fopen(path, "r");
		if (f && fgets(state, sizeof(state), f))
			n += state[0] == '1';
		if (f)
			fclose(f);
	}
	bench_row_exact(&row, "on_emu", "", devx_emu_ctl_find() != NULL);
	bench_row_exact(&row, "netdevs", "", n);
	bench_row_exact(&row, "eal_options", "", run->n_eal);
	bench_row_exact(&row, "ports", "", run->n_ports);
	bench_row_exact(&row, "time_limit", "s", run->time_limit_s);
	bench_row_exact(&row, "width", "", run->width);
	bench_row_exact(&row, "short", "", run->short_form);
	bench_row_exact(&row, "no_huge", "", run->no_huge);
	bench_row_exact(&row, "verbose", "", run->verbose);
	snprintf(row.missing, sizeof(row.missing), "%s",
		 getenv("DEVX_BENCH_NO_NETDEV") ? getenv("DEVX_BENCH_NO_NETDEV") : "");
	bench_table_add(run->table, &row);
	return 0;
}

static void list_wait(void)
{
	puts("wait/signal");
}

/* Adds a row, and waits for a signal as for the end of a long measurement. */
static int run_wait(struct bench_run *run)
{
	add_row(run, "net_devx", 1, 1);
	fputs("waits\n", stderr);
	while (!*run->stopped)
		usleep(10 * 1000);
	return 0;
}

static void list_broken(void)
{
	puts("broken/port");
}

static int run_broken(struct bench_run *run)
{
	(void)run;
	return report_error(BENCH_ENVIRONMENT, "port net_devx0: cannot open it");
}

static void list_own(void)
{
	puts("own/port");
}

static int run_own(struct bench_run *run)
{
	struct bench_row row = { .case_name = "own/port", .driver = "none" };

	bench_row_exact(&row, "ports", "", run->n_ports);
	bench_table_add(run->table, &row);
	return 0;
}

static const struct bench_case known = { .name = "known", .list = list_known, .run = run_known };
static const struct bench_case place = {
	.name = "place", .list = list_place, .run = run_place, .needs_emu = "it looks for emu"
};
static const struct bench_case stages = { .name = "stages",
					  .list = list_stages,
					  .run = run_stages };
static const struct bench_case counts = { .name = "counts",
					  .list = list_counts,
					  .run = run_counts };
static const struct bench_case waits = { .name = "wait", .list = list_wait, .run = run_wait };
static const struct bench_case broken = { .name = "broken",
					  .list = list_broken,
					  .run = run_broken };

static const struct bench_case curves = { .name = "curves",
					  .list = list_curves,
					  .run = run_curves };
static const struct bench_case own = {
	.name = "own", .list = list_own, .run = run_own, .own_ports = "it has a port"
};

const struct bench_case *const bench_cases[] = { &known, &counts, &stages, &curves, &place,
						 &waits, &broken, &own,    NULL };
