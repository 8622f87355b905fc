/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packets per second while the other side works: emu's engine thread, or a peer. Windows of the
 * drivers alternate. The contents are checked before the first window, all sums after the last.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/exit.h"
#include "base/run.h"
#include "base/samples.h"
#include "cli/messages.h"
#include "harness/testbed.h"

enum {
	PATH_BYTES = 96,
	N_SIZES = 2,
	MAX_TESTBEDS = 8, /* for --port; more than BENCH_N_RIVALS */
	WINDOW_NS = 5 * 1000 * 1000,
	LEAD_NS = 1000 * 1000, /* rings fill, and the engine wakes up, in less than 1 ms */
};

static const uint16_t sizes[N_SIZES] = { BENCH_MIN_FRAME, 1514 };
static const char *const works[BENCH_N_WORKS] = {
	[BENCH_FORWARD] = "forward",
	[BENCH_SEND] = "send",
	[BENCH_RECEIVE] = "receive",
};
static const char *const case_names[BENCH_N_WORKS] = {
	[BENCH_FORWARD] = "throughput/forward",
	[BENCH_SEND] = "throughput/send",
	[BENCH_RECEIVE] = "throughput/receive",
};
/* literals, because rows keep the pointers */
static const char *const core_names[BENCH_MAX_CORES] = { "core0_mpps", "core1_mpps", "core2_mpps",
							 "core3_mpps", "core4_mpps", "core5_mpps",
							 "core6_mpps", "core7_mpps" };
static const char *const queue_names[BENCH_MAX_QUEUES] = { "queue0_mpps", "queue1_mpps",
							   "queue2_mpps", "queue3_mpps",
							   "queue4_mpps", "queue5_mpps",
							   "queue6_mpps", "queue7_mpps" };

/* struct series - the samples of one driver at a point, in millions of packets per second */
struct series {
	struct bench_samples all, ratio, core[BENCH_MAX_CORES], queue[BENCH_MAX_QUEUES];
};

enum { PER_SERIES = sizeof(struct series) / sizeof(struct bench_samples) };

/* struct measurement - all that the points of a run share */
struct measurement {
	struct bench_run *run;
	struct bench_lab lab;
	struct bench_crew crew;
	struct bench_testbed testbed[MAX_TESTBEDS];
	struct series series[MAX_TESTBEDS];
	unsigned int n_testbeds;
	int engine, status;
};

/* ---- points -------------------------------------------------------------------------------- */

static void print_path(char *text, size_t bytes, const struct bench_stream *s)
{
	snprintf(text, bytes, "throughput/%s/size=%u/queues=%u/cores=%u", works[s->work], s->bytes,
		 s->n_queues, s->n_cores);
}

typedef int (*visitor)(void *arg, const struct bench_stream *s);

static int visit_sizes(struct bench_stream *s, visitor visit, void *arg)
{
	int rc = 0;

	for (unsigned int i = 0; !rc && i < N_SIZES; i++) {
		s->bytes = sizes[i];
		rc = visit(arg, s);
	}
	return rc;
}

/* Visits one core with 1 and 4 queues; then 2, 4, ... and all cores, with one queue per core. */
static int visit_points(const cpu_set_t *cpus, visitor visit, void *arg)
{
	const uint16_t most = (uint16_t)bench_crew_count_cores(cpus);
	int rc = 0;

	for (unsigned int w = 0; w < BENCH_N_WORKS; w++) {
		struct bench_stream s = { .work = (enum bench_work)w, .n_cores = 1 };

		for (s.n_queues = 1; !rc && s.n_queues <= 4; s.n_queues *= 4)
			rc = visit_sizes(&s, visit, arg);
		for (s.n_cores = 2; !rc && s.n_cores < 2 * most; s.n_cores *= 2) {
			s.n_cores = s.n_cores > most ? most : s.n_cores;
			s.n_queues = s.n_cores;
			rc = visit_sizes(&s, visit, arg);
		}
	}
	return rc;
}

static int print_point(void *unused, const struct bench_stream *s)
{
	char text[PATH_BYTES];

	(void)unused;
	print_path(text, sizeof(text), s);
	puts(text);
	return 0;
}

static void read_cpus(cpu_set_t *cpus)
{
	CPU_ZERO(cpus);
	sched_getaffinity(0, sizeof(*cpus), cpus);
}

static void list_points(void)
{
	cpu_set_t cpus;

	read_cpus(&cpus);
	visit_points(&cpus, print_point, NULL);
}

/* ---- one point ----------------------------------------------------------------------------- */

static void open_testbeds(struct measurement *m, const struct bench_stream *s)
{
	m->n_testbeds = m->run->n_ports ? m->run->n_ports : BENCH_N_RIVALS;
	for (unsigned int i = 0; i < m->n_testbeds; i++) {
		struct bench_testbed *r = &m->testbed[i];

		if (m->run->n_ports)
			bench_testbed_open_port(r, &m->lab, m->run->port[i], s);
		else
			bench_testbed_open(r, &m->lab, (enum bench_rival)i, s, m->crew.other);
		if (!r->missing[0])
			bench_testbed_begin(r);
	}
	m->engine = m->lab.emu ? bench_crew_place_engine(&m->crew) : 0;
}

