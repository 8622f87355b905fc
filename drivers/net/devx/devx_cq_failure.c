/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdbool.h>

#include "devx_cq_failure.h"

void devx_eth_owner_take(uint32_t *owner, enum devx_eth_owner new)
{
	uint32_t running = DEVX_ETH_RUNNING;

	__atomic_compare_exchange_n(owner, &running, (uint32_t) new, false, __ATOMIC_ACQ_REL,
				    __ATOMIC_RELAXED);
}

void devx_eth_owner_give(uint32_t *owner)
{
	uint32_t stopped = DEVX_ETH_STOPPED;

	__atomic_compare_exchange_n(owner, &stopped, (uint32_t)DEVX_ETH_RUNNING, false,
				    __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

__rte_noinline uint16_t devx_eth_queue_yield(uint32_t *owner)
{
	uint32_t failed = DEVX_ETH_FAILED, lost = DEVX_ETH_LOST;

	__atomic_compare_exchange_n(owner, &failed, (uint32_t)DEVX_ETH_BROKEN, false,
				    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	__atomic_compare_exchange_n(owner, &lost, (uint32_t)DEVX_ETH_LEFT, false, __ATOMIC_ACQ_REL,
				    __ATOMIC_RELAXED);
	return 0;
}

void devx_eth_rxq_fail_cq(struct devx_eth_rxq *rxq, uint8_t syndrome)
{
	rxq->cq_syndrome = syndrome;
	__atomic_store_n(&rxq->cq_failed, true, __ATOMIC_RELEASE);
	devx_eth_owner_take(&rxq->owner, DEVX_ETH_FAILED);
	devx_eth_rx_wakeup_raise(&rxq->wakeup); /* its next burst gives the queue to the timer */
}

void devx_eth_txq_fail_cq(struct devx_eth_txq *txq, uint8_t syndrome)
{
	txq->cq_syndrome = syndrome;
	__atomic_store_n(&txq->cq_failed, true, __ATOMIC_RELEASE);
	devx_eth_owner_take(&txq->owner, DEVX_ETH_FAILED);
}

void devx_eth_generator_fail_cq(struct rte_pmd_devx_ring *r, uint8_t syndrome)
{
	r->cq_syndrome = syndrome;
	__atomic_store_n(&r->cq_failed, true, __ATOMIC_RELEASE);
	devx_eth_owner_take(&r->owner, DEVX_ETH_FAILED);
}
