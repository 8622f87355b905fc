/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/pcie.h"

#include <math.h>

/* The part of the raw rate that acknowledgements and flow control leave. */
static const double usable = 0.95;

static double get_write_bytes(struct bench_pcie_reads w)
{
	return w.bytes + w.requests * BENCH_PCIE_WRITE_HEADER;
}

/* Each request has its own completions. Assumes that all requests of a kind are equally long. */
static double get_completion_bytes(struct bench_pcie_reads r)
{
	if (r.requests <= 0)
		return 0;
	return r.bytes + r.requests * ceil(r.bytes / r.requests / BENCH_PCIE_PAYLOAD) *
				 BENCH_PCIE_COMPLETION_HEADER;
}

double bench_pcie_fetch_bytes(const struct bench_pcie_use *use)
{
	return get_completion_bytes(use->send_wqes) + get_completion_bytes(use->receive_wqes) +
	       get_completion_bytes(use->data);
}

struct bench_pcie_load bench_pcie_load_of(const struct bench_pcie_use *use)
{
	const double requests = use->records.requests + use->send_wqes.requests +
				use->receive_wqes.requests + use->data.requests;

	return (struct bench_pcie_load){
		.up = get_write_bytes(use->data_writes) + get_write_bytes(use->cqes) +
		      requests * BENCH_PCIE_REQUEST,
		.down = get_completion_bytes(use->records) + bench_pcie_fetch_bytes(use) +
			use->doorbells * (8 + BENCH_PCIE_WRITE_HEADER) +
			use->blueflames * (64 + BENCH_PCIE_WRITE_HEADER),
	};
}

struct bench_pcie_load bench_pcie_add(struct bench_pcie_load a, struct bench_pcie_load b)
{
	return (struct bench_pcie_load){ a.up + b.up, a.down + b.down };
}

double bench_pcie_mpps(struct bench_pcie_load load, unsigned gen)
{
	const double bytes = fmax(load.up, load.down);

	if (gen < 3 || gen > 5 || !(bytes > 0))
		return 0;
	/* 8 GT/s per lane for Gen3, doubled by each generation; 128 of 130 bits carry data */
	return 8e9 * (1u << (gen - 3)) * 16 / 8 * 128 / 130 * usable / bytes / 1e6;
}

double bench_line_mpps(unsigned gbit_per_s, unsigned frame_bytes)
{
	/* FCS, preamble and the gap between frames */
	return gbit_per_s * 1e9 / 8 / (frame_bytes + 4 + 20) / 1e6;
}

struct bench_limit bench_limit_first(struct bench_pcie_load load, unsigned gen, unsigned gbit_per_s,
				     unsigned frame_bytes)
{
	static const char *const names[] = { "PCIe Gen3 x16", "PCIe Gen4 x16", "PCIe Gen5 x16" };
	const double line = bench_line_mpps(gbit_per_s, frame_bytes);
	const double pcie = bench_pcie_mpps(load, gen);

	if (gen < 3 || gen > 5 || line <= pcie)
		return (struct bench_limit){ "line", line };
	return (struct bench_limit){ names[gen - 3], pcie };
}
