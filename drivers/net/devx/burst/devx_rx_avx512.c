/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_rx_burst.h"
#include "burst/devx_rx_variants.h"
#include "burst/devx_rx_vec_x86.h"

/* Functions for processors with AVX-512; meson.build names the processors to the compiler. */
DEVX_ETH_RX_BURST(plain_avx512, 0, devx_eth_rx_vec_take_groups)
DEVX_ETH_RX_BURST(hash_avx512, DEVX_ETH_RX_HASH, devx_eth_rx_vec_take_groups)
DEVX_ETH_RX_BURST(full_avx512, DEVX_ETH_RX_HASH | DEVX_ETH_RX_FIELDS, devx_eth_rx_vec_take_groups)
