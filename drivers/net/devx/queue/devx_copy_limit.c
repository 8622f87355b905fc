/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx_log.h"
#include "devx_txq.h"
#include "prm/wqe.h"
#include "queue/devx_copy_limit.h"

enum { COUNT_BYTES = 4 }; /* byte count in front of each packet */

static_assert(DEVX_ETH_TX_COPY_MAX == (DEVX_ETH_TX_MAX_DS - 2) * PRM_DS_BYTES - COUNT_BYTES,
	      "one packet and its byte count fit the largest WQE");

uint16_t devx_eth_tx_get_max_ds(const struct devx_eth *eth)
{
	return RTE_MIN(DEVX_ETH_TX_MAX_DS, eth->dev.caps.max_wqe_sz_sq / PRM_DS_BYTES);
}

/* Returns the length of the longest packet that fits a WQE of this device; 0: none fits. */
static uint16_t get_longest(const struct devx_eth *eth)
{
	const int bytes = (devx_eth_tx_get_max_ds(eth) - 2) * PRM_DS_BYTES - COUNT_BYTES;

	if (!eth->dev.caps.enhanced_multi_pkt_send_wqe || bytes < RTE_ETHER_HDR_LEN ||
	    eth->args.tx_burst == DEVX_ETH_TX_SINGLE)
		return 0;
	return (uint16_t)bytes;
}

int devx_eth_copy_limit_check(const struct devx_eth *eth)
{
	const uint16_t longest = get_longest(eth), wanted = eth->args.inline_max;

	if (wanted <= longest)
		return 0;
	if (!longest)
		devx_eth_log(eth, ERR,
			     "argument inline: %u needs multi-packet WQEs, which the device lacks "
			     "(valid: off, auto)",
			     wanted);
	else
		devx_eth_log(eth, ERR,
			     "argument inline: packets of %u bytes do not fit a WQE of this device "
			     "(valid: off, auto, %u to %u)",
			     wanted, RTE_ETHER_HDR_LEN, longest);
	return -ENOTSUP;
}

uint16_t devx_eth_copy_limit_get(const struct devx_eth *eth)
{
	const uint16_t longest = get_longest(eth);

	switch (eth->args.inlining) {
	case DEVX_ETH_INLINE_OFF:
		return 0;
	case DEVX_ETH_INLINE_BYTES:
		return RTE_MIN(eth->args.inline_max, longest);
	default:
		return eth->data->nb_tx_queues < DEVX_ETH_TX_COPY_QUEUES
			       ? 0
			       : RTE_MIN((uint16_t)DEVX_ETH_TX_COPY_DEFAULT, longest);
	}
}

void devx_eth_copy_limit_report(const struct devx_eth *eth)
{
	const bool automatic = eth->args.inlining == DEVX_ETH_INLINE_AUTO;
	unsigned int n = 0, n_copying = 0;
	uint16_t longest = 0;

	for (uint16_t i = 0; i < eth->data->nb_tx_queues; i++) {
		const struct devx_eth_txq *txq = eth->data->tx_queues[i];

		if (!txq)
			continue;
		n++;
		n_copying += txq->inline_max > 0;
		longest = RTE_MAX(longest, txq->inline_max);
	}
	if (n_copying && n_copying < n) /* the number of queues changed after some were set up */
		devx_eth_log(eth, INFO,
			     "Tx: WQEs of %u of %u queues contain packets of up to %u bytes "
			     "(inline=auto); set the other queues up again",
			     n_copying, n, longest);
	else if (n_copying)
		devx_eth_log(eth, INFO, "Tx: WQEs contain packets of up to %u bytes%s", longest,
			     automatic ? " (inline=auto, 8 or more queues)" : "");
	else if (n)
		devx_eth_log(eth, INFO, "Tx: WQEs point to packets%s",
			     automatic ? " (inline=auto, less than 8 queues)" : "");
}
