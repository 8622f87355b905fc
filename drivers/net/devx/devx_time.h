/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_TIME_H
#define DEVX_ETH_TIME_H

#include <stdint.h>
#include <time.h>

#include <rte_cycles.h>

/** DOC: The monotonic clock, for waits and ages on the control path */

/** DEVX_ETH_BURST_MS - the driver assumes that a burst that began this long ago has ended */
enum { DEVX_ETH_BURST_MS = 1000 };

static inline uint64_t devx_eth_get_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static inline uint64_t devx_eth_get_now_ms(void)
{
	return devx_eth_get_now_ns() / (NS_PER_S / MS_PER_S);
}

#endif
