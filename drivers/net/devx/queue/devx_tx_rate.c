/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "devx_log.h"
#include "queue/devx_tx_rate.h"

enum { KBPS_PER_MBPS = 1000 };

/* Returns the limit of a queue, or NULL if it has none. */
static const struct devx_pp *get_limit(const struct devx_eth_txq *txq)
{
	return txq->pp.pp ? &txq->pp : NULL;
}

int devx_eth_tx_rate_apply(struct devx_eth_txq *txq)
{
	int rc;

	if (!txq->rate_changed)
		return 0;
	rc = devx_sq_set_pp(&txq->sq, get_limit(txq));
	if (rc)
		return devx_eth_log_failure(txq->eth, rc, "Tx queue %u: cannot set the rate limit",
					    txq->id);
	txq->rate_changed = false;
	return 0;
}

/* Returns -EAGAIN, logged, if the SQ is in error state and waits for its recovery; else @rc. */
static int explain_failure(const struct devx_eth_txq *txq, int rc)
{
	enum prm_wq_state state;

	if (devx_sq_query_state(&txq->sq, &state) || state == PRM_WQ_STATE_RDY)
		return rc;
	devx_eth_log(txq->eth, ERR,
		     "Tx queue %u: cannot set the rate limit in error state; try again when the "
		     "recovery timer has restarted the queue",
		     txq->id);
	return -EAGAIN;
}

/* Sets the limit @pp in the SQ of a queue that runs. */
static int change_sq(struct devx_eth_txq *txq, const struct devx_pp *pp)
{
	int rc;

	if (!txq->sq.obj)
		return 0; /* a start creates the SQ with the limit */
	if (__atomic_load_n(&txq->owner, __ATOMIC_ACQUIRE) == DEVX_ETH_STOPPED) {
		txq->rate_changed = true; /* the start of the queue sets the limit */
		return 0;
	}
	rc = devx_sq_set_pp(&txq->sq, pp->pp ? pp : NULL);
	return rc ? explain_failure(txq, rc) : 0;
}

/* Sets a limit of @kbps (0: none), or keeps the old one on failure. The caller holds eth->lock. */
static int set_limit(struct devx_eth_txq *txq, uint32_t kbps)
{
	const struct devx_pp_attr attr = { .kbps = kbps };
	struct devx_pp pp = { 0 };
	int rc = kbps ? devx_pp_create(&pp, &txq->eth->dev, &attr) : 0;

	if (!rc)
		rc = change_sq(txq, &pp);
	if (rc && rc != -EAGAIN)
		rc = devx_eth_log_failure(txq->eth, rc, "Tx queue %u: cannot set the rate limit",
					  txq->id);
	if (rc) {
		devx_pp_destroy(&pp);
		return rc;
	}
	devx_pp_destroy(&txq->pp);
	txq->pp = pp;
	txq->sq_attr.pp = get_limit(txq);
	return 0;
}

int devx_eth_tx_rate_set(struct rte_eth_dev *ethdev, uint16_t queue, uint32_t mbps)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	const struct rte_eth_dev_data *data = ethdev->data;
	struct devx_eth_txq *txq = queue < data->nb_tx_queues ? data->tx_queues[queue] : NULL;
	int rc;

	if (!txq) {
		devx_eth_log(eth, ERR,
			     "Tx queue %u: cannot set the rate limit, because the queue is not set "
			     "up",
			     queue);
		return -EINVAL;
	}
	if (mbps > UINT32_MAX / KBPS_PER_MBPS) {
		devx_eth_log(eth, ERR,
			     "Tx queue %u: rate limit: %u Mbit/s is invalid (valid: up to %u "
			     "Mbit/s; 0 ends the limit)",
			     queue, mbps, eth->dev.caps.packet_pacing_max_rate / KBPS_PER_MBPS);
		return -EINVAL;
	}
	pthread_mutex_lock(&eth->lock);
	rc = set_limit(txq, mbps * KBPS_PER_MBPS);
	if (!rc)
		txq->rate_mbps = mbps;
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

void devx_eth_tx_rate_suspend(struct devx_eth_txq *txq)
{
	devx_pp_destroy(&txq->pp);
}

int devx_eth_tx_rate_resume(struct devx_eth_txq *txq)
{
	const struct devx_pp_attr attr = { .kbps = txq->rate_mbps * KBPS_PER_MBPS };

	return txq->rate_mbps ? devx_pp_create(&txq->pp, &txq->eth->dev, &attr) : 0;
}

void devx_eth_tx_rate_release(struct devx_eth_txq *txq)
{
	if (!txq || !txq->pp.pp)
		return;
	pthread_mutex_lock(&txq->eth->lock);
	devx_pp_destroy(&txq->pp);
	pthread_mutex_unlock(&txq->eth->lock);
}
