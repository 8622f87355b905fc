/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_LINK_H
#define DEVX_ETH_LINK_H

#include "devx_port.h"

/**
 * devx_eth_link_update - operation link_update of ethdev
 * @ethdev: the port
 * @wait: if the link is down but its netdev is up, wait up to one second
 *
 * On a started port, also calls devx_eth_mtu_follow().
 */
int devx_eth_link_update(struct rte_eth_dev *ethdev, int wait);
/** devx_eth_link_set_up - set the netdev up, as `ip link set up`. Return: 0 or -errno, logged */
int devx_eth_link_set_up(struct rte_eth_dev *ethdev);
/** devx_eth_link_set_down - set the netdev down. Return: 0 or -errno, logged */
int devx_eth_link_set_down(struct rte_eth_dev *ethdev);
/** devx_eth_link_read_capa - read the speeds that the netdev supports into eth->speed_capa */
void devx_eth_link_read_capa(struct devx_eth *eth);
/**
 * devx_eth_link_read - read state and speed of the link and store them in ethdev; under eth->lock
 *
 * Return: 1 if the link changed, 0 if it did not, or -errno, logged
 */
int devx_eth_link_read(struct rte_eth_dev *ethdev);

#endif
