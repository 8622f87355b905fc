/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_LIFE_H
#define BENCH_LIFE_H

#include <rte_mempool.h>

#include "harness/port.h"

/**
 * DOC: Life of a port, from probe to close
 *
 *	probe -> configure, with the setup of all queues -> start -> stop -> close
 *
 * No packet moves. Emu's counters show the cost of each stage; on an adapter, only its time is
 * known.
 */

/** enum bench_stage - what an application does with a port, in this order */
enum bench_stage {
	BENCH_PROBE,
	BENCH_CONFIGURE,
	BENCH_START,
	BENCH_STOP,
	BENCH_CLOSE,
	BENCH_N_STAGES,
};

enum { BENCH_LIFE_RING = 256 /* descriptors of each queue */ };

/**
 * struct bench_cost - cost of one stage
 * @ns: time
 * @commands: firmware commands of the port and of the emulated kernel; 0 on an adapter
 * @ioctls: uverbs ioctls of the process; 0 on an adapter
 */
struct bench_cost {
	uint64_t ns, commands, ioctls;
};

/**
 * struct bench_life - one life of a port
 * @driver: the device; .emu_port -1: no counters
 * @pool: buffers of all Rx queues
 * @n_rx, @n_tx: number of queues, at least 1
 * @cost: result of each stage
 * @eal_bytes: result: bytes that configure and start took from EAL's heaps, without mbufs
 * @name: result: name of the PMD, as ethdev reports it
 */
struct bench_life {
	const struct bench_lab *lab;
	const struct bench_driver *driver;
	struct rte_mempool *pool;
	uint16_t n_rx, n_tx;
	struct bench_cost cost[BENCH_N_STAGES];
	int64_t eal_bytes;
	char name[32];
};

/**
 * bench_life_run - run all stages of a port once
 * @life: the input members are filled
 * @why: receives one clause on failure: call, error, and the driver's first error in the log
 * @why_bytes: size of @why
 *
 * Return: 0, or -errno of the call that @why names; the device is removed in both cases
 */
int bench_life_run(struct bench_life *life, char *why, size_t why_bytes);

/** bench_life_make_pool - make buffers for @n_queues Rx queues. Return: pool, or NULL */
struct rte_mempool *bench_life_make_pool(uint16_t n_queues);

/**
 * struct bench_outside - memory that does not belong to EAL
 * @addr: begins and ends with an inaccessible page, so that no other memory is adjacent
 * @bytes: length of @addr
 */
struct bench_outside {
	void *addr;
	size_t bytes;
};

/** bench_outside_map - map @mib MiB of memory between both pages. Return: 0 or -ENOMEM */
int bench_outside_map(struct bench_outside *memory, unsigned int mib);

/** bench_outside_unmap - unmap @memory, which may be zeroed */
void bench_outside_unmap(struct bench_outside *memory);

/**
 * bench_life_make_outside_pool - make a pool of large buffers in memory that EAL does not own
 * @name: name of the pool
 * @memory: its chunks, which the caller still owns
 * @n: number of chunks
 *
 * Return: pool, or NULL if EAL has no memory for it
 */
struct rte_mempool *
bench_life_make_outside_pool(const char *name, const struct bench_outside *memory, unsigned int n);

#endif
