/* SPDX-License-Identifier: BSD-3-Clause */
#include "devx_generator.h"
#include "devx_queue_uar.h"
#include "devx_rxq.h"
#include "devx_txq.h"
#include "stats/devx_report.h"
#include "stats/devx_report_error.h"

enum { N_OWNERS = DEVX_ETH_LEFT + 1 };

static const char *const owners[N_OWNERS] = {
	[DEVX_ETH_STOPPED] = "stopped", [DEVX_ETH_RUNNING] = "running",
	[DEVX_ETH_BROKEN] = "broken",   [DEVX_ETH_FAILED] = "failed",
	[DEVX_ETH_LOST] = "lost",       [DEVX_ETH_LEFT] = "left",
};

static unsigned int read_owner(const uint32_t *owner)
{
	return __atomic_load_n(owner, __ATOMIC_ACQUIRE);
}

/* ---- queues ------------------------------------------------------------------------------- */

static void add_states(const char *group, const uint64_t *n, struct devx_eth_report *report)
{
	report->begin(report, group);
	for (unsigned int i = 0; i < N_OWNERS; i++)
		report->add_number(report, owners[i], n[i]);
	report->end(report);
}

/* Counts the queues of a started port by state. */
static void count_states(const struct devx_eth *eth, uint64_t *rx, uint64_t *tx, uint64_t *ring)
{
	const struct rte_eth_dev_data *data = eth->data;

	for (uint16_t i = 0; i < data->nb_rx_queues; i++)
		if (data->rx_queues[i])
			rx[read_owner(&((struct devx_eth_rxq *)data->rx_queues[i])->owner)]++;
	for (uint16_t i = 0; i < data->nb_tx_queues; i++)
		if (data->tx_queues[i])
			tx[read_owner(&((struct devx_eth_txq *)data->tx_queues[i])->owner)]++;
	for (const struct rte_pmd_devx_ring *r = eth->generators; r; r = r->next)
		ring[read_owner(&r->owner)]++;
}

void devx_eth_report_queues(struct devx_eth *eth, struct devx_eth_report *report)
{
	uint64_t rx[N_OWNERS] = { 0 }, tx[N_OWNERS] = { 0 }, ring[N_OWNERS] = { 0 };

	report->add_number(report, "started", eth->started);
	if (!eth->started)
		return;
	report->add_number(report, "rx_queues", eth->data->nb_rx_queues);
	report->add_number(report, "tx_queues", eth->data->nb_tx_queues);
	report->add_number(report, "ring_queues", devx_eth_report_count_rings(eth));
	count_states(eth, rx, tx, ring);
	add_states("rx", rx, report);
	add_states("tx", tx, report);
	add_states("ring", ring, report);
}

/* Reports the counters of @q, a queue of any kind, since their last reset. */
#define REPORT_COUNTERS(report, q)                                                                 \
	do {                                                                                       \
		report->add_number(report, "packets", q->n.packets - q->base.packets);             \
		report->add_number(report, "bytes", q->n.bytes - q->base.bytes);                   \
		report->add_number(report, "wqe_errors", q->n.error_cqes - q->base.error_cqes);    \
		report->add_number(report, "cq_errors", q->n.cq_errors - q->base.cq_errors);       \
		report->add_number(report, "recoveries", q->n.recoveries - q->base.recoveries);    \
		report->add_number(report, "lost_packets", q->n.lost - q->base.lost);              \
	} while (0)

static void add_doorbells(const struct devx_uar *uar, struct devx_eth_report *report)
{
	report->add_text(report, "doorbells", devx_eth_uar_get_name(devx_eth_uar_get_type(uar)));
}

void devx_eth_report_rxq(struct devx_eth *eth, uint16_t queue, struct devx_eth_report *report)
{
	const struct devx_eth_rxq *q = eth->data->rx_queues[queue];

	if (!q) {
		report->add_text(report, "state", "not set up");
		return;
	}
	report->add_text(report, "state", owners[read_owner(&q->owner)]);
	report->add_number(report, "descriptors", q->elts_mask + 1u);
	report->add_number(report, "segments_per_wqe", 1u << q->log2_segs);
	report->add_number(report, "rqn", q->rq.rqn);
	report->add_number(report, "cqn", q->cq.cqn);
	report->add_text(report, "pool", q->pool->name);
	REPORT_COUNTERS(report, q);
	report->add_number(report, "no_mbuf", q->n.no_mbuf - q->base.no_mbuf);
	devx_eth_report_rx_error(&q->last_error, 1u << q->log2_segs, report);
}

void devx_eth_report_txq(struct devx_eth *eth, uint16_t queue, struct devx_eth_report *report)
{
	const struct devx_eth_txq *q = eth->data->tx_queues[queue];

	if (!q) {
		report->add_text(report, "state", "not set up");
		return;
	}
	report->add_text(report, "state", owners[read_owner(&q->owner)]);
	report->add_number(report, "descriptors", q->n_desc);
	report->add_number(report, "blocks", q->elts_mask + 1u);
	report->add_number(report, "copied_up_to_bytes", q->inline_max);
	report->add_number(report, "rate_limit_mbps", q->rate_mbps);
	add_doorbells(&q->uar, report);
	report->add_number(report, "sqn", q->sq.sqn);
	report->add_number(report, "cqn", q->cq.cqn);
	REPORT_COUNTERS(report, q);
	report->add_number(report, "unknown_packets", q->n.unknown - q->base.unknown);
	devx_eth_report_tx_error(&q->last_error, report);
}

