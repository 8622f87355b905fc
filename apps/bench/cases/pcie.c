/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Account of PCIe: emu counts the transfers of a window of bursts; the model (model/pcie.h) turns
 * them into bytes per packet, and into the packet rates that links allow. Published rates are
 * compared with the model's predictions.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/exit.h"
#include "base/run.h"
#include "cli/messages.h"
#include "harness/point.h"
#include "model/published.h"

#define WHY_EMU "only emu counts the transfers of an adapter"
#define PUBLISHED "pcie/published"

enum {
	PATH_BYTES = 96,
	BURST = 64,
	N_WARM_UP = 4,
	N_WINDOWS = 64,
	RECORD_BYTES = 4,
	CQE_BYTES = 64
};

static const char *const paths[] = { "rx", "rx_compressed", "rx_striding",
				     "tx", "tx_inline",     "tx_ring" };
static const char *const use_cases[] = { "pcie/rx", "pcie/rx_compressed", "pcie/rx_striding",
					 "pcie/tx", "pcie/tx_inline",     "pcie/tx_ring" };
static const uint16_t sizes[] = { 60, 1514 };
static const unsigned lines[] = { 100, 200, 400, 800 };
static const unsigned gens[] = { 3, 4, 5 };

static const struct bench_path *find_path(const char *name)
{
	for (unsigned i = 0; i < bench_n_paths; i++)
		if (!strcmp(bench_paths[i].name, name))
			return &bench_paths[i];
	return NULL;
}

static void print_point(char *text, size_t bytes, unsigned p, uint16_t size)
{
	snprintf(text, bytes, "%s/size=%u/burst=%u", use_cases[p], size, BURST);
}

static void list_points(void)
{
	char text[PATH_BYTES];

	for (unsigned p = 0; p < RTE_DIM(paths); p++)
		for (unsigned i = 0; i < RTE_DIM(sizes); i++) {
			print_point(text, sizeof(text), p, sizes[i]);
			puts(text);
		}
	puts(PUBLISHED);
}

/* ---- one window -------------------------------------------------------------------------- */

static uint64_t count_received(const struct devx_emu_counters *c)
{
	return c->rx_uc_packets + c->rx_mc_packets + c->rx_bc_packets;
}

/*
 * Separates the transfers of one direction from those of the other, as a loop counts both. Each
 * received packet has one CQE; all other CQEs belong to sending. Each doorbell makes the adapter
 * read one doorbell record; all other records belong to receiving.
 */
static struct bench_pcie_use divide_counters(enum bench_direction direction,
					     const struct devx_emu_counters *a,
					     const struct devx_emu_counters *b, double n)
{
	const double received = (double)(count_received(b) - count_received(a));
	const double cqes = (double)(b->cqe_writes - a->cqe_writes);
	const double doorbells = (double)(b->sq_doorbells - a->sq_doorbells);
	const double records = (double)(b->record_reads - a->record_reads) - doorbells;
	struct bench_pcie_use use = { 0 };

#define PER_PACKET(name) ((double)(b->name - a->name) / n)
	if (direction == BENCH_TX || direction == BENCH_RING_TX) {
		use.doorbells = doorbells / n;
		use.blueflames = PER_PACKET(blueflames);
		use.records =
			(struct bench_pcie_reads){ doorbells / n, RECORD_BYTES * doorbells / n };
		use.send_wqes = (struct bench_pcie_reads){ PER_PACKET(send_wqe_reads),
							   PER_PACKET(send_wqe_bytes) };
		use.data = (struct bench_pcie_reads){ PER_PACKET(data_reads),
						      PER_PACKET(data_read_bytes) };
		use.cqes = (struct bench_pcie_reads){ (cqes - received) / n,
						      CQE_BYTES * (cqes - received) / n };
		return use;
	}
	use.records = (struct bench_pcie_reads){ records / n, RECORD_BYTES * records / n };
	use.receive_wqes = (struct bench_pcie_reads){ PER_PACKET(receive_wqe_reads),
						      PER_PACKET(receive_wqe_bytes) };
	use.data_writes =
		(struct bench_pcie_reads){ PER_PACKET(data_writes), PER_PACKET(data_write_bytes) };
	use.cqes = (struct bench_pcie_reads){ received / n, CQE_BYTES * received / n };
#undef PER_PACKET
	return use;
}

