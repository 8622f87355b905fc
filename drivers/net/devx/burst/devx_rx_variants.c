/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_rx_burst.h"
#include "burst/devx_rx_variants.h"

/*
 * meson.build compiles this file in portable C, and again for the processors that have the vector
 * instructions of DEVX_ETH_RX_SIMD: avx2 or avx512.
 */
#ifdef DEVX_ETH_RX_SIMD
#include "burst/devx_rx_vec_x86.h"

#define DEFINE(name, simd)                                                                         \
	DEVX_ETH_RX_BURST(name##_##simd, devx_eth_rx_flags_##name, devx_eth_rx_vec_take_groups)
#define DEFINE_EXPANDED(name, simd) DEFINE(name, simd)
#define RX_VARIANT(name, ...) DEFINE_EXPANDED(name, DEVX_ETH_RX_SIMD)
#define RX_SCALAR(...)
#else
#define RX_VARIANT RX_SCALAR
#define RX_SCALAR(name, ...) DEVX_ETH_RX_BURST(name, devx_eth_rx_flags_##name, NULL)
#endif
#include "burst/devx_rx_variants.def"
