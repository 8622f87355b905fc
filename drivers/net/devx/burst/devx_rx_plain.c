/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_rx_burst.h"
#include "burst/devx_rx_variants.h"

/* Handles one CQE at a time, in portable C. */
DEVX_ETH_RX_BURST(plain, 0, NULL)
