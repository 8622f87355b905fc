/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_MODEL_PCIE_H
#define BENCH_MODEL_PCIE_H

/**
 * DOC: Model of PCIe
 *
 * Arithmetic only: turns transfers per packet into bytes on the link, and bytes into the highest
 * packet rate that a link allows (doc/pcie-model.md). A rate of the model is a prediction.
 *
 *     up      device to host: memory writes, read requests
 *     down    host to device: completions of reads, doorbells
 */

enum {
	BENCH_PCIE_WRITE_HEADER = 24,      /* bytes around the data of a memory write */
	BENCH_PCIE_REQUEST = 24,           /* bytes of a read request, which has no data */
	BENCH_PCIE_COMPLETION_HEADER = 20, /* bytes around the data of a completion */
	BENCH_PCIE_PAYLOAD = 256,          /* limit of data bytes in a write or completion */
};

/** struct bench_pcie_reads - read requests per packet, and the bytes that they return */
struct bench_pcie_reads {
	double requests, bytes;
};

/** struct bench_pcie_use - transfers per packet; fractional, because a doorbell serves a burst */
struct bench_pcie_use {
	double doorbells, blueflames; /* writes of 8 and of 64 bytes by the processor */
	struct bench_pcie_reads records, send_wqes, receive_wqes, data;
	struct bench_pcie_reads data_writes, cqes; /* memory writes */
};

/** struct bench_pcie_load - bytes per packet on each direction of the link, with headers */
struct bench_pcie_load {
	double up, down;
};

struct bench_pcie_load bench_pcie_load_of(const struct bench_pcie_use *use);

/**
 * bench_pcie_fetch_bytes - compute the bytes per packet that carry WQEs and frames to the device
 *
 * Headers are included; doorbells and their records are not. Published models of sending count the
 * same. The result depends on the format of the WQEs and hardly on the burst.
 */
double bench_pcie_fetch_bytes(const struct bench_pcie_use *use);

/** bench_pcie_add - add both loads, for a packet that is received and sent */
struct bench_pcie_load bench_pcie_add(struct bench_pcie_load a, struct bench_pcie_load b);

/** bench_pcie_mpps - compute the highest rate on 16 lanes of @gen (3 to 5), in 10^6 packets/s */
double bench_pcie_mpps(struct bench_pcie_load load, unsigned gen);

/** bench_line_mpps - compute the packet rate of a line; @frame_bytes without FCS, at least 60 */
double bench_line_mpps(unsigned gbit_per_s, unsigned frame_bytes);

struct bench_limit {
	const char *name; /* "line", "PCIe Gen4 x16", "data reads", "packet engine"; a literal */
	double mpps;
};

/** bench_limit_first - find the lower limit: that of the line of @gbit_per_s or of PCIe @gen */
struct bench_limit bench_limit_first(struct bench_pcie_load load, unsigned gen, unsigned gbit_per_s,
				     unsigned frame_bytes);

#endif
