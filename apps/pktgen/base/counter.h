/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_COUNTER_H
#define PKTGEN_COUNTER_H

#include <stdatomic.h>
#include <stdint.h>

/* Counters that one thread writes while others read them. They order no other memory access. */

static inline uint64_t counter_load(const _Atomic uint64_t *counter)
{
	return atomic_load_explicit(counter, memory_order_relaxed);
}

/** counter_add - add to a counter that only this thread writes, without a locked instruction */
static inline void counter_add(_Atomic uint64_t *counter, uint64_t n)
{
	atomic_store_explicit(counter, counter_load(counter) + n, memory_order_relaxed);
}

#endif
