/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_cq_failure.h"
#include "devx_log.h"
#include "recovery/devx_cq_poll.h"
#include "recovery/devx_recovery_timer.h"

/* One queue of the round robin over receive queues, send queues and generator rings. */
struct turn {
	struct devx_eth_rxq *rxq;
	struct devx_eth_txq *txq;
	struct rte_pmd_devx_ring *ring;
	const struct devx_cq *cq;
	uint32_t *polled_ci;
	bool needs_poll, has_work;
};

static uint32_t count_queues(const struct devx_eth *eth)
{
	uint32_t n = (uint32_t)eth->data->nb_rx_queues + eth->data->nb_tx_queues;

	for (const struct rte_pmd_devx_ring *r = eth->generators; r; r = r->next)
		n++;
	return n;
}

/* Bursts change the counters meanwhile. An old value only changes the order of the queues. */
static uint32_t read_counter(const uint32_t *counter)
{
	return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

static void find_rxq(struct devx_eth_rxq *rxq, struct turn *t)
{
	*t = (struct turn){ .rxq = rxq,
			    .cq = &rxq->cq,
			    .polled_ci = &rxq->polled_ci,
			    .needs_poll = !rxq->cq_cookie && !rxq->cq_failed,
			    .has_work = read_counter(&rxq->rq.pi) != read_counter(&rxq->ci) };
}

static void find_txq(struct devx_eth_txq *txq, struct turn *t)
{
	*t = (struct turn){ .txq = txq,
			    .cq = &txq->cq,
			    .polled_ci = &txq->polled_ci,
			    .needs_poll = !txq->cq_cookie && !txq->cq_failed,
			    .has_work = __atomic_load_n(&txq->head, __ATOMIC_RELAXED) !=
					__atomic_load_n(&txq->tail, __ATOMIC_RELAXED) };
}

static void find_ring(struct rte_pmd_devx_ring *r, struct turn *t)
{
	*t = (struct turn){ .ring = r,
			    .cq = &r->cq,
			    .polled_ci = &r->polled_ci,
			    .needs_poll = !r->cq_cookie && !r->cq_failed,
			    .has_work = devx_eth_generator_count_used(r) != 0 };
}

/* Finds queue @k of the round robin. Returns false if it is not set up. */
static bool find_queue(struct devx_eth *eth, uint32_t k, struct turn *t)
{
	const struct rte_eth_dev_data *data = eth->data;
	struct rte_pmd_devx_ring *r = eth->generators;

	if (k < data->nb_rx_queues) {
		if (data->rx_queues[k])
			find_rxq(data->rx_queues[k], t);
		return data->rx_queues[k];
	}
	k -= data->nb_rx_queues;
	if (k < data->nb_tx_queues) {
		if (data->tx_queues[k])
			find_txq(data->tx_queues[k], t);
		return data->tx_queues[k];
	}
	for (k -= data->nb_tx_queues; k; k--)
		r = r->next;
	find_ring(r, t);
	return true;
}

/* Stores the consumer counter. Returns whether bursts have taken a CQE since the last call. */
static bool update_counter(const struct turn *t)
{
	const uint32_t ci = read_counter(&t->cq->ci), before = *t->polled_ci;

	*t->polled_ci = ci;
	return ci != before;
}

/* Chooses the queue whose CQ the timer reads next. Returns false if no CQ needs it. */
static bool choose_queue(struct devx_eth *eth, struct turn *chosen)
{
	struct devx_eth_cq_poll *poll = &eth->events.poll;
	const uint32_t n = count_queues(eth), first = poll->next;
	bool found = false;

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t k = (first + i) % n;
		struct turn t;

		if (!find_queue(eth, k, &t) || !t.cq->obj || !t.needs_poll)
			continue;
		if (update_counter(&t))
			continue;
		if (found && (chosen->has_work || !t.has_work))
			continue;
		*chosen = t;
		poll->next = k + 1;
		found = true;
	}
	return found;
}

static void fail_queue(const struct turn *t)
{
	if (t->rxq)
		devx_eth_rxq_fail_cq(t->rxq, 0);
	else if (t->txq)
		devx_eth_txq_fail_cq(t->txq, 0);
	else
		devx_eth_generator_fail_cq(t->ring, 0);
}

void devx_eth_cq_poll_step(struct devx_eth *eth)
{
	enum { PERIODS = DEVX_ETH_CQ_POLL_MS * 1000 / DEVX_ETH_RECOVERY_PERIOD_US };
	struct devx_eth_cq_poll *poll = &eth->events.poll;
	struct turn t;
	bool failed;
	int rc;

	if (!devx_eth_event_is_withheld(eth, PRM_EVENT_CQ_ERROR) || ++poll->n_periods < PERIODS)
		return;
	poll->n_periods = 0;
	if (!choose_queue(eth, &t))
		return;
	rc = devx_cq_query_failed(t.cq, &failed);
	if (!rc && failed)
		fail_queue(&t);
	if (!rc || poll->failing)
		return;
	poll->failing = true;
	devx_eth_log_failure(eth, rc, "cannot read the state of CQ 0x%x; trying again", t.cq->cqn);
}
