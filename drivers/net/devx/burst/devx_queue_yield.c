/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdbool.h>

#include "burst/devx_queue_yield.h"
#include "devx_port.h"

__rte_noinline uint16_t devx_eth_queue_yield(uint32_t *owner)
{
	uint32_t failed = DEVX_ETH_FAILED, lost = DEVX_ETH_LOST;

	__atomic_compare_exchange_n(owner, &failed, (uint32_t)DEVX_ETH_BROKEN, false,
				    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	__atomic_compare_exchange_n(owner, &lost, (uint32_t)DEVX_ETH_LEFT, false, __ATOMIC_ACQ_REL,
				    __ATOMIC_RELAXED);
	return 0;
}
