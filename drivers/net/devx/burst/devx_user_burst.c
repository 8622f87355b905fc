/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "burst/devx_desc_status.h"
#include "burst/devx_user_burst.h"
#include "devx_rxq.h"
#include "devx_txq.h"

static uint32_t this_process;
static struct {
	eth_rx_burst_t rx;
	eth_tx_burst_t tx;
} bursts[RTE_MAX_ETHPORTS];

void devx_eth_user_set_process(uint32_t process)
{
	this_process = process;
}

uint32_t devx_eth_user_get_process(void)
{
	return this_process;
}

void devx_eth_user_select(uint16_t port, eth_rx_burst_t rx, eth_tx_burst_t tx)
{
	__atomic_store_n(&bursts[port].rx, rx, __ATOMIC_RELEASE);
	__atomic_store_n(&bursts[port].tx, tx, __ATOMIC_RELEASE);
}

/* Takes a queue that no secondary process has. Returns whether this process has it. */
static __rte_noinline bool take_queue(struct devx_eth_user *user)
{
	uint32_t none = 0;

	if (__atomic_compare_exchange_n(&user->process, &none, this_process, false,
					__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return true;
	__atomic_store_n(&user->refused, this_process, __ATOMIC_RELAXED);
	return false;
}

static __rte_always_inline bool has_queue(struct devx_eth_user *user)
{
	return likely(__atomic_load_n(&user->process, __ATOMIC_RELAXED) == this_process) ||
	       take_queue(user);
}

uint16_t devx_eth_user_rx_burst(void *queue, struct rte_mbuf **pkts, uint16_t n)
{
	struct devx_eth_rxq *rxq = queue;

	return rxq && has_queue(&rxq->user) ? bursts[rxq->user.port].rx(queue, pkts, n) : 0;
}

uint16_t devx_eth_user_tx_burst(void *queue, struct rte_mbuf **pkts, uint16_t n)
{
	struct devx_eth_txq *txq = queue;

	return txq && has_queue(&txq->user) ? bursts[txq->user.port].tx(queue, pkts, n) : 0;
}

/* If this process could not map the doorbell registers, it has ethdev's dummy functions. */
static bool has_bursts(uint16_t port)
{
	return __atomic_load_n(&rte_eth_fp_ops[port].tx_pkt_burst, __ATOMIC_ACQUIRE) ==
	       devx_eth_user_tx_burst;
}

int devx_eth_user_tx_done_cleanup(void *queue, uint32_t max)
{
	struct devx_eth_txq *txq = queue;

	if (!txq)
		return -EINVAL;
	if (!has_bursts(txq->user.port) || !has_queue(&txq->user))
		return 0;
	return devx_eth_tx_done_cleanup(queue, max);
}
