/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_VF_ADDRESSES_H
#define DEVX_ETH_VF_ADDRESSES_H

#include "devx_port.h"

/**
 * DOC: Addresses of a virtual function in its netdev
 *
 *     lists of the port --netlink--> netdev --mlx5_core--> vport context --> e-switch
 *
 * The e-switch passes a VF only frames to the addresses of its vport context. mlx5_core fills the
 * context from the address lists and flags of the netdev. So a port on a VF adds its addresses to
 * the netdev, as net_mlx5 does, and removes them again. It leaves addresses that were there before.
 *
 * On a physical function all of these functions do nothing. The caller holds eth->lock; at probe
 * and close no other thread uses the port.
 */

/** devx_eth_vf_addresses_open - look whether the device is a VF; add the address of the port */
void devx_eth_vf_addresses_open(struct devx_eth *eth);

/**
 * devx_eth_vf_addresses_add - add those addresses of @next to the netdev that the port lacks
 *
 * Return: 0, or -errno, logged; then the caller calls devx_eth_vf_addresses_trim()
 *   -ENOTSUP      the port has no netdev
 *   -EPERM        the process has no CAP_NET_ADMIN
 *   -EOPNOTSUPP   the netdev has no list of addresses
 *   others        as the kernel returned them
 */
int devx_eth_vf_addresses_add(struct devx_eth *eth, const struct devx_eth_filters *next);

/**
 * devx_eth_vf_addresses_apply - add the addresses of the port to a new netdev
 *
 * Return: 0 or -errno, not logged
 */
int devx_eth_vf_addresses_apply(struct devx_eth *eth);

/** devx_eth_vf_addresses_trim - remove addresses from the netdev that eth->filters lacks */
void devx_eth_vf_addresses_trim(struct devx_eth *eth);

/** devx_eth_vf_addresses_close - remove all addresses from the netdev that this driver added */
void devx_eth_vf_addresses_close(struct devx_eth *eth);

/**
 * devx_eth_vf_trust_report - log that a mode has no effect on a VF without trust of its host
 * @eth: the port; the caller holds eth->lock
 * @mode: name of the mode that was turned on, such as "promiscuous mode"
 *
 * Logs at most one line in the life of a port, and none on a physical function or a trusted VF.
 */
void devx_eth_vf_trust_report(struct devx_eth *eth, const char *mode);

#endif