/*
 * Runs windows until the state of the rings repeats. Then runs many between two readings of the
 * counters, because the device may read the WQEs of a whole receive ring at once.
 */
static int count_window(const struct bench_pair *pair, unsigned driver, struct bench_pcie_use *use)
{
	const struct bench_port *port = &pair->port[driver];
	const unsigned emu_port = (unsigned)port->driver->emu_port;
	const enum bench_direction direction = pair->path->direction;
	struct devx_emu_counters before, after;
	struct bench_window w;
	double n = 0;
	int rc = 0;

	for (int i = 0; !rc && i < N_WARM_UP; i++)
		rc = bench_window_run(port, direction, BURST, BENCH_HOT, BENCH_TSC, &w);
	if (!rc)
		rc = pair->lab->emu->counters(emu_port, &before, sizeof(before));
	for (int i = 0; !rc && i < N_WINDOWS; i++) {
		rc = bench_window_run(port, direction, BURST, BENCH_HOT, BENCH_TSC, &w);
		n += w.n_packets;
	}
	if (!rc)
		rc = pair->lab->emu->counters(emu_port, &after, sizeof(after));
	if (!rc)
		*use = divide_counters(direction, &before, &after, n);
	return rc;
}

/* ---- rows -------------------------------------------------------------------------------- */

static void add_values(struct bench_row *row, const struct bench_pcie_use *use,
		       struct bench_pcie_load load)
{
	const double wqe_bytes = use->send_wqes.bytes + use->receive_wqes.bytes;

	bench_row_exact(row, "doorbells_per_packet", "doorbells/packet",
			use->doorbells + use->blueflames);
	bench_row_exact(row, "uar_bytes_per_packet", "bytes/packet",
			8 * use->doorbells + 64 * use->blueflames);
	bench_row_exact(row, "wqe_reads_per_packet", "reads/packet",
			use->send_wqes.requests + use->receive_wqes.requests);
	bench_row_exact(row, "wqe_bytes_per_packet", "bytes/packet", wqe_bytes);
	bench_row_exact(row, "data_reads_per_packet", "reads/packet", use->data.requests);
	bench_row_exact(row, "data_read_bytes_per_packet", "bytes/packet", use->data.bytes);
	bench_row_exact(row, "data_write_bytes_per_packet", "bytes/packet", use->data_writes.bytes);
	bench_row_exact(row, "cqe_writes_per_packet", "writes/packet", use->cqes.requests);
	bench_row_exact(row, "fetch_bytes_per_packet", "bytes/packet", bench_pcie_fetch_bytes(use));
	bench_row_exact(row, "pcie_up_bytes_per_packet", "bytes/packet", load.up);
	bench_row_exact(row, "pcie_down_bytes_per_packet", "bytes/packet", load.down);
	bench_row_exact(row, "pcie_bytes_per_packet", "bytes/packet",
			load.up > load.down ? load.up : load.down);
	bench_row_exact(row, "predicted_gen3_mpps", "Mpps", bench_pcie_mpps(load, 3));
	bench_row_exact(row, "predicted_gen4_mpps", "Mpps", bench_pcie_mpps(load, 4));
	bench_row_exact(row, "predicted_gen5_mpps", "Mpps", bench_pcie_mpps(load, 5));
}

/* Adds a row per line rate: for each generation of PCIe, the first limit and its predicted rate. */
static int add_limits(struct bench_run *run, const struct bench_row *like,
		      struct bench_pcie_load load, uint16_t size)
{
	static const char *const keys[] = { "gen3", "gen4", "gen5" };
	static const char *const metrics[] = { "predicted_gen3_mpps", "predicted_gen4_mpps",
					       "predicted_gen5_mpps" };
	int rc = 0;

	for (unsigned l = 0; !rc && l < RTE_DIM(lines); l++) {
		struct bench_row row = { .case_name = "pcie/limits" };

		memcpy(row.driver, like->driver, sizeof(row.driver));
		memcpy(row.function, like->function, sizeof(row.function));
		bench_row_key(&row, "path", "%s", like->case_name + strlen("pcie/"));
		bench_row_key(&row, "size", "%u", size);
		bench_row_key(&row, "line", "%u Gb/s", lines[l]);
		for (unsigned g = 0; g < RTE_DIM(gens); g++) {
			const struct bench_limit limit =
				bench_limit_first(load, gens[g], lines[l], size);

			bench_row_key(&row, keys[g], "%s", limit.name);
			bench_row_exact(&row, metrics[g], "Mpps", limit.mpps);
		}
		rc = bench_table_add(run->table, &row);
	}
	return rc;
}

