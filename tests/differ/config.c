/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <rte_malloc.h>
#include <rte_mbuf_dyn.h>

#include "mbuf_pool.h"

enum { RING = 512, SPARE = 2048, CACHE = 64, TX_MBUFS = 1023, KEY_BYTES = 40 };

#define SUMS (RTE_ETH_RX_OFFLOAD_CHECKSUM)
#define HASH (RTE_ETH_RX_OFFLOAD_RSS_HASH)
#define RSS_ALL (RTE_ETH_RSS_IP | RTE_ETH_RSS_TCP | RTE_ETH_RSS_UDP)
#define TX_SUMS                                                                                    \
	(RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM |                            \
	 RTE_ETH_TX_OFFLOAD_TCP_CKSUM)

/* clang-format off */
#define PLAIN .n_rxq = 1, .mtu = 1500, .buffer = 2048, .ring = RING

const struct config configs[] = {
	{ .name = "default", PLAIN },
	{ .name = "checksums", PLAIN, .rx_offloads = SUMS },
	{ .name = "rss", .n_rxq = 4, .mtu = 1500, .buffer = 2048, .ring = RING,
	  .rx_offloads = HASH, .rss_hf = RSS_ALL },
	{ .name = "scatter", .n_rxq = 1, .mtu = 9000, .buffer = 512, .ring = 4096,
	  .rx_offloads = RTE_ETH_RX_OFFLOAD_SCATTER },
	{ .name = "vlan_strip", PLAIN, .rx_offloads = RTE_ETH_RX_OFFLOAD_VLAN_STRIP },
	{ .name = "vlan_filter", PLAIN, .vlan_filter = true, .filters = true,
	  .rx_offloads = RTE_ETH_RX_OFFLOAD_VLAN_FILTER },
	{ .name = "timestamps", PLAIN, .rx_offloads = RTE_ETH_RX_OFFLOAD_TIMESTAMP },
	{ .name = "keep_crc", PLAIN, .rx_offloads = RTE_ETH_RX_OFFLOAD_KEEP_CRC },
	{ .name = "filters", PLAIN, .filters = true },
	{ .name = "vxlan_rule", PLAIN, .rx_offloads = SUMS, .tunnel = VXLAN_RULE },
	{ .name = "gre_rule", PLAIN, .rx_offloads = SUMS, .tunnel = GRE_RULE },
	{ .name = "all", .n_rxq = 4, .mtu = 9000, .buffer = 1024, .ring = 2048, .rss_hf = RSS_ALL,
	  .rx_offloads = SUMS | HASH | RTE_ETH_RX_OFFLOAD_SCATTER |
			 RTE_ETH_RX_OFFLOAD_VLAN_STRIP | RTE_ETH_RX_OFFLOAD_TIMESTAMP },
};
/* clang-format on */
const unsigned int n_configs = sizeof(configs) / sizeof(configs[0]);

uint8_t config_rss_key[KEY_BYTES] = {
	0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3,
	0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3,
	0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
};

