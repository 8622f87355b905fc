/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cost of the control path: a port is probed, configured, started, stopped and closed with 1, 16
 * and 64 queues. Each stage has its firmware commands, ioctls and time. Two more points measure the
 * cost of registering memory, and the memory of a queue.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit.h"
#include "base/run.h"
#include "base/samples.h"
#include "cases/measured_device.h"
#include "cli/messages.h"

#define MEMORY "control/memory"
#define REGISTRATION "control/registration"

enum { PATH_BYTES = 96, SMALL_MIB = 16, CHUNK_MIB = 64, MIB_PER_GIB = 1024, MANY_QUEUES = 17 };

static const uint16_t queues[] = { 1, 16, 64 };
static const char *const case_names[BENCH_N_STAGES] = {
	[BENCH_PROBE] = "control/probe", [BENCH_CONFIGURE] = "control/configure",
	[BENCH_START] = "control/start", [BENCH_STOP] = "control/stop",
	[BENCH_CLOSE] = "control/close",
};

/* State that all points of this case share. */
struct control {
	struct bench_run *run;
	struct bench_lab lab;
	struct measured_device device[MEASURED_MAX_DEVICES];
	unsigned int n_devices;
};

static void print_stage(char *text, unsigned int stage, uint16_t n)
{
	snprintf(text, PATH_BYTES, "%s/queues=%u", case_names[stage], n);
}

static void print_registration(char *text)
{
	snprintf(text, PATH_BYTES, REGISTRATION "/mib=%u", CHUNK_MIB);
}

static void list_points(void)
{
	char text[PATH_BYTES];

	for (unsigned int stage = 0; stage < BENCH_N_STAGES; stage++)
		for (unsigned int i = 0; i < RTE_DIM(queues); i++) {
			print_stage(text, stage, queues[i]);
			puts(text);
		}
	print_registration(text);
	puts(text);
	puts(MEMORY);
}

static int report_no_memory(uint16_t n)
{
	return report_error(
		BENCH_ENVIRONMENT,
		"control: no memory for the mbufs of %u queues; give EAL more memory (-- -m MIB)",
		n);
}

/* ---- stages --------------------------------------------------------------------------------- */

static int begin_all(struct bench_samples *s, unsigned int n, const struct bench_run *run)
{
	int rc = 0;

	memset(s, 0, n * sizeof(*s));
	for (unsigned int i = 0; !rc && i < n; i++)
		rc = bench_samples_begin(&s[i], run);
	return rc;
}

/* Emu powers on in the first life, which therefore has more commands. So two lives are needed. */
static bool want_more(struct bench_samples *s, unsigned int n, unsigned int n_lives)
{
	bool more = n_lives < 2 && !*s->run->stopped;

	for (unsigned int i = 0; i < n; i++)
		more |= bench_samples_want(&s[i]);
	return more;
}

/* Returns whether a signal ended the run before the counts were known. */
static bool was_cut(const struct measured_device *d, unsigned int n_lives)
{
	return !d->missing[0] && n_lives < 2;
}

/* Adds @row with the counts, which only emu has, and the time of samples @s, which it frees. */
static int add_row(struct control *c, struct measured_device *d, struct bench_row *row,
		   const struct bench_cost *cost, struct bench_samples *s, const char *metric,
		   const char *unit)
{
	measured_device_begin_row(d, row);
	if (!row->missing[0] && d->driver.emu_port >= 0) {
		bench_row_exact(row, "commands", "commands", (double)cost->commands);
		bench_row_exact(row, "ioctls", "ioctls", (double)cost->ioctls);
	}
	bench_samples_finish(s, row, metric, unit);
	if (row->missing[0])
		row->n_values = 0;
	return bench_table_add(c->run->table, row);
}

static bool wants_stage(const struct control *c, unsigned int stage, uint16_t n)
{
	char text[PATH_BYTES];

	print_stage(text, stage, n);
	return bench_wants(c->run, text);
}

