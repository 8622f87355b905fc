/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_ENGINE_H
#define BENCH_ENGINE_H

#include "harness/port.h"

/**
 * DOC: The work of the device between two bursts
 *
 *     driver posts packets -> bench_engine_run(): emu executes them -> driver reads completions
 *
 * The cost of a completion depends on the cache that it is in. An adapter writes it into the cache
 * of the processor, or into memory; emu's thread writes it into the cache of its own core.
 */

/** enum bench_cache - where the CQEs are when a burst reads them */
enum bench_cache {
	BENCH_HOT,     /* in the cache of the measuring core, which stepped emu itself */
	BENCH_KEPT,    /* the same, but emu works after BENCH_KEPT_PACKETS, not after each call */
	BENCH_REMOTE,  /* in the cache of another core, which stepped emu */
	BENCH_FLUSHED, /* in memory */
	BENCH_N_CACHES,
};
extern const char *const bench_cache_names[BENCH_N_CACHES];

/** bench_engine_lacks - get the reason why @cache cannot be set up, one clause; NULL: it can */
const char *bench_engine_lacks(const struct bench_lab *lab, enum bench_cache cache);

/**
 * bench_engine_run - make the device work until nothing moves; its own engine is paused
 *
 * Return: number of packets moved; 0 for a port without emu
 */
unsigned int bench_engine_run(const struct bench_port *port, enum bench_cache cache);

/** bench_engine_stop_helper - end the thread that BENCH_REMOTE started, if any */
void bench_engine_stop_helper(void);

#endif
