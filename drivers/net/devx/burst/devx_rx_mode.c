/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_cpuflags.h>
#include <rte_vect.h>

#include "burst/devx_burst_mode.h"
#include "burst/devx_port_burst.h"
#include "burst/devx_rx_variants.h"
#include "devx_rxq.h"

/* Selects the receive function of a port, and describes it to the application. */

enum variant { PLAIN, HASH, FULL, N_VARIANTS };

static const char *const variant_texts[N_VARIANTS] = {
	[PLAIN] = "",
	[HASH] = ", RSS hash",
	[FULL] = ", RSS hash, VLAN, timestamp, CRC",
};

/* Functions for vector instructions. @bits: width of the instructions, as EAL limits it. */
static const struct simd {
	const char *name;
	uint16_t bits;
	eth_rx_burst_t burst[N_VARIANTS];
} simds[DEVX_ETH_SIMD_N] = {
	[DEVX_ETH_SIMD_AUTO] = { .name = "auto" },
	[DEVX_ETH_SIMD_SCALAR] = { "scalar",
				   RTE_VECT_SIMD_DISABLED,
				   { devx_eth_rx_burst_plain, devx_eth_rx_burst_hash,
				     devx_eth_rx_burst_full } },
#ifdef RTE_ARCH_X86_64
	[DEVX_ETH_SIMD_AVX2] = { "avx2",
				 RTE_VECT_SIMD_256,
				 { devx_eth_rx_burst_plain_avx2, devx_eth_rx_burst_hash_avx2,
				   devx_eth_rx_burst_full_avx2 } },
	[DEVX_ETH_SIMD_AVX512] = { "avx512",
				   RTE_VECT_SIMD_512,
				   { devx_eth_rx_burst_plain_avx512, devx_eth_rx_burst_hash_avx512,
				     devx_eth_rx_burst_full_avx512 } },
#endif
};

static bool cpu_has(enum devx_eth_simd simd)
{
	switch (simd) {
	case DEVX_ETH_SIMD_AUTO:
	case DEVX_ETH_SIMD_SCALAR:
		return true;
#ifdef RTE_ARCH_X86_64
	case DEVX_ETH_SIMD_AVX2:
		return rte_cpu_get_flag_enabled(RTE_CPUFLAG_AVX2) > 0 &&
		       rte_cpu_get_flag_enabled(RTE_CPUFLAG_BMI2) > 0 &&
		       rte_cpu_get_flag_enabled(RTE_CPUFLAG_MOVBE) > 0;
	case DEVX_ETH_SIMD_AVX512:
		return cpu_has(DEVX_ETH_SIMD_AVX2) &&
		       rte_cpu_get_flag_enabled(RTE_CPUFLAG_AVX512F) > 0 &&
		       rte_cpu_get_flag_enabled(RTE_CPUFLAG_AVX512BW) > 0 &&
		       rte_cpu_get_flag_enabled(RTE_CPUFLAG_AVX512VL) > 0 &&
		       rte_cpu_get_flag_enabled(RTE_CPUFLAG_AVX512VBMI) > 0;
#endif
	default:
		return false;
	}
}

int devx_eth_rx_simd_find(const char *name, enum devx_eth_simd *simd)
{
	for (unsigned int i = 0; i < RTE_DIM(simds); i++)
		if (simds[i].name && !strcmp(name, simds[i].name)) {
			*simd = (enum devx_eth_simd)i;
			return cpu_has(*simd) ? 0 : -ENOTSUP;
		}
	return -EINVAL;
}

/* Returns the vector instructions of the port: those of its argument, or the widest. */
static const struct simd *choose_simd(const struct devx_eth *eth)
{
	unsigned int i = eth->args.rx_burst;

	if (i != DEVX_ETH_SIMD_AUTO)
		return &simds[i];
	for (i = DEVX_ETH_SIMD_N - 1; i > DEVX_ETH_SIMD_SCALAR; i--)
		if (cpu_has((enum devx_eth_simd)i) &&
		    simds[i].bits <= rte_vect_get_max_simd_bitwidth())
			break;
	return &simds[i];
}

eth_rx_burst_t devx_eth_rx_burst_select(const struct devx_eth *eth)
{
	const uint64_t full = RTE_ETH_RX_OFFLOAD_VLAN_STRIP | RTE_ETH_RX_OFFLOAD_TIMESTAMP |
			      RTE_ETH_RX_OFFLOAD_KEEP_CRC;
	uint64_t offloads = eth->data->dev_conf.rxmode.offloads;
	bool scatter = false;

	for (uint16_t i = 0; i < eth->data->nb_rx_queues; i++) {
		const struct devx_eth_rxq *rxq = eth->data->rx_queues[i];

		offloads |= rxq ? rxq->offloads : 0;
		scatter |= rxq && rxq->log2_segs;
	}
	if (scatter)
		return offloads & RTE_ETH_RX_OFFLOAD_KEEP_CRC ? devx_eth_rx_burst_scatter_fcs
							      : devx_eth_rx_burst_scatter;
	if (offloads & full)
		return choose_simd(eth)->burst[FULL];
	return choose_simd(eth)->burst[offloads & RTE_ETH_RX_OFFLOAD_RSS_HASH ? HASH : PLAIN];
}

/* Writes the name of a receive function; false: @burst is none of this driver. */
static bool describe_function(eth_rx_burst_t burst, char *text, size_t bytes)
{
	if (burst == devx_eth_rx_burst_scatter || burst == devx_eth_rx_burst_scatter_fcs) {
		snprintf(text, bytes, "scalar%s, scattered%s", variant_texts[FULL],
			 burst == devx_eth_rx_burst_scatter_fcs ? ", whole CRC" : "");
		return true;
	}
	for (unsigned int i = DEVX_ETH_SIMD_SCALAR; i < RTE_DIM(simds); i++)
		for (unsigned int v = 0; v < N_VARIANTS; v++)
			if (simds[i].burst[v] == burst) {
				snprintf(text, bytes, "%s%s", simds[i].name, variant_texts[v]);
				return true;
			}
	return false;
}

int devx_eth_rx_burst_mode_get(struct rte_eth_dev *ethdev, uint16_t queue,
			       struct rte_eth_burst_mode *mode)
{
	const struct devx_eth_rxq *rxq = ethdev->data->rx_queues[queue];
	char text[RTE_ETH_BURST_MODE_INFO_SIZE / 2];

	if (!rxq || !describe_function(devx_eth_port_burst_get_rx(ethdev), text, sizeof(text)))
		return -EINVAL; /* a stopped port has ethdev's dummy function */
	snprintf(mode->info, sizeof(mode->info), "%s, %s", text,
		 rxq->one_range ? "one memory key" : "several memory keys");
	return 0;
}
