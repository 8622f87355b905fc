/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_SECONDARY_H
#define DEVX_ETH_SECONDARY_H

#include "devx_port.h"

/**
 * DOC: A port in a secondary process
 *
 *     probe ..... attaches to the port of the primary process (devx_message.h)
 *       START ..  maps the UAR pages of the send queues; bursts move packets from now on
 *       STOP ...  bursts move no packets
 *       CLOSE ..  the primary process closed the port, or lost its device: the port ends here
 *     close ..... unmaps the pages, gives back the queues, detaches
 *
 * A port that ended has bursts that move no packets, until the application closes it; it gets
 * RTE_ETH_EVENT_INTR_RMV. Its number is in use until then. When CLOSE comes, no thread may be in
 * another operation of the port, as with rte_eth_dev_close().
 *
 * Whatever the process does or suffers, no object of the primary process is destroyed. It sends no
 * firmware command and makes no ioctl.
 *
 * If the primary process ends, the bursts move no packets, one line says so, and the application
 * gets RTE_ETH_EVENT_INTR_RMV.
 */

/** devx_eth_secondary_probe - attach to the port of @device, with @ops. 0 or -errno, logged */
int devx_eth_secondary_probe(struct rte_device *device, const struct eth_dev_ops *ops);
/** devx_eth_secondary_close - leave the port (dev_close); also called at remove. Return: 0 */
int devx_eth_secondary_close(struct rte_eth_dev *ethdev);
/** devx_eth_secondary_is_removed - check whether device or primary process are lost (is_removed) */
int devx_eth_secondary_is_removed(struct rte_eth_dev *ethdev);

#endif
