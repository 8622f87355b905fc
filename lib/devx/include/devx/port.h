/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_PORT_H
#define DEVX_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "devx/dev.h"

/**
 * DOC: The port, as firmware sees it
 *
 * Firmware filters frames by the MAC address, the MTU and the modes of the port. A program can only
 * read them. If the port has a netdev, the kernel copies changes of the netdev to firmware
 * (devx/netdev.h).
 *
 * Source: PRM, "NIC_Vport_Context", "Vport State", "Vport Counters"; Linux
 * mlx5_ifc_nic_vport_context_bits; max frame bytes are mtu + MLX5E_ETH_HARD_MTU.
 */

enum {
	DEVX_PORT_MAC_BYTES = 6,
	DEVX_PORT_HARD_MTU = 22, /* bytes of Ethernet header, one VLAN tag and FCS */
};

/**
 * struct devx_port - state of a port
 * @mac: permanent MAC address in the order of the wire; all zero: unknown
 * @mtu: largest number of bytes after the Ethernet header: @frame_bytes - DEVX_PORT_HARD_MTU;
 *       0: unknown, and @min_inline, @promisc and @allmulti are also unknown
 * @frame_bytes: length of the longest frame, with FCS and one VLAN tag; 0: unknown
 * @up: the link is up
 * @link_of_kernel: firmware refused QUERY_VPORT_STATE; @up is that of devx_port_query_carrier()
 * @admin_up: administrative state is up
 * @speed_mbps: speed of the link in Mb/s; 0: unknown, or the link is down
 * @min_inline: headers that every WQE must contain: 0 none, 1 L2, 2 L2 and IP, 3 up to TCP/UDP
 * @promisc: the port accepts frames to every unicast address
 * @allmulti: the port accepts frames to every multicast address
 */
struct devx_port {
	uint8_t mac[DEVX_PORT_MAC_BYTES];
	uint16_t mtu;
	uint16_t frame_bytes;
	bool up;
	bool link_of_kernel;
	bool admin_up;
	uint32_t speed_mbps;
	uint8_t min_inline;
	bool promisc;
	bool allmulti;
};

/** struct devx_port_traffic - number of packets, and of their bytes without FCS */
struct devx_port_traffic {
	uint64_t packets, bytes;
};

/**
 * struct devx_port_counters - totals of the traffic of a port; the library never resets them
 * @rx_unicast: received unicast packets
 * @rx_multicast: received multicast packets
 * @rx_broadcast: received broadcast packets
 * @rx_errors: packets received with an error
 * @tx_unicast: sent unicast packets
 * @tx_multicast: sent multicast packets
 * @tx_broadcast: sent broadcast packets
 * @tx_errors: packets not sent because of an error
 *
 * The counters include the traffic of all users of the port, including the kernel.
 */
struct devx_port_counters {
	struct devx_port_traffic rx_unicast, rx_multicast, rx_broadcast, rx_errors;
	struct devx_port_traffic tx_unicast, tx_multicast, tx_broadcast, tx_errors;
};

/*
 * Every function of this header takes an open device, and changes its result only on success.
 *
 * Context: control path; one thread per device; may sleep.
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_port_query - read the state of the port into @port
 *
 * Without caps.eth_virt, or if firmware refuses QUERY_NIC_VPORT_CONTEXT, @mac comes from the node
 * GUID and the rest of the context is 0 (unknown). If firmware refuses QUERY_VPORT_STATE, the link
 * is that of devx_port_query_carrier(). The netdev of the port has all values (devx/netdev.h).
 *
 * Return: 0, or as devx_cmd_general() apart from -EREMOTEIO, or -errno of ibv_query_port(3) or
 * ibv_query_device(3).
 */
int devx_port_query(struct devx_dev *dev, struct devx_port *port);

/**
 * devx_port_query_link - read from firmware whether the link is up
 *
 * Sends a single command, so it is cheaper than devx_port_query() if a program polls the link.
 *
 * Return: 0, or as devx_cmd_general().
 */
int devx_port_query_link(struct devx_dev *dev, bool *up);

/**
 * devx_port_query_carrier - read from the kernel whether the link is up
 *
 * Sends no firmware command. A kernel reports a port without a netdev as down (Linux,
 * mlx5_query_port_roce).
 *
 * Return: 0, or -errno of ibv_query_port(3).
 */
int devx_port_query_carrier(struct devx_dev *dev, bool *up);

/**
 * devx_port_query_speed - read the speed of the link
 * @mbps: receives the speed in Mb/s; 0: unknown, or the link is down
 *
 * Return: 0, or -errno of ibv_query_port(3).
 */
int devx_port_query_speed(struct devx_dev *dev, uint32_t *mbps);

/**
 * devx_port_query_ethernet - read whether the port is Ethernet
 * @ethernet: receives true for Ethernet, false for InfiniBand
 *
 * Source: ibv_query_port(3), link_layer. Linux derives it from the capability port_type
 * (mlx5_port_type_cap_to_rdma_ll()).
 *
 * Return: 0, or -errno of ibv_query_port(3).
 */
int devx_port_query_ethernet(struct devx_dev *dev, bool *ethernet);

/**
 * devx_port_read_counters - read the port's counters
 *
 * Return: 0, -ENOTSUP without caps.vport_counters, or as devx_cmd_general().
 */
int devx_port_read_counters(struct devx_dev *dev, struct devx_port_counters *counters);

#ifdef __cplusplus
}
#endif

#endif
