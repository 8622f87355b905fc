/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/published.h"

/* Fitted Mpps: ConnectX-5 on one port; ConnectX-6 Dx sending inline, and with pointers. */
#define CX5_ENGINE 137.0
#define CX6_ENGINE 145.9
#define CX6_READS 68.9

#define JTOLLET "github.com/jtollet/vpp-mlx5-benchmark-results"
#define XDP "mailing list xdp-newbies, 2023-04-13"
#define NVIDIA "NVIDIA DPDK 25.03 performance report"

/* clang-format off */
const struct bench_published bench_published[] = {
	{ "ConnectX-5, one port", "Mellanox community DOC-1502",
	  BENCH_RECEIVE_COMPRESSED, 137, 3, 100, CX5_ENGINE, 0, true },
	{ "ConnectX-6 Dx, DPDK sends inline", JTOLLET,
	  BENCH_SEND_INLINE, 145.9, 4, 100, CX6_ENGINE, CX6_READS, true },
	{ "ConnectX-6 Dx, DPDK sends pointers", JTOLLET,
	  BENCH_SEND_POINTERS, 68.9, 4, 100, CX6_ENGINE, CX6_READS, true },
	{ "ConnectX-5, VPP forwards pointers, 4 cores", JTOLLET,
	  BENCH_FORWARD_POINTERS, 60.6, 3, 100, CX5_ENGINE, 0, false },
	{ "ConnectX-6 Dx, VPP forwards pointers", JTOLLET,
	  BENCH_FORWARD_POINTERS, 53.2, 4, 100, CX6_ENGINE, CX6_READS, false },
	{ "ConnectX-6 Dx, VPP forwards inline, 5 cores", JTOLLET,
	  BENCH_FORWARD_INLINE, 124.6, 4, 100, CX6_ENGINE, CX6_READS, false },
	{ "ConnectX-6 Dx, l3fwd, 12 cores", NVIDIA,
	  BENCH_FORWARD_INLINE, 148.8, 4, 100, CX6_ENGINE, CX6_READS, false },
	{ "XDP, Gen3 slot, plain CQEs", XDP,
	  BENCH_RECEIVE, 86, 3, 100, CX5_ENGINE, 0, false },
	{ "XDP, Gen3 slot, compressed CQEs", XDP,
	  BENCH_RECEIVE_COMPRESSED, 108, 3, 100, CX5_ENGINE, 0, false },
	{ "ConnectX-7, one port of 200 Gb/s", "NVIDIA performance report and TRex",
	  BENCH_FORWARD_INLINE, 274, 5, 200, 0, 0, false },
	{ "ConnectX-8, one slot", NVIDIA,
	  BENCH_FORWARD_INLINE, 299.6, 5, 400, 0, 0, false },
};
/* clang-format on */
const unsigned bench_n_published = sizeof(bench_published) / sizeof(bench_published[0]);

/* A frame of 60 bytes; a received one is written as a whole line of 64 bytes. */
enum { SENT = 60, RECEIVED = 64 };

static struct bench_pcie_load get_receive_load(double cqe_bytes, double cqe_writes)
{
	return bench_pcie_load_of(&(struct bench_pcie_use){
		.data_writes = { 1, RECEIVED },
		.cqes = { cqe_writes, cqe_bytes },
	});
}

/* A multi-packet WQE of 32 pointers: 34 segments of 16 bytes. */
static struct bench_pcie_load get_pointer_load(void)
{
	return bench_pcie_load_of(&(struct bench_pcie_use){
		.send_wqes = { 1 / 32.0, 34 * 16 / 32.0 },
		.data = { 1, SENT },
	});
}

/* A multi-packet WQE of 14 frames: 15 WQEBBs of 64 bytes. */
static struct bench_pcie_load get_inline_load(void)
{
	return bench_pcie_load_of(&(struct bench_pcie_use){
		.send_wqes = { 1 / 14.0, 15 * 64 / 14.0 },
	});
}

struct bench_pcie_load bench_published_load(enum bench_traffic traffic)
{
	const struct bench_pcie_load plain = get_receive_load(64, 1);
	/* a mini CQE of 8 bytes, and its share of the title CQE and of the headers: 12 bytes */
	const struct bench_pcie_load compressed = get_receive_load(12, 0);

	switch (traffic) {
	case BENCH_RECEIVE:
		return plain;
	case BENCH_RECEIVE_COMPRESSED:
		return compressed;
	case BENCH_SEND_POINTERS:
		return get_pointer_load();
	case BENCH_SEND_INLINE:
		return get_inline_load();
	case BENCH_FORWARD_POINTERS:
		return bench_pcie_add(compressed, get_pointer_load());
	case BENCH_FORWARD_INLINE:
		return bench_pcie_add(compressed, get_inline_load());
	}
	return (struct bench_pcie_load){ 0, 0 };
}

static void lower_limit(struct bench_limit *limit, const char *name, double mpps)
{
	if (mpps > 0 && mpps < limit->mpps)
		*limit = (struct bench_limit){ name, mpps };
}

struct bench_limit bench_published_predict(const struct bench_published *row)
{
	const bool reads =
		row->traffic == BENCH_SEND_POINTERS || row->traffic == BENCH_FORWARD_POINTERS;
	struct bench_limit limit = bench_limit_first(bench_published_load(row->traffic), row->gen,
						     row->gbit_per_s, SENT);

	lower_limit(&limit, "packet engine", row->engine_mpps);
	if (reads)
		lower_limit(&limit, "data reads", row->reads_mpps);
	return limit;
}
