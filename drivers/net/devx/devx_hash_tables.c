/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_hash_tables.h"
#include "devx_log.h"
#include "devx_rxq.h"

uint32_t devx_eth_hash_get_table_max(const struct devx_eth *eth)
{
	return RTE_MIN(1u << eth->dev.caps.log_max_rqt_size, (uint32_t)DEVX_ETH_RETA_MAX);
}

/* Fills the numbers of the RQs of a table; @rq stands for queue @queue. Returns their count. */
static uint32_t list_rqs(const struct devx_eth *eth, const struct devx_eth_rss *rss, uint16_t queue,
			 const struct devx_rq *rq, uint32_t *rqns)
{
	const uint32_t n = rss->on ? rss->n : 1;

	for (uint32_t i = 0; i < n; i++) {
		const uint16_t q = rss->on ? rss->table[i] : 0;
		const struct devx_eth_rxq *rxq = eth->data->rx_queues[q];

		rqns[i] = rq && q == queue ? rq->rqn : rxq->rq.rqn;
	}
	return n;
}

int devx_eth_hash_create_tables(struct devx_eth *eth)
{
	struct devx_eth_hash *hash = &eth->hash;
	uint32_t rqns[DEVX_ETH_RETA_MAX];
	const uint32_t n = list_rqs(eth, &eth->rss, 0, NULL, rqns);
	const uint32_t n_max = eth->rss.on ? devx_eth_hash_get_table_max(eth) : 1;
	int rc = devx_rqt_create(&hash->rqt, &eth->dev, rqns, n, n_max);

	if (rc)
		return devx_eth_log_failure(eth, rc, "cannot create the RQT");
	if (!eth->rss.on)
		return 0;
	rc = devx_rqt_create(&hash->first_rqt, &eth->dev, rqns, 1, 1);
	return rc ? devx_eth_log_failure(eth, rc, "cannot create the RQT of other packets") : 0;
}

void devx_eth_hash_destroy_tables(struct devx_eth *eth)
{
	devx_rqt_destroy(&eth->hash.first_rqt);
	devx_rqt_destroy(&eth->hash.rqt);
}

/*
 * Writes the entries of a table into both RQTs; @rq stands for queue @queue. After a failure both
 * have the old entries, unless the device also refuses the old entry 0. The device knows the reason
 * of the failure.
 */
static int write_tables(struct devx_eth *eth, const struct devx_eth_rss *rss, uint16_t queue,
			const struct devx_rq *rq)
{
	struct devx_eth_hash *hash = &eth->hash;
	uint32_t rqns[DEVX_ETH_RETA_MAX];
	const uint32_t n = list_rqs(eth, rss, queue, rq, rqns);
	struct devx_refusal reason;
	int rc = 0;

	if (hash->first_rqt.obj)
		rc = devx_rqt_modify(&hash->first_rqt, rqns, 1);
	if (rc)
		return rc;
	rc = devx_rqt_modify(&hash->rqt, rqns, n);
	if (rc && hash->first_rqt.obj) {
		reason = eth->dev.refusal;
		list_rqs(eth, &eth->rss, 0, NULL, rqns);
		devx_rqt_modify(&hash->first_rqt, rqns, 1);
		eth->dev.refusal = reason;
	}
	return rc;
}

int devx_eth_hash_move(struct devx_eth *eth, uint16_t queue, const struct devx_rq *rq)
{
	return write_tables(eth, &eth->rss, queue, rq);
}

int devx_eth_hash_update_table(struct devx_eth *eth, const struct devx_eth_rss *next)
{
	const int rc = write_tables(eth, next, 0, NULL);

	return rc ? devx_eth_log_failure(eth, rc, "cannot change the redirection table") : 0;
}
