/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_ENGINE_H
#define BENCH_ENGINE_H

#include "harness/port.h"

/**
 * DOC: The device plays its part
 *
 *     driver posts packets -> bench_engine_run(): emu executes them -> driver takes completions
 *
 * The state of the cache decides the cost of a completion. An adapter writes it into the cache of
 * the processor, or into memory; emu's thread writes it into the cache of its own core.
 */

/** enum bench_cache - where the CQEs are when a burst reads them */
enum bench_cache {
	BENCH_HOT,     /* in the cache of the measuring core, which stepped emu itself */
	BENCH_REMOTE,  /* in the cache of another core, which stepped emu */
	BENCH_FLUSHED, /* in memory */
	BENCH_N_CACHES,
};
extern const char *const bench_cache_names[BENCH_N_CACHES];

/** bench_engine_lacks - Return: why this state cannot be made, one clause; NULL = it can */
const char *bench_engine_lacks(const struct bench_lab *lab, enum bench_cache cache);

/**
 * bench_engine_run - let the device work until nothing moves; the engine is paused
 *
 * Return: number of packets moved; 0 for a port without emu
 */
unsigned int bench_engine_run(const struct bench_port *port, enum bench_cache cache);

/** bench_engine_stop_helper - end the thread that BENCH_REMOTE started, if there is one */
void bench_engine_stop_helper(void);

#endif
