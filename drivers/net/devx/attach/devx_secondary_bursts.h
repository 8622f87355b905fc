/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_SECONDARY_BURSTS_H
#define DEVX_ETH_SECONDARY_BURSTS_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_ethdev.h>

struct devx_eth_uar_page;

/** DOC: Burst functions of a port in a secondary process. One thread at a time calls this file. */

/**
 * struct devx_eth_attached - process_private of the port in a secondary process
 * @name, @port, @mac: copies from probe, because the primary process may clear the originals
 * @pages: mapped pages of doorbell registers
 * @since: number of the last message that the primary process sent before this process attached
 * @lost: the primary process ended
 */
struct devx_eth_attached {
	char name[RTE_ETH_NAME_MAX_LEN];
	uint16_t port;
	struct rte_ether_addr mac;
	struct devx_eth_uar_page *pages;
	uint32_t since;
	bool lost;
};

/** devx_eth_secondary_set_bursts - set the burst functions of a port and ethdev's copies of them */
void devx_eth_secondary_set_bursts(struct rte_eth_dev *ethdev, eth_rx_burst_t rx,
				   eth_tx_burst_t tx);

/** devx_eth_secondary_stop_bursts - install burst functions that move no packets */
void devx_eth_secondary_stop_bursts(struct rte_eth_dev *ethdev);

/**
 * devx_eth_secondary_start_bursts - map the doorbell registers of all send queues; install bursts
 * @fd: descriptor of the device
 *
 * Return: 0; or -errno if a register cannot be mapped, logged, after which bursts move no packets
 */
int devx_eth_secondary_start_bursts(struct rte_eth_dev *ethdev, int fd);

#endif
