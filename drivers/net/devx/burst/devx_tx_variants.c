/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_tx_burst.h"
#include "burst/devx_tx_variants.h"

/*
 * meson.build compiles this file once per row of devx_tx_variants.def, with the name in
 * DEVX_ETH_TX_VARIANT. In an object of its own each helper has one caller, so gcc compiles it for
 * the constant flags of this caller.
 */
#define DEFINE(name)                                                                               \
	uint16_t devx_eth_tx_burst_##name(void *queue, struct rte_mbuf **pkts, uint16_t n)         \
	{                                                                                          \
		return devx_eth_tx_burst_template(queue, pkts, n, devx_eth_tx_flags_##name);       \
	}
#define DEFINE_EXPANDED(name) DEFINE(name)
DEFINE_EXPANDED(DEVX_ETH_TX_VARIANT)
