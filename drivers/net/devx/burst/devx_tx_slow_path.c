/* SPDX-License-Identifier: BSD-3-Clause */
#include <rte_mbuf.h>
#include <rte_string_fns.h>

#include "burst/devx_tx_check.h"
#include "burst/devx_tx_slow_path.h"

/**
 * DOC: Rare cases of a send burst
 *
 * The burst frees a packet that cannot be sent and counts it by its reason. To the caller the
 * packet counts as sent, so that the caller continues with the next one.
 *
 * Pinned buffers of a pool can be in memory that the driver does not know. A burst stops before the
 * first such packet, until the recovery timer has registered the buffers or failed to do so
 * (memory/devx_unknown.h). The timer also logs the first packet in other memory without a key.
 *
 * After an error CQE the burst stores the error and marks the queue as broken. The recovery timer
 * resets the queue (recovery/devx_tx_recovery.c).
 */

static uint64_t *find_drop_counter(struct devx_eth_txq *txq, const struct rte_mbuf *m)
{
	struct devx_eth_tx_shape shape;

	switch (devx_eth_tx_check_packet(txq, txq->table, m, &shape)) {
	case DEVX_ETH_TX_BAD_SEGMENTS:
		return &txq->n.bad_segments;
	case DEVX_ETH_TX_BAD_LENGTH:
		return &txq->n.bad_length;
	case DEVX_ETH_TX_BAD_TSO:
		return &txq->n.bad_tso;
	case DEVX_ETH_TX_UNREADABLE:
		return &txq->n.unreadable;
	default:
		return &txq->n.unregistered; /* the burst found no key */
	}
}

/* Leaves a note about memory without a key for the recovery timer. */
static void note_unknown(struct devx_eth_tx_unknown *unknown, const struct rte_mbuf *m)
{
	if (__atomic_load_n(&unknown->pool, __ATOMIC_ACQUIRE))
		return; /* the timer has not looked at the last one yet */
	unknown->addr = (uintptr_t)m->buf_addr + m->data_off;
	unknown->bytes = m->data_len;
	rte_strscpy(unknown->pool_name, m->pool->name, sizeof(unknown->pool_name));
	__atomic_store_n(&unknown->pool, m->pool, __ATOMIC_RELEASE);
}

__rte_noinline bool devx_eth_tx_refuse_packet(struct devx_eth_txq *txq, struct rte_mbuf *m)
{
	uint64_t *const counter = find_drop_counter(txq, m);
	const struct rte_mbuf *s =
		counter == &txq->n.unregistered ? devx_eth_tx_find_unknown(txq->table, m) : NULL;

	if (s) {
		note_unknown(&txq->unknown, s);
		if (devx_eth_tx_may_register(txq, s))
			return false;
	}
	++*counter;
	rte_pktmbuf_free(m);
	return true;
}

__rte_noinline void devx_eth_txq_mark_broken(struct devx_eth_txq *txq, const struct prm_cqe *cqe)
{
	const struct prm_err_cqe *err = (const struct prm_err_cqe *)cqe;

	txq->n.error_cqes++;
	txq->error_wqe = prm_be16_get(err->wqe_counter);
	txq->error_syndrome = err->syndrome;
	txq->error_vendor = err->vendor_err_synd;
	devx_eth_last_error_keep_send(&txq->last_error, &txq->sq, err);
	__atomic_store_n(&txq->owner, DEVX_ETH_BROKEN, __ATOMIC_RELEASE);
}

__rte_noinline bool devx_eth_tx_search_range(struct devx_eth_txq *txq, uint64_t addr,
					     uint32_t bytes)
{
	const struct devx_eth_range *r = devx_eth_range_find(txq->table, addr, bytes);

	if (r)
		txq->range = *r;
	return r;
}
