/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "devx_hash.h"
#include "devx_hash_tables.h"
#include "devx_log.h"
#include "port/devx_rss.h"

enum { ENTRIES = RTE_ETH_RETA_GROUP_SIZE };

static const uint64_t functions_all = RTE_ETH_RSS_IP | RTE_ETH_RSS_TCP | RTE_ETH_RSS_UDP |
				      RTE_ETH_RSS_L3_SRC_ONLY | RTE_ETH_RSS_L3_DST_ONLY |
				      RTE_ETH_RSS_L4_SRC_ONLY | RTE_ETH_RSS_L4_DST_ONLY;

/* The default key of net_mlx5, so that both drivers distribute packets alike. */
static const uint8_t default_key[DEVX_HASH_KEY_BYTES] = {
	0x2c, 0xc6, 0x81, 0xd1, 0x5b, 0xdb, 0xf4, 0xf7, 0xfc, 0xa2, 0x83, 0x19, 0xdb, 0x1a,
	0x3e, 0x94, 0x6b, 0x9e, 0x38, 0xd9, 0x2c, 0x9c, 0x03, 0xd1, 0xad, 0x99, 0x44, 0xa7,
	0xd9, 0x56, 0x3d, 0x59, 0x06, 0x3c, 0x25, 0xf3, 0xfc, 0x1f, 0xdc, 0x2a,
};

/* Returns the hash functions of a device, or 0 if it lacks a capability that RSS needs. */
static uint64_t get_functions(const struct devx_caps *caps)
{
	return caps->max_ft_level && caps->match_ip_version && caps->match_ip_protocol
		       ? functions_all
		       : 0;
}

void devx_eth_rss_get_info(const struct devx_eth *eth, struct rte_eth_dev_info *info)
{
	info->hash_key_size = DEVX_HASH_KEY_BYTES;
	info->flow_type_rss_offloads = get_functions(&eth->dev.caps);
	info->reta_size = (uint16_t)(eth->rss.n ? eth->rss.n : devx_eth_hash_get_table_max(eth));
}

/* Copies functions and key of @conf into @rss. Without a key in @conf, @rss keeps its own. */
static int take_conf(struct devx_eth *eth, const struct rte_eth_rss_conf *conf,
		     struct devx_eth_rss *rss)
{
	const uint64_t unknown = conf->rss_hf & ~get_functions(&eth->dev.caps);

	if (unknown) {
		devx_eth_log(eth, ERR,
			     "RSS: hash functions 0x%" PRIx64
			     " are unsupported (valid: bits of 0x%" PRIx64 ")",
			     unknown, get_functions(&eth->dev.caps));
		return -EINVAL;
	}
	if (conf->rss_key && conf->rss_key_len != DEVX_HASH_KEY_BYTES) {
		devx_eth_log(eth, ERR, "RSS: a key of %u bytes is invalid (valid: %u bytes)",
			     conf->rss_key_len, DEVX_HASH_KEY_BYTES);
		return -EINVAL;
	}
	rss->functions = conf->rss_hf;
	if (conf->rss_key)
		memcpy(rss->key, conf->rss_key, sizeof(rss->key));
	return 0;
}

static int refuse_queue_number(struct devx_eth *eth, uint16_t n, uint32_t max)
{
	devx_eth_log(eth, ERR,
		     "RSS: %u Rx queues are too many (valid: at most %u, the entries of the "
		     "redirection table); use fewer queues, or RTE_ETH_MQ_RX_NONE",
		     n, max);
	return -EINVAL;
}

/*
 * Distributes the queues over the table. Like net_mlx5, uses one entry per queue, or the largest
 * table if the number of queues is not a power of two.
 */
static void fill_table(struct devx_eth_rss *rss, uint16_t n_queues, uint32_t max)
{
	rss->n = rte_is_power_of_2(n_queues) ? n_queues : max;
	for (uint32_t i = 0; i < rss->n; i++)
		rss->table[i] = (uint16_t)(i % n_queues);
}

