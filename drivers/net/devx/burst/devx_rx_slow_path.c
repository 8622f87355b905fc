/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <rte_ether.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "burst/devx_rx_slow_path.h"

/**
 * DOC: Rare cases of a receive burst
 *
 * After some errors, such as a frame longer than its buffers, the device writes an error CQE and
 * continues. The error CQEs of needs_reset() mean that it has put the queue into ERR: the burst
 * marks the queue as broken, and the recovery timer resets it (recovery/devx_rx_recovery.c).
 */

/* net_mlx5 resets a queue for the same syndromes, else drops the packet (mlx5_rx_err_handle). */
static bool needs_reset(const struct prm_err_cqe *err)
{
	return prm_cqe_opcode(err->op_own) != PRM_CQE_RESP_ERR ||
	       err->syndrome == PRM_SYND_LOCAL_QP_OP || err->syndrome == PRM_SYND_LOCAL_PROT ||
	       err->syndrome == PRM_SYND_WR_FLUSH;
}

__rte_noinline bool devx_eth_rx_skip_packet(struct devx_eth_rxq *rxq, struct rte_mbuf *m,
					    const struct prm_cqe *cqe)
{
	const struct prm_err_cqe *err = (const struct prm_err_cqe *)cqe;

	if (needs_reset(err))
		return false;
	if (err->syndrome == PRM_SYND_LOCAL_LENGTH)
		rxq->n.too_long++;
	else
		rxq->n.failed++;
	if (!rxq->log2_segs)
		rte_mempool_put(rxq->pool, m);
	return true;
}

__rte_noinline void devx_eth_rx_gather_fcs(const struct devx_eth_rxq *rxq,
					   struct rte_mbuf *const *slot, unsigned int n)
{
	const struct rte_mbuf *last = slot[n - 1];
	const uint32_t here = (n > 1 ? rxq->more_bytes : rxq->buf_bytes) - last->data_len;

	if (here >= RTE_ETHER_CRC_LEN || rxq->unreadable)
		return;
	memcpy(rte_pktmbuf_mtod_offset(last, char *, last->data_len + here), slot[n]->buf_addr,
	       RTE_ETHER_CRC_LEN - here);
}

/* Copies an error CQE and the start of its WQE for reports. */
static void keep_error(struct devx_eth_rxq *rxq, const struct prm_err_cqe *err)
{
	struct devx_eth_last_error *e = &rxq->last_error;
	const struct devx_rq *rq = &rxq->rq;
	const uint32_t wqe = prm_be16_get(err->wqe_counter) & ((1u << rq->log2_n) - 1);
	const size_t bytes = sizeof(*rq->wqes) << rq->log2_segs;

	devx_eth_last_error_begin(e);
	e->cqe = *err;
	memcpy(e->wqe, rq->wqes + ((size_t)wqe << rq->log2_segs), RTE_MIN(bytes, sizeof(e->wqe)));
	devx_eth_last_error_end(e);
}

__rte_noinline void devx_eth_rxq_mark_broken(struct devx_eth_rxq *rxq, const struct prm_cqe *cqe)
{
	const struct prm_err_cqe *err = (const struct prm_err_cqe *)cqe;

	rxq->n.error_cqes++;
	rxq->error_syndrome = err->syndrome;
	rxq->error_vendor = err->vendor_err_synd;
	keep_error(rxq, err);
	__atomic_store_n(&rxq->owner, DEVX_ETH_BROKEN, __ATOMIC_RELEASE);
}

__rte_noinline uint32_t devx_eth_rx_take_remaining(struct devx_eth_rxq *rxq, struct rte_mbuf **m,
						   uint32_t n)
{
	uint32_t got = 0;

	while (got < n && !rte_mempool_get(rxq->pool, (void **)&m[got]))
		got++;
	if (!rxq->starving)
		rxq->n.no_mbuf += n - got;
	rxq->starving = true;
	return got;
}