static double count_rate(const struct bench_count *c)
{
	return c->seconds > 0 ? (double)c->window / c->seconds / 1e6 : 0;
}

/* Adds a window to all series of a testbed. Returns its packets per second of all queues. */
static double add_window(struct measurement *m, unsigned int i)
{
	const struct bench_stream *p = &m->testbed[i].stream;
	double all = 0, core[BENCH_MAX_CORES] = { 0 };
	struct series *s = &m->series[i];

	for (unsigned int q = 0; q < p->n_queues; q++) {
		const double rate = count_rate(&m->testbed[i].count[q]);

		bench_samples_add(&s->queue[q], rate);
		core[q % p->n_cores] += rate;
		all += rate;
	}
	for (unsigned int c = 0; c < p->n_cores; c++)
		bench_samples_add(&s->core[c], core[c]);
	bench_samples_add(&s->all, all);
	return all;
}

/* Measures one window of each driver. */
static void measure_round(struct measurement *m)
{
	double rate[MAX_TESTBEDS] = { 0 };

	for (unsigned int i = 0; i < m->n_testbeds && !*m->run->stopped; i++) {
		struct bench_testbed *r = &m->testbed[i];

		if (r->missing[0])
			continue;
		if (bench_testbed_run(r, &m->crew, LEAD_NS, WINDOW_NS, m->engine))
			rate[i] = add_window(m, i);
		else
			bench_samples_reject(&m->series[i].all);
	}
	for (unsigned int i = 0; !m->run->n_ports && i < m->n_testbeds; i++)
		if (i != BENCH_RIVAL_MLX5 && rate[i] > 0 && rate[BENCH_RIVAL_MLX5] > 0)
			bench_samples_add(&m->series[i].ratio, rate[i] / rate[BENCH_RIVAL_MLX5]);
}

static bool wants_more(struct measurement *m)
{
	bool more = false;

	for (unsigned int i = 0; i < m->n_testbeds; i++)
		if (!m->testbed[i].missing[0])
			more |= bench_samples_want(&m->series[i].all);
	return more;
}

static int begin_series(struct measurement *m)
{
	struct bench_samples *all = (struct bench_samples *)m->series;
	int rc = 0;

	memset(m->series, 0, sizeof(m->series));
	for (size_t i = 0; !rc && i < m->n_testbeds * PER_SERIES; i++)
		rc = bench_samples_begin(&all[i], m->run);
	return rc;
}

/* Packets that do not add up are a bug of a driver, of emu, or of this program. */
static void settle_testbed(struct measurement *m, struct bench_testbed *r, const char *path)
{
	if (r->missing[0] || !bench_testbed_settle(r))
		return;
	end_progress_line();
	m->status = report_error(BENCH_WORSE, "%s %s: %s", path, r->driver, r->missing);
}

static int add_row(struct measurement *m, unsigned int i)
{
	struct bench_testbed *r = &m->testbed[i];
	const struct bench_stream *p = &r->stream;
	struct series *s = &m->series[i];
	struct bench_row row = { .case_name = case_names[p->work] };

	snprintf(row.driver, sizeof(row.driver), "%s", r->driver);
	snprintf(row.missing, sizeof(row.missing), "%s", r->missing);
	snprintf(row.function, sizeof(row.function), "%s",
		 p->work == BENCH_SEND ? r->port.tx_function : r->port.rx_function);
	bench_row_key(&row, "size", "%u", p->bytes);
	bench_row_key(&row, "queues", "%u", p->n_queues);
	bench_row_key(&row, "cores", "%u", p->n_cores);
	bench_row_key(&row, "device", "%s", r->device);
	if (!row.missing[0] && !s->all.n && *m->run->stopped)
		snprintf(row.missing, sizeof(row.missing), "a signal ended the run");
	else if (!row.missing[0] && !s->all.n)
		snprintf(row.missing, sizeof(row.missing),
			 "threads waited for a CPU in %u of %u windows", s->all.n_rejected,
			 s->all.n_rejected + s->all.n_warm_up);
	bench_samples_finish(&s->all, &row, "mpps", "Mpps");
	bench_samples_finish(&s->ratio, &row, "ratio_to_net_mlx5", "x");
	if (!row.missing[0])
		bench_row_exact(&row, "lost", "packets", (double)r->lost);
	for (unsigned int c = 0; c < p->n_cores && p->n_cores > 1; c++)
		bench_samples_finish(&s->core[c], &row, core_names[c], "Mpps");
	for (unsigned int q = 0; q < p->n_queues && p->n_queues > 1; q++)
		bench_samples_finish(&s->queue[q], &row, queue_names[q], "Mpps");
	if (row.missing[0])
		row.n_values = 0;
	return bench_table_add(m->run->table, &row);
}

static void free_series(struct measurement *m)
{
	struct bench_samples *all = (struct bench_samples *)m->series;
	struct bench_row nowhere = { .n_values = BENCH_MAX_VALUES };

	for (size_t i = 0; i < MAX_TESTBEDS * PER_SERIES; i++)
		bench_samples_finish(&all[i], &nowhere, "", "");
}

