/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_rx_burst.h"
#include "burst/devx_rx_variants.h"

/* Also several buffers per packet. */
DEVX_ETH_RX_BURST(scatter, DEVX_ETH_RX_HASH | DEVX_ETH_RX_FIELDS | DEVX_ETH_RX_SCATTER, NULL)

/* And frame check sequences. */
DEVX_ETH_RX_BURST(scatter_fcs,
		  DEVX_ETH_RX_HASH | DEVX_ETH_RX_FIELDS | DEVX_ETH_RX_SCATTER | DEVX_ETH_RX_FCS,
		  NULL)
