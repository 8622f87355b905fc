/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_TESTBED_H
#define BENCH_TESTBED_H

#include <rte_ethdev.h>

#include "harness/crew.h"

/**
 * DOC: A port, and the source and the destination of its packets
 *
 *                  forward                   send          receive
 *     emu          wire "loop"               wire "sink"   wire "pcap", which repeats a capture
 *     net_memif    a peer that forwards      a peer that   a peer that sends
 *                                            receives
 *     net_null     the driver makes packets without contents, and frees those that it sends
 *     --port       a loop, or a peer that    anything      a peer that sends
 *                  returns every frame
 */

/** enum bench_rival - the drivers that a run on emu compares */
enum bench_rival { BENCH_RIVAL_MLX5, BENCH_RIVAL_DEVX, BENCH_RIVAL_MEMIF, BENCH_RIVAL_NULL };
enum { BENCH_N_RIVALS = 4, BENCH_CAPTURED = 256 /* frames of the capture, numbered from 0 */ };

/** struct bench_stream - how packets move at a point */
struct bench_stream {
	enum bench_work work;
	uint16_t bytes, n_queues, n_cores;
};

/**
 * struct bench_testbed - an open port with its peer
 * @driver: name of the PMD
 * @device: "emu", "memory", or "port" for a device of --port
 * @missing: the reason why it cannot be measured; "" if it is open
 * @count: counts of the queues of @port, which the threads of a crew write
 * @lost: packets that were lost for a known reason, after bench_testbed_settle()
 */
struct bench_testbed {
	const struct bench_lab *lab;
	struct bench_stream stream;
	char driver[32];
	const char *device;
	char missing[160];
	int emu_port; /* -1: not on emu, or unknown */
	struct bench_driver of_port;
	char of_device[64]; /* name of a device of --port */
	struct bench_port port, peer;
	struct bench_count count[BENCH_MAX_QUEUES], peer_count[BENCH_MAX_QUEUES];
	struct rte_eth_stats stats;     /* counters of @port when the point began */
	struct devx_emu_counters wires; /* counters of @emu_port when the point began */
	uint64_t lost;
};

/** bench_testbed_makes_packets - check whether the driver itself makes packets, without contents */
bool bench_testbed_makes_packets(const struct bench_testbed *testbed);

/**
 * bench_testbed_open - open a driver's port and peer, and check the contents of frames
 * @testbed: is filled; on failure, @testbed->missing has the reason
 * @other: CPUs for the other side of the port, 0 or 1
 */
void bench_testbed_open(struct bench_testbed *testbed, const struct bench_lab *lab,
			enum bench_rival rival, const struct bench_stream *stream,
			unsigned int other);

/** bench_testbed_open_port - the same for a device of --port; @device must outlive @testbed */
void bench_testbed_open_port(struct bench_testbed *testbed, const struct bench_lab *lab,
			     const char *device, const struct bench_stream *stream);

/**
 * bench_testbed_begin - zero the counts, and send the first frames of BENCH_FORWARD
 *
 * Return: 0; or -errno with the reason in @testbed->missing
 */
int bench_testbed_begin(struct bench_testbed *testbed);

/**
 * bench_testbed_run - run one window; only this testbed's other side works during it
 * @engine: thread number of emu's engine, or 0
 *
 * Return: as bench_crew_run()
 */
bool bench_testbed_run(struct bench_testbed *testbed, struct bench_crew *crew, uint64_t lead_ns,
		       uint64_t window_ns, int engine);

/**
 * bench_testbed_settle - wait for the packets that are still in flight, and compare all sums
 *
 * Return: 0; or -EIO if they do not add up, with the place in @testbed->missing
 */
int bench_testbed_settle(struct bench_testbed *testbed);

/** bench_testbed_close - close the port unless it is net_memif's; @testbed may be zeroed */
void bench_testbed_close(struct bench_testbed *testbed);

#endif
