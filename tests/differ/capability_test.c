/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints the capabilities of both drivers side by side, and compares them.
 */
#include <inttypes.h>
#include <stdio.h>

#include "config.h"
#include "report.h"

enum { MAX_TYPES = 256 };

static void compare_value(const char *name, uint64_t mlx5, uint64_t devx)
{
	printf("  %-32s %#18" PRIx64 " %#18" PRIx64 "%s\n", name, mlx5, devx,
	       mlx5 == devx ? "" : "  differs");
	if (mlx5 != devx)
		report_difference(&(struct difference){ JUDGE_MLX5, "capabilities", "port", name,
							mlx5, devx, NULL, NULL });
}

/* Names each offload that only one of the drivers has. */
static void compare_offloads(uint64_t mlx5, uint64_t devx, const char *(*get_name)(uint64_t bit),
			     const char *direction)
{
	char name[64];

	for (uint64_t bit = 1; bit; bit <<= 1) {
		if (!((mlx5 | devx) & bit))
			continue;
		snprintf(name, sizeof(name), "%s %s", direction, get_name(bit));
		compare_value(name, (mlx5 & bit) != 0, (devx & bit) != 0);
	}
}

static void compare_limits(const struct rte_eth_dev_info *a, const struct rte_eth_dev_info *b)
{
	compare_value("min_mtu", a->min_mtu, b->min_mtu);
	compare_value("max_mtu", a->max_mtu, b->max_mtu);
	compare_value("min_rx_bufsize", a->min_rx_bufsize, b->min_rx_bufsize);
	compare_value("max_rx_pktlen", a->max_rx_pktlen, b->max_rx_pktlen);
	compare_value("max_rx_queues", a->max_rx_queues, b->max_rx_queues);
	compare_value("max_tx_queues", a->max_tx_queues, b->max_tx_queues);
	compare_value("max_mac_addrs", a->max_mac_addrs, b->max_mac_addrs);
	compare_value("reta_size", a->reta_size, b->reta_size);
	compare_value("hash_key_size", a->hash_key_size, b->hash_key_size);
	compare_value("nb_seg_max", a->tx_desc_lim.nb_seg_max, b->tx_desc_lim.nb_seg_max);
	compare_value("Rx nb_min", a->rx_desc_lim.nb_min, b->rx_desc_lim.nb_min);
	compare_value("Rx nb_max", a->rx_desc_lim.nb_max, b->rx_desc_lim.nb_max);
	compare_value("Tx nb_max", a->tx_desc_lim.nb_max, b->tx_desc_lim.nb_max);
	compare_value("speed_capa", a->speed_capa, b->speed_capa);
	compare_value("dev_capa", a->dev_capa, b->dev_capa);
	compare_value("rx_drop_en", a->default_rxconf.rx_drop_en, b->default_rxconf.rx_drop_en);
}

static bool lists_type(const uint32_t *types, int n, uint32_t type)
{
	for (int i = 0; i < n; i++)
		if (types[i] == type)
			return true;
	return false;
}

static void compare_types(const struct lab *lab)
{
	uint32_t types[LAB_DRIVERS][MAX_TYPES];
	int n[LAB_DRIVERS];
	char name[128];

	for (int d = 0; d < LAB_DRIVERS; d++)
		n[d] = rte_eth_dev_get_supported_ptypes(lab->side[d].port, RTE_PTYPE_ALL_MASK,
							types[d], MAX_TYPES);
	for (int d = 0; d < LAB_DRIVERS; d++)
		for (int i = 0; i < n[d]; i++) {
			const bool mlx5 = lists_type(types[LAB_MLX5], n[LAB_MLX5], types[d][i]);
			const bool devx = lists_type(types[LAB_DEVX], n[LAB_DEVX], types[d][i]);

			rte_get_ptype_name(types[d][i], name, sizeof(name));
			if (d == LAB_MLX5 || !mlx5)
				compare_value(name, mlx5, devx);
		}
}

TEST(differ, both_drivers_have_the_same_capabilities)
{
	struct lab *lab = lab_open();
	struct rte_eth_dev_info info[LAB_DRIVERS];
	struct dut dut[LAB_DRIVERS];

	report_start();
	if (!lab)
		return;
	/* net_mlx5 has packet types only while its port runs */
	for (int d = 0; d < LAB_DRIVERS; d++) {
		EXPECT_TRUE(config_start(&dut[d], lab, (enum lab_driver)d, &configs[0]));
		EXPECT_EQ(0, rte_eth_dev_info_get(lab->side[d].port, &info[d]));
	}
	printf("  %-32s %18s %18s\n", "", lab_driver_names[LAB_MLX5], lab_driver_names[LAB_DEVX]);
	compare_limits(&info[LAB_MLX5], &info[LAB_DEVX]);
	compare_offloads(info[LAB_MLX5].rx_offload_capa, info[LAB_DEVX].rx_offload_capa,
			 rte_eth_dev_rx_offload_name, "Rx");
	compare_offloads(info[LAB_MLX5].tx_offload_capa, info[LAB_DEVX].tx_offload_capa,
			 rte_eth_dev_tx_offload_name, "Tx");
	compare_value("flow_type_rss_offloads", info[LAB_MLX5].flow_type_rss_offloads,
		      info[LAB_DEVX].flow_type_rss_offloads);
	compare_types(lab);
	for (int d = 0; d < LAB_DRIVERS; d++)
		config_stop(&dut[d]);
}
