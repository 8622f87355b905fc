/* SPDX-License-Identifier: BSD-3-Clause */
#include <stddef.h>
#include <string.h>

#include <rte_string_fns.h>

#include "devx_counts.h"
#include "devx_generator.h"
#include "devx_missed.h"
#include "devx_rxq.h"
#include "devx_txq.h"
#include "netdev/devx_phy_stats.h"
#include "queue/devx_generator_lifecycle.h"
#include "stats/devx_stats.h"

/**
 * DOC: Statistics
 *
 * Only the owner of a queue writes its counters. A reset of statistics therefore leaves them
 * unchanged and copies them to `base`. Firmware counts packets that found no buffer
 * (devx_missed.c). The counters of the port include packets that the kernel sends and receives.
 */

/* Reads published counters in a secondary process, because rings are private to the primary one. */
static void add_generators(const struct devx_eth *eth, struct devx_eth_tx_counters *sum)
{
	const struct devx_eth_generated now =
		devx_eth_is_secondary() ? eth->stats.published : devx_eth_generator_read(eth);

	sum->packets += now.packets;
	sum->bytes += now.bytes;
	sum->lost += now.lost;
	sum->unknown += now.unknown;
	sum->error_cqes += now.error_cqes;
	sum->cq_errors += now.cq_errors;
	sum->recoveries += now.recoveries;
}

static void reset_generators(struct devx_eth *eth)
{
	devx_eth_generator_lock_all();
	for (struct rte_pmd_devx_ring *r = eth->generators; r; r = r->next)
		r->base = r->n;
	eth->stats.generated = (struct devx_eth_generated){ 0 };
	devx_eth_generator_unlock_all();
	devx_eth_generator_publish(eth);
}

/* Sums over all queues, including released ones, since the last reset of statistics. */
static void sum_queues(const struct devx_eth *eth, struct devx_eth_counts *sums)
{
	const struct rte_eth_dev_data *data = eth->data;

	*sums = eth->stats.released;
	for (uint16_t i = 0; i < data->nb_rx_queues; i++) {
		const struct devx_eth_rxq *rxq = data->rx_queues[i];

		if (rxq)
			devx_eth_counts_add(&sums->rx, &rxq->n, &rxq->base, sizeof(sums->rx));
	}
	for (uint16_t i = 0; i < data->nb_tx_queues; i++) {
		const struct devx_eth_txq *txq = data->tx_queues[i];

		if (txq)
			devx_eth_counts_add(&sums->tx, &txq->n, &txq->base, sizeof(sums->tx));
	}
	add_generators(eth, &sums->tx);
}

/* Counts the errors of a receive queue as net_mlx5 does: with packets that found no mbuf. */
static uint64_t count_rx_errors(const struct devx_eth_rx_counters *n)
{
	return n->no_mbuf + n->too_long + n->failed + n->lost;
}

int devx_eth_stats_get(DEVX_ETH_STATS_ARGS)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct rte_eth_dev_data *data = ethdev->data;
	struct devx_eth_counts sums;
	uint64_t age_ms;

	stats->imissed = devx_eth_missed_get(eth, &age_ms);
	sum_queues(eth, &sums);
	stats->ipackets = sums.rx.packets;
	stats->ibytes = sums.rx.bytes;
	stats->ierrors = sums.rx.too_long + sums.rx.failed;
	stats->rx_nombuf = sums.rx.no_mbuf;
	stats->opackets = sums.tx.packets;
	stats->obytes = sums.tx.bytes;
	stats->oerrors = sums.tx.unregistered + sums.tx.bad_length + sums.tx.bad_segments +
			 sums.tx.bad_tso + sums.tx.unreadable + sums.tx.lost;

	for (uint16_t i = 0; i < data->nb_rx_queues && i < RTE_ETHDEV_QUEUE_STAT_CNTRS; i++) {
		const struct devx_eth_rxq *rxq = data->rx_queues[i];

		if (!rxq || !devx_eth_queue_stats(stats, queues))
			continue;
		devx_eth_queue_stats(stats, queues)->q_ipackets[i] =
			rxq->n.packets - rxq->base.packets;
		devx_eth_queue_stats(stats, queues)->q_ibytes[i] = rxq->n.bytes - rxq->base.bytes;
		devx_eth_queue_stats(stats, queues)->q_errors[i] =
			count_rx_errors(&rxq->n) - count_rx_errors(&rxq->base);
	}
	for (uint16_t i = 0; i < data->nb_tx_queues && i < RTE_ETHDEV_QUEUE_STAT_CNTRS; i++) {
		const struct devx_eth_txq *txq = data->tx_queues[i];

		if (!txq || !devx_eth_queue_stats(stats, queues))
			continue;
		devx_eth_queue_stats(stats, queues)->q_opackets[i] =
			txq->n.packets - txq->base.packets;
		devx_eth_queue_stats(stats, queues)->q_obytes[i] = txq->n.bytes - txq->base.bytes;
	}
	return 0;
}

