/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_SECONDARY_ENDED_H
#define DEVX_ETH_SECONDARY_ENDED_H

#include <stdbool.h>

#include <rte_ethdev.h>

/**
 * DOC: A port of a secondary process after the primary process closed it
 *
 * The port exists, and its number stays in use, until the application closes it. Its bursts move no
 * packets. None of its data is in memory that the primary process frees.
 */

bool devx_eth_secondary_is_ended(const struct rte_eth_dev *ethdev);
/** devx_eth_secondary_end - replace functions, operations and data of a port that has ended */
void devx_eth_secondary_end(struct rte_eth_dev *ethdev);
/** devx_eth_secondary_keep_ended - undo rte_eth_dev_attach_secondary() on an ended port */
void devx_eth_secondary_keep_ended(struct rte_eth_dev *ethdev);

#endif
