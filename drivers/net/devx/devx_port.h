/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_PORT_H
#define DEVX_ETH_PORT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_ether.h>

#include "compat.h"
#include "devx/counter.h"
#include "devx/dev.h"
#include "devx/flow.h"
#include "devx/port.h"
#include "devx/td.h"
#include "devx/tir.h"
#include "devx/tis.h"
#include "devx/uar.h"
#include "devx_mr_table.h"
#include "devx_types.h"

/**
 * DOC: A port of net_devx
 *
 *     probe ........ the device is open until close
 *       configure
 *       queue_setup  host memory of a queue; nothing of the device
 *       start ...... every firmware object and memory registration of the port
 *       stop ....... and back: a stopped port holds nothing but its open device
 *     close
 *
 * Threads. Each queue belongs to the one thread that bursts on it. Everything that uses
 * the device (firmware commands, netlink) holds @lock: the application's control thread,
 * and the recovery timer, on EAL's interrupt thread, which repairs queues (recovery/).
 */

enum {
	DEVX_ETH_MAX_QUEUES = 16, /* of each kind */
	DEVX_ETH_DESC_MIN = 64,
	DEVX_ETH_DESC_MAX = 32768,
	DEVX_ETH_DESC_DEFAULT = 1024,
	DEVX_ETH_BURST_DEFAULT = 64,
	/* Ethernet header and one VLAN tag: between MTU and the frame in a buffer */
	DEVX_ETH_OVERHEAD = RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN,
};

/** enum devx_eth_owner - who may touch a queue; handed over with release and acquire */
enum devx_eth_owner {
	DEVX_ETH_STOPPED = 0, /* the control path */
	DEVX_ETH_RUNNING,     /* the thread that bursts on it */
	DEVX_ETH_BROKEN,      /* the recovery timer, until the queue is repaired */
};

/** enum devx_eth_slot - a place for each kind of rule */
enum devx_eth_slot {
	DEVX_ETH_UNICAST, /* or everything */
	DEVX_ETH_BROADCAST,
	DEVX_ETH_MULTICAST,
	DEVX_ETH_N_SLOTS,
};

/** struct devx_eth_rule - a receive rule in its slot; rule.flow is NULL when it is off */
struct devx_eth_rule {
	struct devx_match match;
	struct devx_flow_rule rule;
};

/** struct devx_eth_steer - which packets come to us; see control/devx_steer.c */
struct devx_eth_steer {
	struct devx_tir tir;
	struct devx_eth_rule rules[DEVX_ETH_N_SLOTS];
};

/**
 * struct devx_eth - a port
 * @dev: the open device
 * @lock: held by whoever uses @dev or changes what stands below
 * @data: ethdev's part of the port
 * @name: of the port, "net_devx0"
 * @port: the port as firmware described it last
 * @mac: its address; ethdev's mac_addrs points here
 * @promisc_ours: this driver turned promiscuous mode of the netdev on and turns it off at close
 * @allmulti_ours: this driver turned all-multicast mode of the netdev on and turns it off at close
 * @started: firmware objects exist
 * @memory: what the device may reach, while started
 * @uar: page of the receive CQs
 * @td: transport domain
 * @tis: what all send queues send through
 * @counter: of packets that found no buffer; counter.obj is NULL where firmware has none
 * @missed: those of earlier starts
 * @missed_seen: last value of @counter, mod 2^32
 * @missed_base: value at the last reset of statistics
 * @steer: receive rules
 * @types: what CQEs say about packet types and checksums, as mbufs say it
 */
struct devx_eth {
	struct devx_dev dev;
	pthread_mutex_t lock;
	struct rte_eth_dev_data *data;
	char name[RTE_ETH_NAME_MAX_LEN];
	struct devx_port port;
	struct rte_ether_addr mac;

	bool promisc_ours, allmulti_ours;

	bool started;
	struct devx_eth_memory memory;
	struct devx_uar uar;
	struct devx_td td;
	struct devx_tis tis;
	struct devx_counter counter;
	uint64_t missed;
	uint32_t missed_seen;
	uint64_t missed_base;
	struct devx_eth_steer steer;
	struct devx_eth_types types;
};

static inline struct devx_eth *devx_eth_port_get(const struct rte_eth_dev *ethdev)
{
	return ethdev->data->dev_private;
}

#endif
