/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_SECONDARY_H
#define DEVX_ETH_SECONDARY_H

#include "devx_port.h"

/**
 * DOC: A port in a secondary process
 *
 *     probe ..... attaches to the port of the primary process (devx_message.h)
 *       START ..  maps the UAR pages of the send queues; from now on bursts move packets
 *       STOP ...  from now on bursts move no packets
 *       CLOSE ..  the primary process closed the port or lost its device: the port ends
 *     close ..... unmaps the pages, releases the queues, detaches
 *
 * When the port or the primary process ends, the application gets RTE_ETH_EVENT_INTR_RMV. Bursts
 * then move no packets, and the port number stays in use until the application closes the port.
 * As with rte_eth_dev_close(), no thread may be in another operation of the port when CLOSE comes.
 *
 * Nothing that happens to a secondary process destroys objects of the primary process. A secondary
 * process sends no firmware commands and calls no ioctl.
 */

/** devx_eth_secondary_probe - attach to the port of @device. Return: 0, or -errno, logged */
int devx_eth_secondary_probe(struct rte_device *device, const struct eth_dev_ops *ops);
/** devx_eth_secondary_close - leave the port (dev_close); also called at remove. Return: 0 */
int devx_eth_secondary_close(struct rte_eth_dev *ethdev);
/** devx_eth_secondary_is_removed - is_removed of ethdev: device or primary process is gone */
int devx_eth_secondary_is_removed(struct rte_eth_dev *ethdev);

#endif