int devx_eth_stats_reset(struct rte_eth_dev *ethdev)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct rte_eth_dev_data *data = ethdev->data;

	pthread_mutex_lock(&eth->lock);
	devx_eth_missed_reset(eth);
	eth->stats.released = (struct devx_eth_counts){ 0 };
	for (uint16_t i = 0; i < data->nb_rx_queues; i++) {
		struct devx_eth_rxq *rxq = data->rx_queues[i];

		if (rxq)
			rxq->base = rxq->n;
	}
	for (uint16_t i = 0; i < data->nb_tx_queues; i++) {
		struct devx_eth_txq *txq = data->tx_queues[i];

		if (txq)
			txq->base = txq->n;
	}
	reset_generators(eth);
	pthread_mutex_unlock(&eth->lock);
	return 0;
}

/* ---- extended ------------------------------------------------------------------------ */

/* Counters that net_mlx5 also has have the same names there. */
static const struct {
	const char *name;
	size_t offset; /* in struct devx_eth_counts */
} queue_xstats[] = {
/* clang-format off */
#define RX(name, field) { name, offsetof(struct devx_eth_counts, rx.field) }
#define TX(name, field) { name, offsetof(struct devx_eth_counts, tx.field) }
	/* clang-format on */
	RX("rx_too_long_packets", too_long),
	RX("rx_failed_packets", failed),
	RX("rx_lost_packets", lost),
	RX("rx_wqe_errors", error_cqes),
	RX("rx_cq_errors", cq_errors),
	RX("rx_recoveries", recoveries),
	TX("tx_unregistered_packets", unregistered),
	TX("tx_bad_length_packets", bad_length),
	TX("tx_bad_segments_packets", bad_segments),
	TX("tx_bad_tso_packets", bad_tso),
	TX("tx_unreadable_header_packets", unreadable),
	TX("tx_lost_packets", lost),
	TX("tx_unknown_packets", unknown),
	TX("tx_wqe_errors", error_cqes),
	TX("tx_cq_errors", cq_errors),
	TX("tx_recoveries", recoveries),
#undef RX
#undef TX
};

static const struct {
	const char *name;
	size_t offset; /* in struct devx_port_counters */
} port_xstats[] = {
/* clang-format off */
#define PORT(name, field)                                                                   \
	{ name "_packets", offsetof(struct devx_port_counters, field.packets) },            \
	{ name "_bytes", offsetof(struct devx_port_counters, field.bytes) }
	PORT("rx_unicast", rx_unicast),
	PORT("rx_multicast", rx_multicast),
	PORT("rx_broadcast", rx_broadcast),
	PORT("tx_unicast", tx_unicast),
	PORT("tx_multicast", tx_multicast),
	PORT("tx_broadcast", tx_broadcast),
#undef PORT
	/* clang-format on */
};

/* The age of the first counter is in ms. */
static const char *const missed_xstats[] = { "rx_out_of_buffer", "rx_out_of_buffer_age_ms" };

static unsigned int count_port_xstats(const struct devx_eth *eth)
{
	return eth->dev.caps.vport_counters ? RTE_DIM(port_xstats) : 0;
}

/*
 * Order of extended statistics: missed_xstats; counters of queues; counters of the port, if
 * firmware supports them; counters of the physical port, if the netdev has them.
 */
static unsigned int count_xstats(const struct devx_eth *eth)
{
	return RTE_DIM(missed_xstats) + RTE_DIM(queue_xstats) + count_port_xstats(eth) +
	       devx_eth_phy_stats_count(eth);
}

