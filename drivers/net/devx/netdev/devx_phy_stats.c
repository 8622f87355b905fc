/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include <rte_malloc.h>

#include "devx/netdev_ethtool.h"
#include "devx_counts.h"
#include "devx_log.h"
#include "netdev/devx_phy_stats.h"

/*
 * Names of counters in net_mlx5, and of the statistics of mlx5_core that they show. net_mlx5 does
 * not count pause frames.
 */
static const struct {
	const char *name, *statistic;
} counters[] = {
/* clang-format off */
#define PRIO(n)                                                                     \
	{ "rx_prio" #n "_buf_discard_packets", "rx_prio" #n "_buf_discard" },       \
	{ "rx_prio" #n "_cong_discard_packets", "rx_prio" #n "_cong_discard" }
	{ "rx_phy_packets", "rx_packets_phy" },
	{ "rx_phy_bytes", "rx_bytes_phy" },
	{ "rx_phy_crc_errors", "rx_crc_errors_phy" },
	{ "rx_phy_in_range_len_errors", "rx_in_range_len_errors_phy" },
	{ "rx_phy_symbol_errors", "rx_symbol_err_phy" },
	{ "rx_phy_discard_packets", "rx_discards_phy" },
	{ "rx_phy_pause_packets", "rx_pause_ctrl_phy" },
	{ "tx_phy_packets", "tx_packets_phy" },
	{ "tx_phy_bytes", "tx_bytes_phy" },
	{ "tx_phy_errors", "tx_errors_phy" },
	{ "tx_phy_discard_packets", "tx_discards_phy" },
	PRIO(0), PRIO(1), PRIO(2), PRIO(3), PRIO(4), PRIO(5), PRIO(6), PRIO(7),
#undef PRIO
	/* clang-format on */
};

enum { N_COUNTERS = RTE_DIM(counters) };

/**
 * struct devx_eth_phy_stats - counters of the physical port
 * @stats: statistics of the netdev; stats.n is 0 while the netdev cannot be read
 * @statistic: their names
 * @base: values at the last reset
 * @last: values of the last successful read
 * @shown: rows of counters[] that the netdev has
 * @n_shown: number of entries of @shown
 * @failed: a failure was logged since the last start
 */
struct devx_eth_phy_stats {
	struct devx_netdev_stats stats;
	const char *statistic[N_COUNTERS];
	uint64_t base[N_COUNTERS], last[N_COUNTERS];
	uint8_t shown[N_COUNTERS];
	unsigned int n_shown;
	bool failed;
};

static void report_failure(struct devx_eth *eth, int rc)
{
	if (!eth->netdev.phy_stats->failed)
		devx_eth_log_failure(eth, rc,
				     "cannot read the statistics of the physical port; they keep "
				     "their last values");
	eth->netdev.phy_stats->failed = true;
}

static void read_values(struct devx_eth *eth)
{
	struct devx_eth_phy_stats *phy = eth->netdev.phy_stats;
	const int rc = phy->stats.n && !devx_eth_is_secondary()
			       ? devx_netdev_stats_read(&phy->stats, phy->last)
			       : 0;

	if (rc)
		report_failure(eth, rc);
}

/* Finds the counters that the netdev has. On failure, keeps the old list. */
static void find_counters(struct devx_eth *eth)
{
	struct devx_eth_phy_stats *phy = eth->netdev.phy_stats;
	struct devx_netdev_stats found = { 0 };
	int rc = devx_netdev_stats_create(&found, &eth->dev, phy->statistic, N_COUNTERS);

	phy->failed = false;
	if (rc) {
		report_failure(eth, rc);
		return;
	}
	devx_netdev_stats_destroy(&phy->stats);
	phy->stats = found;
	phy->n_shown = 0;
	for (uint8_t i = 0; i < N_COUNTERS; i++)
		if (found.index[i] >= 0)
			phy->shown[phy->n_shown++] = i;
}

int devx_eth_phy_stats_open(struct devx_eth *eth)
{
	struct devx_eth_phy_stats *phy;

	if (!devx_eth_has_netdev(eth))
		return 0;
	phy = rte_zmalloc("devx_phy_stats", sizeof(*phy), 0); /* secondary processes read it */
	if (!phy) {
		devx_eth_log(eth, ERR, "cannot allocate statistics of the physical port");
		return -ENOMEM;
	}
	for (unsigned int i = 0; i < N_COUNTERS; i++)
		phy->statistic[i] = counters[i].statistic;
	eth->netdev.phy_stats = phy;
	find_counters(eth);
	devx_eth_phy_stats_reset(eth);
	return 0;
}

void devx_eth_phy_stats_start(struct devx_eth *eth)
{
	if (eth->netdev.phy_stats)
		find_counters(eth);
}

void devx_eth_phy_stats_continue(struct devx_eth *eth)
{
	struct devx_eth_phy_stats *phy = eth->netdev.phy_stats;
	uint64_t before[N_COUNTERS];

	if (!phy)
		return;
	find_counters(eth);
	memcpy(before, phy->last, sizeof(before));
	read_values(eth);
	devx_eth_counts_continue(phy->base, before, phy->last, N_COUNTERS);
}

void devx_eth_phy_stats_close(struct devx_eth *eth)
{
	if (eth->netdev.phy_stats)
		devx_netdev_stats_destroy(&eth->netdev.phy_stats->stats);
	rte_free(eth->netdev.phy_stats);
	eth->netdev.phy_stats = NULL;
}

unsigned int devx_eth_phy_stats_count(const struct devx_eth *eth)
{
	return eth->netdev.phy_stats ? eth->netdev.phy_stats->n_shown : 0;
}

const char *devx_eth_phy_stats_name(const struct devx_eth *eth, unsigned int i)
{
	return counters[eth->netdev.phy_stats->shown[i]].name;
}

void devx_eth_phy_stats_read(struct devx_eth *eth, struct rte_eth_xstat *stats)
{
	const struct devx_eth_phy_stats *phy = eth->netdev.phy_stats;

	if (!phy)
		return;
	read_values(eth);
	for (unsigned int i = 0; i < phy->n_shown; i++)
		stats[i].value = phy->last[phy->shown[i]] - phy->base[phy->shown[i]];
}

void devx_eth_phy_stats_reset(struct devx_eth *eth)
{
	struct devx_eth_phy_stats *phy = eth->netdev.phy_stats;

	if (!phy)
		return;
	read_values(eth);
	memcpy(phy->base, phy->last, sizeof(phy->base));
}
