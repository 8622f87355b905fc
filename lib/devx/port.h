/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_PORT_H
#define DEVX_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "devx/dev.h"

/**
 * DOC: The port, as firmware sees it
 *
 * Its own values: what holds where no netdev owns the port, and what frames are filtered
 * by in any case. They are read here; users may not write them. Where there is a netdev
 * they follow it (devx/netdev.h).
 *
 * Source: PRM, "NIC_Vport_Context", "Vport State", "Vport Counters"; Linux
 * mlx5_ifc_nic_vport_context_bits; max frame bytes are mtu + MLX5E_ETH_HARD_MTU.
 */

enum { DEVX_PORT_MAC_BYTES = 6, DEVX_PORT_HARD_MTU = 22 }; /* Ethernet, one VLAN tag, FCS */

/**
 * struct devx_port - state of the port
 * @mac: its permanent address
 * @mtu: most bytes after the Ethernet header, as netdevs count
 * @frame_bytes: longest frame with FCS and one VLAN tag
 * @up: the link is up
 * @admin_up: it is meant to be
 * @speed_mbps: of the link; 0 when not known
 * @min_inline: least part of a packet that WQEs must carry: 0 none, 1 L2, 2 IP, 3 TCP/UDP
 * @promisc: frames for every unicast address are let in
 * @allmulti: frames for every multicast address are let in
 */
struct devx_port {
	uint8_t mac[DEVX_PORT_MAC_BYTES];
	uint16_t mtu;
	uint16_t frame_bytes;
	bool up;
	bool admin_up;
	uint32_t speed_mbps;
	uint8_t min_inline;
	bool promisc;
	bool allmulti;
};

/** struct devx_port_traffic - packets and their bytes, without FCS */
struct devx_port_traffic {
	uint64_t packets, bytes;
};

/**
 * struct devx_port_counters - what passed the port since it came up
 * @rx_unicast: received
 * @rx_multicast: ...
 * @rx_broadcast: ...
 * @rx_errors: received with an error
 * @tx_unicast: sent
 * @tx_multicast: ...
 * @tx_broadcast: ...
 * @tx_errors: not sent for an error
 *
 * They count everyone who uses the port, the kernel too.
 */
struct devx_port_counters {
	struct devx_port_traffic rx_unicast, rx_multicast, rx_broadcast, rx_errors;
	struct devx_port_traffic tx_unicast, tx_multicast, tx_broadcast, tx_errors;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_port_query - read the state of the port
 * @dev: open device
 * @port: receives it; untouched on failure
 *
 * Context: control path; one thread per @dev; may sleep. No command of the data path.
 *
 * Return: 0, or as devx_cmd_general().
 */
int devx_port_query(struct devx_dev *dev, struct devx_port *port);

/**
 * devx_port_query_link - read whether the link is up
 * @dev: open device
 * @up: receives it
 *
 * One command, for those who poll.
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or as devx_cmd_general().
 */
int devx_port_query_link(struct devx_dev *dev, bool *up);

/**
 * devx_port_read_counters - read the port's counters
 * @dev: open device with caps.vport_counters
 * @counters: receives them; untouched on failure
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, -ENOTSUP without caps.vport_counters, or as devx_cmd_general().
 */
int devx_port_read_counters(struct devx_dev *dev, struct devx_port_counters *counters);

#ifdef __cplusplus
}
#endif

#endif
