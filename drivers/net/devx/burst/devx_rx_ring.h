/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_RX_RING_H
#define DEVX_ETH_RX_RING_H

#include <stdint.h>

#include "devx_rxq.h"

/** devx_eth_rxq_post_all - fill an RQ that was just made ready; 0 or -ENOMEM */
int devx_eth_rxq_post_all(struct devx_eth_rxq *rxq);
/** devx_eth_rxq_free_all - free every mbuf posted before @pi; the RQ is in RST or gone */
void devx_eth_rxq_free_all(struct devx_eth_rxq *rxq, uint32_t pi);

#endif
