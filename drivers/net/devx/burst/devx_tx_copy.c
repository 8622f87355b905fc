/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "burst/devx_tx_copy.h"

__rte_noinline bool devx_eth_tx_wrap_entry(const struct devx_eth_txq *txq,
					   struct devx_eth_tx_entries *w, const struct rte_mbuf *m,
					   bool copy)
{
	const uint64_t addr = devx_eth_tx_get_addr(m);
	const uint32_t len = m->data_len;
	const uint32_t bytes = copy ? devx_eth_tx_get_copy_bytes(len) : PRM_DS_BYTES;
	const uint32_t used = copy ? DEVX_ETH_TX_COUNT_BYTES + len : PRM_DS_BYTES;
	const uint32_t to_end = (uint32_t)(w->stop - w->next);
	uint8_t *const start = txq->sq.wqebbs->bytes;
	uint8_t entry[PRM_WQE_MAX_DS * PRM_DS_BYTES];

	if (!w->beyond || bytes > to_end + w->beyond)
		return false;
	if (copy)
		devx_eth_tx_write_copy(entry, (const uint8_t *)addr, len);
	else
		*(struct prm_data_seg *)entry = (struct prm_data_seg){
			prm_be32_of(len),
			txq->range.lkey,
			prm_be64_of(addr),
		};
	memcpy(w->next, entry, to_end);
	memcpy(start, entry + to_end, used - to_end);
	w->next = start + (bytes - to_end);
	w->stop = start + w->beyond;
	w->beyond = 0;
	w->wrapped = true;
	return true;
}