int devx_eth_rss_configure(struct devx_eth *eth)
{
	struct rte_eth_conf *conf = &eth->data->dev_conf;
	const enum rte_eth_rx_mq_mode mode = conf->rxmode.mq_mode;
	const uint32_t max = devx_eth_hash_get_table_max(eth);
	const uint16_t n = eth->data->nb_rx_queues;
	struct devx_eth_rss rss = { .on = n && mode == RTE_ETH_MQ_RX_RSS };
	int rc = 0;

	if (mode != RTE_ETH_MQ_RX_NONE && mode != RTE_ETH_MQ_RX_RSS) {
		devx_eth_log(eth, ERR,
			     "multi-queue Rx mode 0x%x is unsupported (valid: RTE_ETH_MQ_RX_NONE, "
			     "RTE_ETH_MQ_RX_RSS)",
			     mode);
		return -ENOTSUP;
	}
	memcpy(rss.key, default_key, sizeof(rss.key));
	if (rss.on && n > max)
		return refuse_queue_number(eth, n, max);
	if (rss.on)
		rc = take_conf(eth, &conf->rx_adv_conf.rss_conf, &rss);
	if (rc)
		return rc;
	if (rss.on) /* net_mlx5 also stores the hash if the application did not ask for it */
		conf->rxmode.offloads |= RTE_ETH_RX_OFFLOAD_RSS_HASH;
	if (n && n <= max)
		fill_table(&rss, n, max);
	eth->rss = rss;
	return 0;
}

int devx_eth_rss_hash_update(struct rte_eth_dev *ethdev, struct rte_eth_rss_conf *conf)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct rte_eth_rss_conf request = *conf;
	struct devx_eth_rss next;
	int rc;

	/* a key of 0 bytes means no change, as in net_mlx5; at configure it is invalid */
	if (!conf->rss_key_len)
		request.rss_key = NULL;
	pthread_mutex_lock(&eth->lock);
	next = eth->rss;
	rc = take_conf(eth, &request, &next);
	if (!rc && eth->started && eth->rss.on)
		rc = devx_eth_hash_update(eth, &next);
	if (!rc)
		eth->rss = next;
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

int devx_eth_rss_hash_conf_get(struct rte_eth_dev *ethdev, struct rte_eth_rss_conf *conf)
{
	const struct devx_eth_rss *rss = &devx_eth_port_get(ethdev)->rss;

	if (conf->rss_key && conf->rss_key_len >= DEVX_HASH_KEY_BYTES)
		memcpy(conf->rss_key, rss->key, DEVX_HASH_KEY_BYTES);
	conf->rss_key_len = DEVX_HASH_KEY_BYTES;
	conf->rss_hf = rss->functions;
	return 0;
}

/* Copies the selected entries of @conf into the table of @rss, which gets @n entries. */
static int take_table(struct devx_eth *eth, const struct rte_eth_rss_reta_entry64 *conf, uint16_t n,
		      struct devx_eth_rss *rss)
{
	const uint32_t max = devx_eth_hash_get_table_max(eth);

	if (!n || n > max || !rte_is_power_of_2(n)) {
		devx_eth_log(eth, ERR,
			     "RSS: a redirection table of %u entries is invalid (valid: a power of "
			     "two, at most %u)",
			     n, max);
		return -EINVAL;
	}
	for (uint32_t i = rss->n; i < n; i++)
		rss->table[i] = 0;
	rss->n = n;
	for (uint16_t i = 0; i < n; i++) {
		const uint16_t queue = conf[i / ENTRIES].reta[i % ENTRIES];

		if (!(conf[i / ENTRIES].mask >> i % ENTRIES & 1))
			continue;
		if (queue >= eth->data->nb_rx_queues) {
			devx_eth_log(eth, ERR,
				     "RSS: entry %u of the redirection table names Rx queue %u "
				     "(valid: 0 to %u)",
				     i, queue, eth->data->nb_rx_queues - 1);
			return -EINVAL;
		}
		rss->table[i] = queue;
	}
	return 0;
}

int devx_eth_rss_reta_update(struct rte_eth_dev *ethdev, struct rte_eth_rss_reta_entry64 *conf,
			     uint16_t n)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);
	struct devx_eth_rss next;
	int rc;

	pthread_mutex_lock(&eth->lock);
	next = eth->rss;
	rc = take_table(eth, conf, n, &next);
	if (!rc && eth->started && eth->rss.on)
		rc = devx_eth_hash_update_table(eth, &next);
	if (!rc)
		eth->rss = next;
	pthread_mutex_unlock(&eth->lock);
	return rc;
}

int devx_eth_rss_reta_query(struct rte_eth_dev *ethdev, struct rte_eth_rss_reta_entry64 *conf,
			    uint16_t n)
{
	struct devx_eth *eth = devx_eth_port_get(ethdev);

	if (!n || n > eth->rss.n) {
		devx_eth_log(
			eth, ERR,
			"RSS: cannot read %u entries of the redirection table (valid: 1 to %u)", n,
			eth->rss.n);
		return -EINVAL;
	}
	for (uint16_t i = 0; i < n; i++)
		conf[i / ENTRIES].reta[i % ENTRIES] = eth->rss.table[i];
	return 0;
}