static const char *get_xstat_name(const struct devx_eth *eth, unsigned int i)
{
	if (i < RTE_DIM(missed_xstats))
		return missed_xstats[i];
	i -= RTE_DIM(missed_xstats);
	if (i < RTE_DIM(queue_xstats))
		return queue_xstats[i].name;
	i -= RTE_DIM(queue_xstats);
	if (i < count_port_xstats(eth))
		return port_xstats[i].name;
	return devx_eth_phy_stats_name(eth, i - count_port_xstats(eth));
}

/* Takes no lock in a secondary process, which might be killed while it holds the lock. */
static void lock_port(struct devx_eth *eth)
{
	if (!devx_eth_is_secondary())
		pthread_mutex_lock(&eth->lock);
}

static void unlock_port(struct devx_eth *eth)
{
	if (!devx_eth_is_secondary())
		pthread_mutex_unlock(&eth->lock);
}

int devx_eth_xstats_get_names(struct rte_eth_dev *ethdev, struct rte_eth_xstat_name *names,
			      unsigned int n)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	unsigned int count;

	lock_port(eth); /* a start on another thread changes the counters */
	count = count_xstats(eth);
	if (names && n >= count)
		for (unsigned int i = 0; i < count; i++)
			rte_strscpy(names[i].name, get_xstat_name(eth, i), sizeof(names[i].name));
	unlock_port(eth);
	return (int)count;
}

static uint64_t get_counter(const void *counters, size_t offset)
{
	uint64_t value;

	memcpy(&value, (const char *)counters + offset, sizeof(value));
	return value;
}

/*
 * Waits for firmware, because the kernel offers no asynchronous variant of this command. After a
 * failure, and in secondary processes, the last values stay. The caller holds eth->lock.
 */
static void read_port_counters(struct devx_eth *eth)
{
	if (eth->dev.caps.vport_counters && !devx_eth_is_lost(eth) && !devx_eth_is_secondary())
		devx_port_read_counters(&eth->dev, &eth->stats.port);
}

/* Writes count_xstats() entries. The caller holds eth->lock. */
static void read_xstats(struct devx_eth *eth, struct rte_eth_xstat *stats)
{
	struct devx_eth_counts sums;
	unsigned int k = 0;

	stats[k].value = devx_eth_missed_get(eth, &stats[k + 1].value);
	k += RTE_DIM(missed_xstats);
	sum_queues(eth, &sums);
	for (unsigned int i = 0; i < RTE_DIM(queue_xstats); i++)
		stats[k++].value = get_counter(&sums, queue_xstats[i].offset);
	read_port_counters(eth);
	for (unsigned int i = 0; i < count_port_xstats(eth); i++)
		stats[k++].value = get_counter(&eth->stats.port, port_xstats[i].offset) -
				   get_counter(&eth->stats.port_base, port_xstats[i].offset);
	devx_eth_phy_stats_read(eth, &stats[k]);
}

int devx_eth_xstats_get(struct rte_eth_dev *ethdev, struct rte_eth_xstat *stats, unsigned int n)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	unsigned int count;

	lock_port(eth); /* a start on another thread changes the counters */
	count = count_xstats(eth);
	if (n >= count) {
		read_xstats(eth, stats);
		for (unsigned int i = 0; i < count; i++)
			stats[i].id = i;
	}
	unlock_port(eth);
	return (int)count;
}

static void begin_port_counts(struct devx_eth *eth)
{
	read_port_counters(eth);
	eth->stats.port_base = eth->stats.port;
	devx_eth_phy_stats_reset(eth);
}

int devx_eth_xstats_reset(struct rte_eth_dev *ethdev)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);

	pthread_mutex_lock(&eth->lock);
	begin_port_counts(eth);
	pthread_mutex_unlock(&eth->lock);
	return devx_eth_stats_reset(ethdev);
}

void devx_eth_stats_continue(struct devx_eth *eth)
{
	const struct devx_port_counters before = eth->stats.port;

	read_port_counters(eth);
	devx_eth_counts_continue((uint64_t *)&eth->stats.port_base, (const uint64_t *)&before,
				 (const uint64_t *)&eth->stats.port,
				 sizeof(before) / sizeof(uint64_t));
	devx_eth_phy_stats_continue(eth);
}

int devx_eth_stats_open(struct devx_eth *eth)
{
	const int rc = devx_eth_phy_stats_open(eth);

	if (!rc)
		begin_port_counts(eth);
	return rc;
}
