/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_PKTGEN_PROGRAMS_H
#define BENCH_PKTGEN_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

/**
 * DOC: devx-pktgen and dpdk-testpmd as child processes
 *
 * Both run unmodified, in ordinary memory, on virtual ports: net_null frees every frame, net_ring
 * returns it. devx-pktgen writes its figures as JSON, testpmd prints them.
 */

enum { PROGRAMS_WHY_BYTES = 160 };

/**
 * struct pktgen_work - what devx-pktgen does
 * @verify: receive and verify the frames, on net_ring; else only send them, on net_null
 * @n_flows: flows of a job file; 0: one flow, of @options
 * @n_packets: packets of each flow; 0: 200 ms
 * @is_paced: @options ask for a rate, and devx-pktgen may fail to reach it
 * @cores: workers; with @verify and 2 cores, one sends and one receives
 * @options: options of the frames, ended by NULL
 */
struct pktgen_work {
	bool verify, is_paced;
	unsigned n_flows, n_packets, cores;
	const char *options[3];
};

/**
 * struct pktgen_figures - what devx-pktgen reported. Cycles include the wait for a CPU
 * @loop: TSC cycles per packet from the first packet to the last, of all workers
 * @make, @send, @verify: TSC cycles per packet of these parts; @verify: 0 if none arrived
 * @rate_error_ppm: how far the rate is from the requested one; 0 if no rate is requested
 * @gap_p99_ns: 99 % of the gaps between packets are shorter; 0 if no rate is requested
 * @peak_kib: peak memory of the process
 */
struct pktgen_figures {
	double loop, make, send, verify, rate_error_ppm, gap_p99_ns;
	long peak_kib;
};

/** pktgen_run - run devx-pktgen once. @why: receives one clause on failure. Return: 0 or -EIO */
int pktgen_run(const struct pktgen_work *work, struct pktgen_figures *figures,
	       char why[PROGRAMS_WHY_BYTES]);

/**
 * testpmd_run - run dpdk-testpmd once on net_null, for 200 ms on one core with frames of 64 bytes
 * @mode: its forward mode: "txonly", "flowgen", "rxonly"
 * @n_flows: flows of flowgen
 * @cycles: receives TSC cycles per packet, waiting for a CPU included
 * @why: receives one clause on failure
 *
 * Return: 0 or -EIO
 */
int testpmd_run(const char *mode, unsigned n_flows, double *cycles, char why[PROGRAMS_WHY_BYTES]);

#endif