unsigned int devx_eth_report_count_rings(const struct devx_eth *eth)
{
	unsigned int n = 0;

	for (const struct rte_pmd_devx_ring *r = eth->generators; r; r = r->next)
		n++;
	return n;
}

void devx_eth_report_ring(struct devx_eth *eth, uint16_t ring, struct devx_eth_report *report)
{
	const struct rte_pmd_devx_ring *r = eth->generators;

	while (ring--)
		r = r->next;
	report->add_text(report, "state", owners[read_owner(&r->owner)]);
	report->add_number(report, "blocks", 1u << r->sq.log2_n);
	report->add_number(report, "wqes", r->n_units);
	report->add_number(report, "packets_per_wqe", 1u << r->n_packets_log2);
	report->add_number(report, "bytes_per_packet", r->frame_bytes);
	add_doorbells(&r->uar, report);
	report->add_number(report, "sqn", r->sq.sqn);
	report->add_number(report, "cqn", r->cq.cqn);
	REPORT_COUNTERS(report, r);
	report->add_number(report, "unknown_packets", r->n.unknown - r->base.unknown);
	devx_eth_report_tx_error(&r->last_error, report);
}

/* ---- recovery ----------------------------------------------------------------------------- */

/* Sums over the queues of one side, since the last reset of statistics. */
struct recovery {
	uint64_t wqe_errors, cq_errors, recoveries, lost_packets, unknown_packets;
	uint64_t waiting; /* queues that are broken or whose CQ failed, now */
	uint64_t failing; /* broken queues whose last restart failed, now */
};

#define ADD_COUNTERS(sum, n, base)                                                                 \
	do {                                                                                       \
		(sum)->wqe_errors += (n).error_cqes - (base).error_cqes;                           \
		(sum)->cq_errors += (n).cq_errors - (base).cq_errors;                              \
		(sum)->recoveries += (n).recoveries - (base).recoveries;                           \
		(sum)->lost_packets += (n).lost - (base).lost;                                     \
	} while (0)

static void add_state(struct recovery *sum, const uint32_t *owner, bool failing)
{
	const unsigned int state = read_owner(owner);

	sum->waiting += state == DEVX_ETH_BROKEN || state == DEVX_ETH_FAILED;
	sum->failing += failing;
}

static void sum_rx(const struct devx_eth *eth, struct recovery *sum)
{
	for (uint16_t i = 0; i < eth->data->nb_rx_queues; i++) {
		const struct devx_eth_rxq *q = eth->data->rx_queues[i];

		if (!q)
			continue;
		ADD_COUNTERS(sum, q->n, q->base);
		add_state(sum, &q->owner, q->recovery_failed);
	}
}

static void sum_tx(const struct devx_eth *eth, struct recovery *sum)
{
	for (uint16_t i = 0; i < eth->data->nb_tx_queues; i++) {
		const struct devx_eth_txq *q = eth->data->tx_queues[i];

		if (!q)
			continue;
		ADD_COUNTERS(sum, q->n, q->base);
		sum->unknown_packets += q->n.unknown - q->base.unknown;
		add_state(sum, &q->owner, q->recovery_failed);
	}
	for (const struct rte_pmd_devx_ring *r = eth->generators; r; r = r->next) {
		ADD_COUNTERS(sum, r->n, r->base);
		sum->unknown_packets += r->n.unknown - r->base.unknown;
		add_state(sum, &r->owner, r->recovery_failed);
	}
	ADD_COUNTERS(sum, eth->stats.generated, (struct devx_eth_generated){ 0 });
	sum->unknown_packets += eth->stats.generated.unknown;
}

static void add_recovery(const char *group, const struct recovery *sum,
			 struct devx_eth_report *report)
{
	report->begin(report, group);
	report->add_number(report, "wqe_errors", sum->wqe_errors);
	report->add_number(report, "cq_errors", sum->cq_errors);
	report->add_number(report, "recoveries", sum->recoveries);
	report->add_number(report, "lost_packets", sum->lost_packets);
	report->add_number(report, "unknown_packets", sum->unknown_packets);
	report->add_number(report, "waiting", sum->waiting);
	report->add_number(report, "failing", sum->failing);
	report->end(report);
}

void devx_eth_report_recovery(struct devx_eth *eth, struct devx_eth_report *report)
{
	struct recovery rx = { 0 }, tx = { 0 };

	report->add_number(report, "started", eth->started);
	report->add_number(report, "device_lost", devx_eth_is_lost(eth));
	report->add_number(report, "device_recovering",
			   devx_eth_gate_is_closed(&eth->recovery.gate));
	report->add_number(report, "device_losses", eth->recovery.n.losses);
	report->add_number(report, "device_recoveries", eth->recovery.n.successes);
	report->add_number(report, "device_recoveries_failed", eth->recovery.n.failures);
	report->add_number(report, "device_last_lost_ms", eth->recovery.n.lost_ms);
	if (!eth->started)
		return;
	sum_rx(eth, &rx);
	sum_tx(eth, &tx);
	add_recovery("rx", &rx, report);
	add_recovery("tx", &tx, report);
}
