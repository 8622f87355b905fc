/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_COUNTS_H
#define DEVX_ETH_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * devx_eth_counts_continue - let counts go on after the device returned
 * @base: values that the driver subtracts, @n of them
 * @old: values before the loss
 * @now: values after the return
 *
 * If a value fell, the device began all of them again. Then the differences to @base stay as they
 * were before the loss.
 */
static inline void devx_eth_counts_continue(uint64_t *base, const uint64_t *old,
					    const uint64_t *now, size_t n)
{
	bool fell = false;

	for (size_t i = 0; i < n; i++)
		fell |= now[i] < old[i];
	for (size_t i = 0; fell && i < n; i++)
		base[i] += now[i] - old[i];
}

#endif