static bool tell_lack(struct dut *dut, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static bool tell_lack(struct dut *dut, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(dut->lacks, sizeof(dut->lacks), fmt, args);
	va_end(args);
	return false;
}

static bool has_capabilities(struct dut *dut, const struct rte_eth_dev_info *info)
{
	const struct config *c = dut->config;
	const uint64_t no_rx = c->rx_offloads & ~info->rx_offload_capa;
	const uint64_t no_tx = c->tx_offloads & ~info->tx_offload_capa;

	if (no_rx)
		return tell_lack(dut, "Rx offload %s", rte_eth_dev_rx_offload_name(no_rx & -no_rx));
	if (no_tx)
		return tell_lack(dut, "Tx offload %s", rte_eth_dev_tx_offload_name(no_tx & -no_tx));
	if (c->n_rxq > info->max_rx_queues)
		return tell_lack(dut, "%u Rx queues (it has %u)", c->n_rxq, info->max_rx_queues);
	if (c->rss_hf & ~info->flow_type_rss_offloads)
		return tell_lack(dut, "RSS functions 0x%" PRIx64,
				 c->rss_hf & ~info->flow_type_rss_offloads);
	return true;
}

static bool set_up_queues(struct dut *dut, const struct rte_eth_dev_info *info)
{
	const struct config *c = dut->config;
	struct rte_eth_rxconf rx = info->default_rxconf;
	struct rte_eth_txconf tx = info->default_txconf;
	int rc = 0;

	rx.offloads = c->rx_offloads;
	tx.offloads = c->tx_offloads;
	for (uint16_t i = 0; !rc && i < c->n_rxq; i++)
		rc = rte_eth_rx_queue_setup(dut->side->port, i, c->ring, 0, &rx, dut->pool);
	if (rc)
		return tell_lack(dut, "rte_eth_rx_queue_setup: %s", strerror(-rc));
	rc = rte_eth_tx_queue_setup(dut->side->port, 0, RING, 0, &tx);
	return rc ? tell_lack(dut, "rte_eth_tx_queue_setup: %s", strerror(-rc)) : true;
}

static bool set_reta(struct dut *dut)
{
	struct rte_eth_rss_reta_entry64 reta[RTE_ETH_RSS_RETA_SIZE_512 / RTE_ETH_RETA_GROUP_SIZE];
	struct rte_eth_dev_info info;
	int rc;

	rte_eth_dev_info_get(dut->side->port, &info);
	if (dut->config->n_rxq < 2)
		return true;
	for (uint16_t i = 0; i < info.reta_size; i++) {
		reta[i / RTE_ETH_RETA_GROUP_SIZE].mask = UINT64_MAX;
		reta[i / RTE_ETH_RETA_GROUP_SIZE].reta[i % RTE_ETH_RETA_GROUP_SIZE] =
			(uint16_t)((i * 3 + 1) % dut->config->n_rxq);
	}
	rc = rte_eth_dev_rss_reta_update(dut->side->port, reta, info.reta_size);
	return rc ? tell_lack(dut, "rte_eth_dev_rss_reta_update: %s", strerror(-rc)) : true;
}

static bool set_filters(struct dut *dut)
{
	static struct rte_ether_addr second = { { 0x02, 0xcc, 0xcc, 0xcc, 0xcc, 0x02 } };
	static struct rte_ether_addr group = { { 0x01, 0x00, 0x5e, 0x01, 0x02, 0x03 } };
	const uint16_t port = dut->side->port;
	const bool on = dut->config->filters;
	int rc;

	rc = on ? rte_eth_promiscuous_disable(port) : rte_eth_promiscuous_enable(port);
	if (rc)
		return tell_lack(dut, "promiscuous mode: %s", strerror(-rc));
	rc = on ? rte_eth_dev_mac_addr_add(port, &second, 0) : 0;
	if (rc)
		return tell_lack(dut, "rte_eth_dev_mac_addr_add: %s", strerror(-rc));
	rc = on ? rte_eth_dev_set_mc_addr_list(port, &group, 1) : 0;
	if (rc)
		return tell_lack(dut, "rte_eth_dev_set_mc_addr_list: %s", strerror(-rc));
	rc = dut->config->vlan_filter ? rte_eth_dev_vlan_filter(port, 100, 1) : 0;
	return rc ? tell_lack(dut, "rte_eth_dev_vlan_filter: %s", strerror(-rc)) : true;
}

static bool set_tunnel(struct dut *dut)
{
	const bool needed = dut->side->driver == LAB_MLX5 && dut->config->tunnel;
	const int rc = needed ? tunnel_rule_add(dut->side->port, dut->config->tunnel) : 0;

	return rc ? tell_lack(dut, "a rule of rte_flow: %s", strerror(-rc)) : true;
}

static bool reset_counters(struct dut *dut)
{
	return !dut->lab->emu->counters(dut->side->emu_port, &dut->before, sizeof(dut->before)) &&
	       !rte_eth_xstats_reset(dut->side->port) && !rte_eth_stats_reset(dut->side->port);
}

static bool configure_port(struct dut *dut)
{
	const struct config *c = dut->config;
	struct rte_ether_addr mac = dut->lab->mac;
	struct rte_eth_conf conf = {
		.lpbk_mode = c->lpbk_mode,
		.rxmode = { .mtu = c->mtu, .offloads = c->rx_offloads },
		.txmode = { .offloads = c->tx_offloads },
		.rx_adv_conf.rss_conf = { config_rss_key, sizeof(config_rss_key), c->rss_hf },
	};
	struct rte_eth_dev_info info;
	int rc;

	rte_eth_dev_info_get(dut->side->port, &info);
	if (!has_capabilities(dut, &info))
		return false;
	if (c->n_rxq > 1)
		conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
	rc = rte_eth_dev_configure(dut->side->port, c->n_rxq, 1, &conf);
	if (rc)
		return tell_lack(dut, "rte_eth_dev_configure: %s", strerror(-rc));
	if (!set_up_queues(dut, &info))
		return false;
	/* net_devx does not lower the MTU of the netdev for rte_eth_dev_configure() */
	rc = rte_eth_dev_set_mtu(dut->side->port, c->mtu);
	if (rc)
		return tell_lack(dut, "rte_eth_dev_set_mtu: %s", strerror(-rc));
	rc = rte_eth_dev_default_mac_addr_set(dut->side->port, &mac);
	if (rc)
		return tell_lack(dut, "rte_eth_dev_default_mac_addr_set: %s", strerror(-rc));
	rc = rte_eth_dev_start(dut->side->port);
	if (rc)
		return tell_lack(dut, "rte_eth_dev_start: %s", strerror(-rc));
	if (set_reta(dut) && set_filters(dut) && set_tunnel(dut))
		return reset_counters(dut);
	rte_eth_dev_stop(dut->side->port);
	return false;
}

static unsigned int count_mbufs(const struct config *c)
{
	return (unsigned int)c->n_rxq * c->ring + SPARE - 1;
}

static void make_pool(struct dut *dut, const char *name)
{
	const struct config *c = dut->config;
	const uint16_t room = (uint16_t)(c->buffer + RTE_PKTMBUF_HEADROOM);
	const unsigned int n = count_mbufs(c);
	struct rte_pktmbuf_extmem memory = { .buf_iova = RTE_BAD_IOVA,
					     .buf_len = (size_t)n * room,
					     .elt_size = room };

	if (!c->pinned) {
		dut->pool = rte_pktmbuf_pool_create(name, n, CACHE, 0, room, 0);
		return;
	}
	memory.buf_ptr = dut->pinned = rte_malloc(NULL, memory.buf_len, 0);
	if (dut->pinned)
		dut->pool = rte_pktmbuf_pool_create_extbuf(name, n, CACHE, 0, room, 0, &memory, 1);
}

static void clear_filters(const struct dut *dut)
{
	struct rte_ether_addr second = { { 0x02, 0xcc, 0xcc, 0xcc, 0xcc, 0x02 } };

	if (!dut->config->filters)
		return;
	rte_eth_dev_mac_addr_remove(dut->side->port, &second);
	rte_eth_dev_set_mc_addr_list(dut->side->port, NULL, 0);
	if (dut->config->vlan_filter)
		rte_eth_dev_vlan_filter(dut->side->port, 100, 0);
}

bool config_start(struct dut *dut, const struct lab *lab, enum lab_driver driver,
		  const struct config *config)
{
	char name[RTE_MEMPOOL_NAMESIZE];

	*dut = (struct dut){ .lab = lab, .side = &lab->side[driver], .config = config };
	snprintf(name, sizeof(name), "%s", lab_driver_names[driver]);
	make_pool(dut, name);
	strcat(name, "_tx");
	dut->tx_pool = rte_pktmbuf_pool_create(name, TX_MBUFS, 0, 0,
					       LAB_PEER_BUFFER + RTE_PKTMBUF_HEADROOM, 0);
	if (!dut->pool || !dut->tx_pool)
		tell_lack(dut, "a pool: no memory");
	else if (configure_port(dut))
		return true;
	rte_mempool_free(dut->pool);
	rte_mempool_free(dut->tx_pool);
	rte_free(dut->pinned);
	dut->pool = NULL;
	return false;
}

void config_stop(struct dut *dut)
{
	if (!dut->pool)
		return;
	clear_filters(dut);
	if (dut->side->driver == LAB_MLX5 && dut->config->tunnel)
		tunnel_rule_remove(dut->side->port);
	EXPECT_EQ(0, rte_eth_dev_stop(dut->side->port));
	EXPECT_EQ(0, rte_eth_stats_get(dut->side->port, &dut->stats));
	config_expect_account(dut);
	mbuf_pool_free(dut->pool);
	mbuf_pool_free(dut->tx_pool);
	rte_free(dut->pinned);
	dut->pool = NULL;
}

void config_run(const struct lab *lab, const struct config *config,
		void (*compare)(const struct dut dut[LAB_DRIVERS], uint16_t burst))
{
	static const uint16_t bursts[] = { 1, 4, 32, 64 };
	struct dut dut[LAB_DRIVERS];

	for (int d = 0; d < LAB_DRIVERS; d++)
		if (!config_start(&dut[d], lab, (enum lab_driver)d, config))
			ADD_FAILURE("%s: %s lacks %s:\n%s", config->name, lab_driver_names[d],
				    dut[d].lacks, lab_read_log());
	for (unsigned int i = 0; i < RTE_DIM(bursts) && dut[LAB_MLX5].pool; i++)
		compare(dut, bursts[i]);
	for (int d = 0; d < LAB_DRIVERS; d++)
		config_stop(&dut[d]);
	config_compare_stats(dut);
}