/* Runs a port through its stages until the time of each stage is known well enough. */
static int measure_lives(struct control *c, struct measured_device *d, struct bench_life *life)
{
	struct bench_samples s[BENCH_N_STAGES];
	unsigned int n = 0;
	int rc = begin_all(s, BENCH_N_STAGES, c->run);

	for (; !rc && !d->missing[0] && want_more(s, BENCH_N_STAGES, n); n++) {
		if (measured_device_run(d, life))
			break;
		for (unsigned int i = 0; i < BENCH_N_STAGES; i++)
			bench_samples_add(&s[i], (double)life->cost[i].ns / 1e3);
	}
	for (unsigned int i = 0; i < BENCH_N_STAGES; i++) {
		struct bench_row row = { .case_name = case_names[i] };

		bench_row_key(&row, "queues", "%u", life->n_rx);
		if (rc || !wants_stage(c, i, life->n_rx) || was_cut(d, n))
			free(s[i].sample);
		else
			rc = add_row(c, d, &row, &life->cost[i], &s[i], "time", "us");
	}
	return rc;
}

static int measure_stages(struct control *c, uint16_t n)
{
	struct rte_mempool *pool;
	bool wanted = false;
	int rc = 0;

	for (unsigned int i = 0; i < BENCH_N_STAGES; i++)
		wanted |= wants_stage(c, i, n);
	if (!wanted || *c->run->stopped)
		return 0;
	pool = bench_life_make_pool(n);
	if (!pool)
		return report_no_memory(n);
	for (unsigned int i = 0; !rc && i < c->n_devices; i++) {
		struct bench_life life = { .lab = &c->lab, .pool = pool, .n_rx = n, .n_tx = n };

		bench_progress(c->run, "control: %s with %u queues", c->device[i].driver.name, n);
		rc = measure_lives(c, &c->device[i], &life);
	}
	rte_mempool_free(pool);
	return rc;
}

/* ---- registration ---------------------------------------------------------------------------- */

/* Adds up configure and start: some drivers register memory in the first, others in both. */
static struct bench_cost add_costs(const struct bench_life *life)
{
	const struct bench_cost *a = &life->cost[BENCH_CONFIGURE], *b = &life->cost[BENCH_START];

	return (struct bench_cost){ a->ns + b->ns, a->commands + b->commands,
				    a->ioctls + b->ioctls };
}

/* net_devx registers every mempool, so no other mempool may exist. */
static int run_with_chunks(struct control *c, struct measured_device *d,
			   const struct bench_outside *memory, unsigned int n,
			   struct bench_cost *cost)
{
	struct bench_life life = { .lab = &c->lab, .n_rx = 1, .n_tx = 1 };
	int rc;

	life.pool = bench_life_make_outside_pool("bench_outside", memory, n);
	if (!life.pool) {
		measured_device_miss(d, "EAL has no memory for the pool");
		return -ENOMEM;
	}
	rc = measured_device_run(d, &life);
	*cost = add_costs(&life);
	rte_mempool_free(life.pool);
	return rc;
}

/*
 * A port starts with a pool of one chunk, then with a pool of two. The difference is the cost of
 * the second chunk.
 */
static int measure_chunk(struct control *c, struct measured_device *d,
			 const struct bench_outside *memory)
{
	struct bench_row row = { .case_name = REGISTRATION };
	struct bench_cost one, two, chunk = { 0 };
	struct bench_samples s;
	unsigned int n = 0;
	int rc = begin_all(&s, 1, c->run);

	for (; !rc && !d->missing[0] && want_more(&s, 1, n); n++) {
		if (run_with_chunks(c, d, memory, 1, &one) ||
		    run_with_chunks(c, d, memory, 2, &two))
			break;
		chunk.commands = two.commands - one.commands;
		chunk.ioctls = two.ioctls - one.ioctls;
		bench_samples_add(&s, ((double)two.ns - (double)one.ns) / 1e6 * MIB_PER_GIB /
					      CHUNK_MIB);
	}
	bench_row_key(&row, "mib", "%u", CHUNK_MIB);
	if (!rc && !was_cut(d, n))
		return add_row(c, d, &row, &chunk, &s, "time_per_gib", "ms");
	free(s.sample);
	return rc;
}

