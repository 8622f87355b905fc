/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_rx_burst.h"
#include "burst/devx_rx_variants.h"

/* Also VLAN tags, timestamps and the frame check sequence. */
DEVX_ETH_RX_BURST(full, DEVX_ETH_RX_HASH | DEVX_ETH_RX_FIELDS, NULL)
