/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_SECONDARY_BURSTS_H
#define DEVX_ETH_SECONDARY_BURSTS_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_ethdev.h>

struct devx_eth_uar_page;

/** DOC: Burst functions of a port in a secondary process; one thread at a time calls these */

/**
 * struct devx_eth_attached - process_private of the port in a secondary process
 * @name, @port, @mac: of the port, as at probe: the primary process may clear what it shared
 * @pages: mapped pages of doorbell registers
 * @since: number of the last message that did not wait for this process
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

/** devx_eth_secondary_set_bursts - set them, also those that ethdev copied at the end of probe */
void devx_eth_secondary_set_bursts(struct rte_eth_dev *ethdev, eth_rx_burst_t rx,
				   eth_tx_burst_t tx);

/** devx_eth_secondary_stop_bursts - install bursts that move no packets */
void devx_eth_secondary_stop_bursts(struct rte_eth_dev *ethdev);

/**
 * devx_eth_secondary_start_bursts - map the doorbell registers of all send queues, and begin bursts
 * @fd: descriptor of the device
 *
 * Return: 0, or -errno of a register that cannot be mapped, logged; then the bursts are stopped
 */
int devx_eth_secondary_start_bursts(struct rte_eth_dev *ethdev, int fd);

#endif