static int count_driver(struct bench_run *run, const struct bench_pair *pair, unsigned driver,
			unsigned p, uint16_t size)
{
	struct bench_pcie_load load = { 0, 0 };
	struct bench_pcie_use use;
	struct bench_row row;
	int rc;

	bench_pair_begin_row(pair, driver, &row);
	row.case_name = use_cases[p];
	bench_row_key(&row, "size", "%u", size);
	bench_row_key(&row, "burst", "%u", BURST);
	if (!row.missing[0] && count_window(pair, driver, &use))
		snprintf(row.missing, sizeof(row.missing), "bursts of %u move no packets", BURST);
	if (!row.missing[0]) {
		load = bench_pcie_load_of(&use);
		add_values(&row, &use, load);
	}
	rc = bench_table_add(run->table, &row);
	return rc || row.missing[0] ? rc : add_limits(run, &row, load, size);
}

static int count_path(struct bench_run *run, const struct bench_lab *lab, unsigned p)
{
	struct bench_pair pair;
	char text[PATH_BYTES];
	bool open = false;
	int rc = 0;

	for (unsigned i = 0; !rc && !*run->stopped && i < RTE_DIM(sizes); i++) {
		print_point(text, sizeof(text), p, sizes[i]);
		if (!bench_wants(run, text))
			continue;
		if (!open)
			bench_pair_open(&pair, lab, find_path(paths[p]), 0);
		open = true;
		bench_pair_set_size(&pair, sizes[i]);
		bench_progress(run, "%s", text);
		for (unsigned d = 0; !rc && d < BENCH_N_DRIVERS; d++)
			rc = count_driver(run, &pair, d, p, sizes[i]);
	}
	if (open)
		bench_pair_close(&pair);
	return rc;
}

/* ---- published rates ----------------------------------------------------------------------- */

static int add_published(struct bench_run *run)
{
	int rc = 0;

	for (unsigned i = 0; !rc && i < bench_n_published; i++) {
		const struct bench_published *p = &bench_published[i];
		const struct bench_limit limit = bench_published_predict(p);
		struct bench_row row = { .case_name = PUBLISHED };

		snprintf(row.driver, sizeof(row.driver), "adapter");
		snprintf(row.function, sizeof(row.function), "%s", p->what);
		bench_row_key(&row, "model", "%s", p->fitted ? "fitted" : "predicted");
		bench_row_key(&row, "limit", "%s", limit.name);
		bench_row_exact(&row, "published_mpps", "Mpps", p->mpps);
		bench_row_exact(&row, p->fitted ? "fitted_mpps" : "predicted_mpps", "Mpps",
				limit.mpps);
		bench_row_exact(&row, "error_percent", "%", 100 * (limit.mpps / p->mpps - 1));
		rc = bench_table_add(run->table, &row);
	}
	return rc;
}

/* ---- the case ------------------------------------------------------------------------------- */

static int count_paths(struct bench_run *run)
{
	struct bench_lab lab;
	char why[256];
	int rc = 0;

	if (bench_lab_open(&lab, run, why, sizeof(why)))
		return report_error(BENCH_ENVIRONMENT, "%s", why);
	if (!lab.emu)
		return report_error(BENCH_ENVIRONMENT, "pcie: needs emu: " WHY_EMU);
	for (unsigned p = 0; !rc && p < RTE_DIM(paths); p++)
		rc = count_path(run, &lab, p);
	return rc ? BENCH_ENVIRONMENT : BENCH_DONE;
}

static int run_pcie(struct bench_run *run)
{
	const int rc = count_paths(run);

	if (!rc && !*run->stopped && bench_wants(run, PUBLISHED) && add_published(run))
		return BENCH_ENVIRONMENT;
	return rc;
}

static const char *const two_ports[] = { "--ports", "2", "--wire", "loop", NULL };

const struct bench_case bench_pcie = {
	.name = "pcie",
	.help = "transfers over PCIe per packet, and the packet rates that links allow",
	.needs_emu = WHY_EMU,
	.emu = two_ports,
	.list = list_points,
	.run = run_pcie,
};
