/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_SECONDARY_ENDED_H
#define DEVX_ETH_SECONDARY_ENDED_H

#include <stdbool.h>

#include <rte_ethdev.h>

/**
 * DOC: A port that the primary process closed, in a secondary process
 *
 * It lives until the application closes it, and its number is in use until then. Its bursts move no
 * packets. Nothing of it is in memory that the primary process frees.
 */

/** devx_eth_secondary_is_ended - check whether the port has ended */
bool devx_eth_secondary_is_ended(const struct rte_eth_dev *ethdev);
/** devx_eth_secondary_end - give the port functions, operations and data of an ended one */
void devx_eth_secondary_end(struct rte_eth_dev *ethdev);
/** devx_eth_secondary_keep_ended - undo rte_eth_dev_attach_secondary() on an ended port */
void devx_eth_secondary_keep_ended(struct rte_eth_dev *ethdev);

#endif
