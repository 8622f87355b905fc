/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_hash_tables.h"
#include "devx_log.h"
#include "devx_rxq.h"

uint32_t devx_eth_hash_get_table_max(const struct devx_eth *eth)
{
	return RTE_MIN(1u << eth->dev.caps.log_max_rqt_size, (uint32_t)DEVX_ETH_RETA_MAX);
}

static int create_unset_rq(struct devx_eth *eth)
{
	struct devx_eth_hash *hash = &eth->hash;
	const struct devx_cq_attr cq = { .log2_n = DEVX_CQ_LOG2_MIN, .uar = &eth->uar };
	const struct devx_rq_attr rq = { .log2_n = DEVX_RQ_LOG2_MIN,
					 .cq = &hash->unset_cq,
					 .keep_vlan = true };
	int rc = devx_cq_create(&hash->unset_cq, &eth->dev, &cq);

	if (rc)
		return rc;
	rc = devx_rq_create(&hash->unset_rq, &eth->dev, &rq);
	if (rc)
		devx_cq_destroy(&hash->unset_cq);
	return rc;
}

/* Returns the RQ of a queue for the RQTs; NULL if the queue is not set up and needs unset_rq. */
static const struct devx_rq *find_rq(const struct devx_eth *eth, uint16_t queue)
{
	const struct devx_eth_rxq *rxq = eth->parked;

	while (rxq && rxq->id != queue)
		rxq = rxq->next_parked;
	if (!rxq)
		rxq = eth->data->rx_queues[queue];
	return rxq && rxq->rq.obj ? &rxq->rq : NULL;
}

/*
 * Lists the numbers of the RQs of a table. If @rq is not NULL, it replaces the RQ of queue @queue.
 * Returns their count, or -errno if unset_rq cannot be created.
 */
static int list_rqs(struct devx_eth *eth, const struct devx_eth_rss *rss, uint16_t queue,
		    const struct devx_rq *rq, uint32_t *rqns)
{
	const int n = rss->on ? (int)rss->n : 1;
	int rc = 0;

	for (int i = 0; !rc && i < n; i++) {
		const uint16_t q = rss->on ? rss->table[i] : 0;
		const struct devx_rq *of_queue = rq && q == queue ? rq : find_rq(eth, q);

		if (!of_queue && !eth->hash.unset_rq.obj)
			rc = create_unset_rq(eth);
		rqns[i] = of_queue ? of_queue->rqn : eth->hash.unset_rq.rqn;
	}
	return rc ? rc : n;
}

int devx_eth_hash_create_tables(struct devx_eth *eth)
{
	struct devx_eth_hash *hash = &eth->hash;
	uint32_t rqns[DEVX_ETH_RETA_MAX];
	const int n = list_rqs(eth, &eth->rss, 0, NULL, rqns);
	const uint32_t n_max = eth->rss.on ? devx_eth_hash_get_table_max(eth) : 1;
	int rc = n;

	if (n < 0)
		return devx_eth_log_failure(eth, rc,
					    "cannot create the RQ of queues that are not set up");
	rc = devx_rqt_create(&hash->rqt, &eth->dev, rqns, (uint32_t)n, n_max);
	if (rc)
		return devx_eth_log_failure(eth, rc, "cannot create the RQT");
	if (!eth->rss.on)
		return 0;
	hash->first_rqn = rqns[0];
	rc = devx_rqt_create(&hash->first_rqt, &eth->dev, rqns, 1, 1);
	return rc ? devx_eth_log_failure(eth, rc, "cannot create the RQT of other packets") : 0;
}

void devx_eth_hash_destroy_tables(struct devx_eth *eth)
{
	devx_rqt_destroy(&eth->hash.first_rqt);
	devx_rqt_destroy(&eth->hash.rqt);
	devx_rq_destroy(&eth->hash.unset_rq);
	devx_cq_destroy(&eth->hash.unset_cq);
}

/*
 * Writes the entries of a table into both RQTs; @queue and @rq are as for list_rqs(). After a
 * failure both have the old entries, unless the device also refuses the old entry 0.
 * eth->dev.refusal then has the reason of the first failure.
 */
static int write_tables(struct devx_eth *eth, const struct devx_eth_rss *rss, uint16_t queue,
			const struct devx_rq *rq)
{
	struct devx_eth_hash *hash = &eth->hash;
	uint32_t rqns[DEVX_ETH_RETA_MAX];
	const int n = list_rqs(eth, rss, queue, rq, rqns);
	struct devx_refusal reason;
	int rc = n < 0 ? n : 0;

	if (!rc && hash->first_rqt.obj)
		rc = devx_rqt_modify(&hash->first_rqt, rqns, 1);
	if (rc)
		return rc;
	rc = devx_rqt_modify(&hash->rqt, rqns, (uint32_t)n);
	if (!rc) {
		hash->first_rqn = rqns[0];
	} else if (hash->first_rqt.obj) {
		reason = eth->dev.refusal;
		devx_rqt_modify(&hash->first_rqt, &hash->first_rqn, 1);
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
