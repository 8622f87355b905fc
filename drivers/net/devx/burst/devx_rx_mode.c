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

/* Vector instructions. @bits: their width, which EAL may limit */
static const struct {
	const char *name;
	uint16_t bits;
} simds[DEVX_ETH_SIMD_N] = {
	[DEVX_ETH_SIMD_AUTO] = { "auto", 0 },
	[DEVX_ETH_SIMD_SCALAR] = { "scalar", RTE_VECT_SIMD_DISABLED },
#ifdef RTE_ARCH_X86_64
	[DEVX_ETH_SIMD_AVX2] = { "avx2", RTE_VECT_SIMD_256 },
	[DEVX_ETH_SIMD_AVX512] = { "avx512", RTE_VECT_SIMD_512 },
#endif
};

static const struct {
	unsigned int flags;
	eth_rx_burst_t burst[DEVX_ETH_SIMD_N];
} variants[] = {
#define RX_SCALAR(name, ...)                                                                       \
	{ devx_eth_rx_flags_##name, { [DEVX_ETH_SIMD_SCALAR] = devx_eth_rx_burst_##name } },
#ifdef RTE_ARCH_X86_64
#define RX_VARIANT(name, ...)                                                                      \
	{ devx_eth_rx_flags_##name,                                                                \
	  { [DEVX_ETH_SIMD_SCALAR] = devx_eth_rx_burst_##name,                                     \
	    [DEVX_ETH_SIMD_AVX2] = devx_eth_rx_burst_##name##_avx2,                                \
	    [DEVX_ETH_SIMD_AVX512] = devx_eth_rx_burst_##name##_avx512 } },
#else
#define RX_VARIANT RX_SCALAR
#endif
#include "burst/devx_rx_variants.def"
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

/* Returns the vector instructions of the port: those of its argument, or the widest possible. */
static unsigned int choose_simd(const struct devx_eth *eth)
{
	unsigned int i = eth->args.rx_burst;

	if (i != DEVX_ETH_SIMD_AUTO)
		return i;
	for (i = DEVX_ETH_SIMD_N - 1; i > DEVX_ETH_SIMD_SCALAR; i--)
		if (cpu_has((enum devx_eth_simd)i) &&
		    simds[i].bits <= rte_vect_get_max_simd_bitwidth())
			break;
	return i;
}

eth_rx_burst_t devx_eth_rx_burst_select(const struct devx_eth *eth)
{
	const uint64_t fields = RTE_ETH_RX_OFFLOAD_VLAN_STRIP | RTE_ETH_RX_OFFLOAD_TIMESTAMP |
				RTE_ETH_RX_OFFLOAD_KEEP_CRC;
	uint64_t offloads = eth->data->dev_conf.rxmode.offloads;
	unsigned int wanted = 0, variant = 0, simd;

	for (uint16_t i = 0; i < eth->data->nb_rx_queues; i++) {
		const struct devx_eth_rxq *rxq = eth->data->rx_queues[i];

		offloads |= rxq ? rxq->offloads : 0;
		wanted |= rxq && rxq->log2_segs ? DEVX_ETH_RX_SCATTER : 0;
	}
	if (offloads & RTE_ETH_RX_OFFLOAD_RSS_HASH)
		wanted |= DEVX_ETH_RX_HASH;
	if (offloads & fields)
		wanted |= DEVX_ETH_RX_FIELDS;
	if (wanted & DEVX_ETH_RX_SCATTER && offloads & RTE_ETH_RX_OFFLOAD_KEEP_CRC)
		wanted |= DEVX_ETH_RX_FCS;
	while (variant + 1 < RTE_DIM(variants) && wanted & ~variants[variant].flags)
		variant++; /* the last row has all flags */
	simd = choose_simd(eth);
	return variants[variant].burst[variants[variant].burst[simd] ? simd : DEVX_ETH_SIMD_SCALAR];
}

/* Writes the name of a receive function; returns false for a function of another driver. */
static bool describe_function(eth_rx_burst_t burst, char *text, size_t bytes)
{
	for (unsigned int i = 0; i < RTE_DIM(variants); i++)
		for (unsigned int simd = DEVX_ETH_SIMD_SCALAR; simd < DEVX_ETH_SIMD_N; simd++)
			if (variants[i].burst[simd] == burst) {
				const unsigned int flags = variants[i].flags;

				snprintf(text, bytes, "%s%s%s%s%s", simds[simd].name,
					 flags & DEVX_ETH_RX_HASH ? ", RSS hash" : "",
					 flags & DEVX_ETH_RX_FIELDS ? ", VLAN, timestamp, CRC" : "",
					 flags & DEVX_ETH_RX_SCATTER ? ", scattered" : "",
					 flags & DEVX_ETH_RX_FCS ? ", whole CRC" : "");
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
