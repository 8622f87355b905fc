/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_rx_burst.h"
#include "burst/devx_rx_variants.h"

/* Also the RSS hash. */
DEVX_ETH_RX_BURST(hash, DEVX_ETH_RX_HASH, NULL)