static int measure_registration(struct control *c)
{
	struct bench_outside memory[2] = { { 0 } };
	char text[PATH_BYTES];
	int rc;

	print_registration(text);
	if (!bench_wants(c->run, text) || *c->run->stopped)
		return 0;
	rc = bench_outside_map(&memory[0], SMALL_MIB);
	if (!rc)
		rc = bench_outside_map(&memory[1], CHUNK_MIB);
	if (rc)
		rc = report_error(BENCH_ENVIRONMENT, "control: cannot map %u MiB", CHUNK_MIB);
	for (unsigned int i = 0; !rc && i < c->n_devices; i++) {
		bench_progress(c->run, "%s: %s", text, c->device[i].driver.name);
		rc = measure_chunk(c, &c->device[i], memory);
	}
	bench_outside_unmap(&memory[0]);
	bench_outside_unmap(&memory[1]);
	return rc;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Measures the bytes of EAL's heap that each additional queue of a direction takes. */
static int measure_memory(struct control *c, struct measured_device *d, struct rte_mempool *pool)
{
	static const struct {
		uint16_t n_rx, n_tx;
	} shapes[] = { { 1, 1 }, { MANY_QUEUES, 1 }, { 1, MANY_QUEUES } };
	struct bench_row row = { .case_name = MEMORY };
	int64_t bytes[RTE_DIM(shapes)] = { 0 };

	for (unsigned int i = 0; !d->missing[0] && i < RTE_DIM(shapes); i++) {
		struct bench_life life = {
			.lab = &c->lab, .pool = pool, .n_rx = shapes[i].n_rx, .n_tx = shapes[i].n_tx
		};

		measured_device_run(d, &life);
		bytes[i] = life.eal_bytes;
	}
	bench_row_key(&row, "descriptors", "%u", BENCH_LIFE_RING);
	measured_device_begin_row(d, &row);
	if (!row.missing[0]) {
		bench_row_exact(&row, "rx_queue_bytes", "bytes",
				(double)(bytes[1] - bytes[0]) / (MANY_QUEUES - 1));
		bench_row_exact(&row, "tx_queue_bytes", "bytes",
				(double)(bytes[2] - bytes[0]) / (MANY_QUEUES - 1));
	}
	return bench_table_add(c->run->table, &row);
}

static int measure_memories(struct control *c)
{
	struct rte_mempool *pool;
	int rc = 0;

	if (!bench_wants(c->run, MEMORY) || *c->run->stopped)
		return 0;
	pool = bench_life_make_pool(MANY_QUEUES);
	if (!pool)
		return report_no_memory(MANY_QUEUES);
	for (unsigned int i = 0; !rc && i < c->n_devices; i++)
		rc = measure_memory(c, &c->device[i], pool);
	rte_mempool_free(pool);
	return rc;
}

/* ---- the case -------------------------------------------------------------------------------- */

static int measure_all(struct control *c)
{
	int rc = 0;

	for (unsigned int i = 0; !rc && i < RTE_DIM(queues); i++)
		rc = measure_stages(c, queues[i]);
	if (!rc)
		rc = measure_registration(c);
	return rc ? rc : measure_memories(c);
}

static int run_control(struct bench_run *run)
{
	static struct control c;
	char why[256];

	c.run = run;
	if (bench_lab_open(&c.lab, run, why, sizeof(why)))
		return report_error(BENCH_ENVIRONMENT, "%s", why);
	c.n_devices = measured_devices_find(c.device, &c.lab, run);
	if (!c.lab.emu || run->n_ports)
		report_warning("control: commands and ioctls are left out: only emu counts them");
	return measure_all(&c) ? BENCH_ENVIRONMENT : BENCH_DONE;
}

static const char *const two_ports[] = { "--ports", "2", "--wire", "loop", NULL };

const struct bench_case bench_control = {
	.name = "control",
	.help = "cost of probe, configure, start, stop and close, of registered memory and of "
		"queues",
	.emu = two_ports,
	.list = list_points,
	.run = run_control,
};
