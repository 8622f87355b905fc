/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_FLUSH_H
#define DEVX_ETH_FLUSH_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct devx_eth_flush - wait for the flush CQEs of a queue in ERR; see recovery/devx_flush_wait.h
 * @began: a wait began since the last reset of the queue
 * @over: the last posted WQE has its CQE
 * @overdue: the wait ended without this CQE; stays set until the queue has a new CQ
 * @failed: Tx: an error CQE came, so later WQEs are lost
 * @asked: Tx: the last WQE is a NOP that requests a CQE
 * @first: Tx: first elt of the failed WQE; generator ring: number of the block of the NOP
 * @end: Rx: number of the WQE behind the last posted one
 * @n_polls: how often the driver looked for CQEs since the wait began
 */
struct devx_eth_flush {
	bool began, over, overdue, failed, asked;
	uint16_t first, end;
	uint32_t n_polls;
};

/** devx_eth_flush_end - end the wait of a queue that is now in RST and starts an empty ring */
static inline void devx_eth_flush_end(struct devx_eth_flush *flush)
{
	*flush = (struct devx_eth_flush){ .overdue = flush->overdue };
}

#endif
