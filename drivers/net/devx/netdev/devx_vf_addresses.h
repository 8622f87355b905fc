/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_VF_ADDRESSES_H
#define DEVX_ETH_VF_ADDRESSES_H

#include "devx_port.h"

/**
 * DOC: Addresses of a virtual function in its netdev
 *
 *     lists of the port --netlink--> netdev --mlx5_core--> vport context --> e-switch
 *
 * The e-switch forwards to a VF only frames to the addresses in its vport context. mlx5_core fills
 * the context from the address lists and flags of the netdev. So, like net_mlx5, a port on a VF
 * adds its addresses to the netdev and removes them later, except those that were there before.
 *
 * On a physical function, these functions do nothing. The caller holds eth->lock; at probe and
 * close, no other thread uses the port.
 */

/** devx_eth_vf_addresses_open - detect a VF, and add the address of the port */
void devx_eth_vf_addresses_open(struct devx_eth *eth);

/**
 * devx_eth_vf_addresses_add - add the addresses of @next that the port lacks to the netdev
 *
 * Return: 0, or -errno, logged, after which the caller calls devx_eth_vf_addresses_trim()
 *   -ENOTSUP      the port has no netdev
 *   -EPERM        the process has no CAP_NET_ADMIN
 *   -EOPNOTSUPP   the netdev has no list of addresses
 *   others        errors of the kernel
 */
int devx_eth_vf_addresses_add(struct devx_eth *eth, const struct devx_eth_filters *next);

/** devx_eth_vf_addresses_apply - add the addresses to a new netdev. 0 or -errno, not logged */
int devx_eth_vf_addresses_apply(struct devx_eth *eth);
/** devx_eth_vf_addresses_trim - remove added addresses from the netdev that eth->filters lacks */
void devx_eth_vf_addresses_trim(struct devx_eth *eth);
/** devx_eth_vf_addresses_close - remove all addresses that this driver added to the netdev */
void devx_eth_vf_addresses_close(struct devx_eth *eth);

/**
 * devx_eth_vf_trust_report - log that a mode has no effect on a VF that its host does not trust
 * @eth: the port; the caller holds eth->lock
 * @mode: name of the mode that was turned on, such as "promiscuous mode"
 *
 * Logs at most once per port, and never on a physical function or a trusted VF.
 */
void devx_eth_vf_trust_report(struct devx_eth *eth, const char *mode);

#endif