static int start_crew(struct measurement *m, unsigned int n_cores)
{
	int rc;

	if (m->crew.n_cores == n_cores)
		return 0;
	bench_crew_stop(&m->crew);
	rc = bench_crew_start(&m->crew, &m->lab, n_cores);
	if (rc)
		m->status =
			report_error(BENCH_ENVIRONMENT, "throughput: cannot start %u threads: %s",
				     n_cores + 1, strerror(-rc));
	return rc;
}

static int measure_point(void *arg, const struct bench_stream *s)
{
	struct measurement *m = arg;
	char path[PATH_BYTES];
	int rc;

	print_path(path, sizeof(path), s);
	if (*m->run->stopped || !bench_wants(m->run, path))
		return 0;
	bench_progress(m->run, "%s", path);
	rc = start_crew(m, s->n_cores);
	if (rc)
		return rc;
	open_testbeds(m, s);
	rc = begin_series(m);
	while (!rc && wants_more(m))
		measure_round(m);
	for (unsigned int i = 0; i < m->n_testbeds; i++) {
		settle_testbed(m, &m->testbed[i], path);
		if (!rc)
			rc = add_row(m, i);
	}
	for (unsigned int i = 0; i < m->n_testbeds; i++)
		bench_testbed_close(&m->testbed[i]);
	free_series(m);
	return rc;
}

/* ---- the case ------------------------------------------------------------------------------ */

static int run_throughput(struct bench_run *run)
{
	static struct measurement m;
	cpu_set_t cpus;
	char why[256];
	int rc;

	if (run->short_form)
		return BENCH_DONE; /* CI judges no rate */
	if (!run->quiet)
		fputs("throughput: rates of emu, net_memif and net_null measure software on this "
		      "machine, not an adapter\n",
		      stderr);
	read_cpus(&cpus);
	m.run = run;
	run->memory_mib = 64 + 32 * (bench_crew_count_cores(&cpus) + 4);
	if (bench_lab_open(&m.lab, run, why, sizeof(why)))
		return report_error(BENCH_ENVIRONMENT, "%s", why);
	if (!m.lab.emu && !run->n_ports)
		return report_error(BENCH_ENVIRONMENT,
				    "throughput: needs emu, or an adapter with --port DEVICE");
	rc = visit_points(&m.lab.cpus, measure_point, &m);
	bench_crew_stop(&m.crew);
	return rc && !m.status ? BENCH_ENVIRONMENT : m.status;
}

/* ---- the adapter --------------------------------------------------------------------------- */

static char wire[2 * N_SIZES][96];

static int write_u32s(FILE *f, const uint32_t *words, size_t n)
{
	return fwrite(words, sizeof(*words), n, f) == n ? 0 : -EIO;
}

/* Writes a capture (pcap-savefile(5)) of numbered frames. */
static int write_capture(FILE *f, uint16_t bytes)
{
	static const uint32_t header[] = { 0xa1b2c3d4, 2 | 4 << 16, 0, 0, UINT16_MAX, 1 };
	const struct bench_frame frame = { .bytes = bytes };
	uint8_t data[BENCH_MAX_FRAME];
	int rc = write_u32s(f, header, RTE_DIM(header));

	for (uint32_t i = 0; !rc && i < BENCH_CAPTURED; i++) {
		const uint32_t record[] = { 0, 0, bytes, bytes };

		bench_frame_write_sent(&frame, i, data);
		rc = write_u32s(f, record, RTE_DIM(record));
		if (!rc && fwrite(data, bytes, 1, f) != 1)
			rc = -EIO;
	}
	return rc;
}

/* Makes the captures in memory. devx-emu and its program inherit the descriptors. */
static int prepare_captures(void)
{
	for (unsigned int i = 0; i < N_SIZES; i++) {
		const int fd = memfd_create("capture", 0);
		FILE *f = fd < 0 ? NULL : fdopen(dup(fd), "w");
		int rc = f ? write_capture(f, sizes[i]) : -errno;

		if (f && fclose(f) && !rc)
			rc = -errno;
		if (rc)
			return report_error(BENCH_ENVIRONMENT, "capture in memory: %s",
					    strerror(-rc));
		for (unsigned int k = 2 * i; k < 2 * i + 2; k++)
			snprintf(wire[k], sizeof(wire[k]),
				 "%u=pcap:in=/proc/self/fd/%d,loop=4294967295,pause=on", 4 + k, fd);
	}
	return 0;
}

/* Ports in the order of harness/testbed_open.c. */
static const char *const wires[] = {
	"--ports", "8",      "--mtu",  "1500",   "--wire", "loop",   "--wire",
	"2=sink",  "--wire", "3=sink", "--wire", wire[0],  "--wire", wire[1],
	"--wire",  wire[2],  "--wire", wire[3],  NULL,
};

const struct bench_case bench_throughput = {
	.name = "throughput",
	.help = "packets per second of each core and queue, while emu's engine works",
	.emu = wires,
	.prepare = prepare_captures,
	.list = list_points,
	.run = run_throughput,
};
