/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_GAUGE_H
#define BENCH_GAUGE_H

#include <stdint.h>

#include <rte_cycles.h>
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define BENCH_HAS_CALLGRIND 1
#else
#define BENCH_HAS_CALLGRIND 0
#define CALLGRIND_TOGGLE_COLLECT ((void)0)
#define CALLGRIND_ZERO_STATS ((void)0)
#define CALLGRIND_START_INSTRUMENTATION ((void)0)
#define CALLGRIND_STOP_INSTRUMENTATION ((void)0)
#define CALLGRIND_DUMP_STATS_AT(label) ((void)(label))
#endif

/**
 * DOC: Marks around a burst
 *
 *	t = bench_gauge_begin(gauge);
 *	n = rte_eth_rx_burst(...);
 *	cycles += bench_gauge_end(gauge, t);
 *
 * The fences keep the instructions of the burst inside the marks, and all others outside. The first
 * mark also waits until earlier stores are in the cache. A driver ends with SFENCE, which would
 * wait for those of the harness to 64 mbufs. The marks themselves also take time: measure empty
 * marks and subtract them.
 */

/** enum bench_gauge - what the marks do; a constant at each call, so that no branch is timed */
enum bench_gauge {
	BENCH_TSC,       /* read the time stamp counter */
	BENCH_CALLGRIND, /* switch the counters of callgrind on and off; nothing outside valgrind */
	BENCH_STEP,      /* trap after each instruction: harness/stepper.h counts them */
};

#ifdef BENCH_TEST_CLOCK
/** bench_test_clock - the clock of a test that compiles the harness itself; its driver sets it */
uint64_t bench_test_clock(void);
#define bench_tsc bench_test_clock
#define bench_tsc_begin bench_test_clock
#define bench_tsc_end bench_test_clock
#else
#define bench_tsc rte_rdtsc
#endif

#ifdef __x86_64__
#ifndef BENCH_TEST_CLOCK
static inline __attribute__((always_inline)) uint64_t bench_tsc_begin(void)
{
	uint32_t low, high;

	__asm__ volatile("mfence\n\tlfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high)::"memory");
	return (uint64_t)high << 32 | low;
}

static inline __attribute__((always_inline)) uint64_t bench_tsc_end(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtscp\n\tlfence" : "=a"(low), "=d"(high)::"rcx", "memory");
	return (uint64_t)high << 32 | low;
}
#endif

/* The stack pointer skips the red zone, which the flags would overwrite. */
static inline __attribute__((always_inline)) void bench_step_begin(void)
{
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\t"
			 "lea 128(%%rsp), %%rsp" ::
				 : "memory", "cc");
}

static inline __attribute__((always_inline)) void bench_step_end(void)
{
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq\n\t"
			 "lea 128(%%rsp), %%rsp" ::
				 : "memory", "cc");
}
#else
#ifndef BENCH_TEST_CLOCK
#define bench_tsc_begin rte_rdtsc_precise
#define bench_tsc_end rte_rdtsc_precise
#endif
/* bench_stepper_start() finds out that these count nothing */
#define bench_step_begin() ((void)0)
#define bench_step_end() ((void)0)
#endif

static inline __attribute__((always_inline)) uint64_t bench_gauge_begin(enum bench_gauge gauge)
{
	switch (gauge) {
	case BENCH_TSC:
		return bench_tsc_begin();
	case BENCH_CALLGRIND:
		CALLGRIND_TOGGLE_COLLECT;
		break;
	case BENCH_STEP:
		bench_step_begin();
		break;
	}
	return 0;
}

/** bench_gauge_end - Return: TSC cycles since @begin; 0 for the other gauges */
static inline __attribute__((always_inline)) uint64_t bench_gauge_end(enum bench_gauge gauge,
								      uint64_t begin)
{
	switch (gauge) {
	case BENCH_TSC:
		return bench_tsc_end() - begin;
	case BENCH_CALLGRIND:
		CALLGRIND_TOGGLE_COLLECT;
		break;
	case BENCH_STEP:
		bench_step_end();
		break;
	}
	return 0;
}

#endif
