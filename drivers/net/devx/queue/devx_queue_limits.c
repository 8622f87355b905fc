/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx_log.h"
#include "queue/devx_queue_limits.h"

/* ethdev accepts no more than RTE_MAX_QUEUES_PER_PORT queues per direction. */
static uint16_t get_max(uint8_t log2_a, uint8_t log2_b)
{
	const uint32_t max = 1u << RTE_MIN(log2_a, log2_b);

	return (uint16_t)RTE_MIN(max, (uint32_t)RTE_MAX_QUEUES_PER_PORT);
}

uint16_t devx_eth_queue_get_max_rx(const struct devx_eth *eth)
{
	const struct devx_caps *caps = &eth->dev.caps;

	return get_max(RTE_MIN(caps->log_max_rq, caps->log_max_rqt_size), caps->log_max_cq);
}

uint16_t devx_eth_queue_get_max_tx(const struct devx_eth *eth)
{
	return get_max(eth->dev.caps.log_max_sq, eth->dev.caps.log_max_cq);
}

int devx_eth_queue_validate_numbers(const struct devx_eth *eth)
{
	const uint32_t max = 1u << eth->dev.caps.log_max_cq;
	const uint16_t rx = eth->data->nb_rx_queues, tx = eth->data->nb_tx_queues;

	if ((uint32_t)rx + tx <= max)
		return 0;
	devx_eth_log(eth, ERR,
		     "%u Rx and %u Tx queues are too many (valid: at most %u in total, the CQs of "
		     "the device); use fewer queues",
		     rx, tx, max);
	return -EINVAL;
}
