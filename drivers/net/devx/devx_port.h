/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_PORT_H
#define DEVX_ETH_PORT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_eal.h>
#include <rte_ether.h>

#include "attach/devx_port_args.h"
#include "compat.h"
#include "devx/counter.h"
#include "devx/cq.h"
#include "devx/dev.h"
#include "devx/dmabuf.h"
#include "devx/flow.h"
#include "devx/flow_table.h"
#include "devx/port.h"
#include "devx/rq.h"
#include "devx/td.h"
#include "devx/tir.h"
#include "devx/tis.h"
#include "devx/uar.h"
#include "devx_events.h"
#include "devx_gate.h"
#include "devx_mr_table.h"
#include "devx_ring_memory.h"
#include "devx_types.h"
#include "netdev/devx_port_netdev.h"
#include "process/devx_port_sharing.h"
#include "stats/devx_port_stats.h"

/**
 * DOC: A port of net_devx
 *
 *     probe ........ opens the device
 *       configure
 *       queue_setup  allocates the host memory of a queue, without its rings
 *       start ...... allocates rings, registers memory, creates all firmware objects of the port
 *       stop ....... destroys what start created
 *     close ........ closes the device
 *
 * Threads. One thread bursts on a queue and owns it. A thread that uses the device (firmware
 * commands, netlink) holds @lock, except at probe and close. Three kinds of threads use the device:
 * the control thread of the application; EAL's interrupt thread, where the recovery timer resets
 * queues in error state (recovery/) and EAL calls the handlers of events
 * (loss/devx_event_handler.c); a thread that allocates memory of EAL (memory/devx_mr_eal.c).
 * Any thread may read statistics without @lock (struct devx_eth_missed).
 *
 * Processes. Only the primary process uses the device. A secondary process bursts on queues and
 * reads (attach/devx_secondary.h).
 */

enum {
	DEVX_ETH_DESC_MIN = 64,
	DEVX_ETH_DESC_MAX = 32768,
	DEVX_ETH_DESC_DEFAULT = 1024,
	DEVX_ETH_BURST_DEFAULT = 64,
	DEVX_ETH_RX_BUF_MIN = 32, /* bytes of the smallest receive buffer */
	/* bytes of a frame in a buffer beyond the MTU: Ethernet header and one VLAN tag */
	DEVX_ETH_OVERHEAD = RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN,
};

/** enum devx_eth_owner - owner of a queue; changed by a release store, read by an acquire load */
enum devx_eth_owner {
	DEVX_ETH_STOPPED = 0, /* the control thread owns the queue */
	DEVX_ETH_RUNNING,     /* the thread that bursts on the queue owns it */
	DEVX_ETH_BROKEN,      /* the recovery timer owns the queue, until it has reset it */
	DEVX_ETH_FAILED,      /* its CQ failed: the next burst gives the queue to the timer */
	DEVX_ETH_LOST,        /* the device is lost: no later burst uses the queue */
	DEVX_ETH_LEFT,        /* as LOST, and a later burst proved that no burst is running */
};

/** struct devx_eth_steer - the @n receive rules of a port; see devx_steer.c */
struct devx_eth_steer {
	struct devx_eth_rule *rules;
	uint32_t n;
};

/** enum devx_eth_class - packets with the same hash fields; entries of the flow table of RSS */
enum devx_eth_class {
	DEVX_ETH_IPV4_TCP,
	DEVX_ETH_IPV4_UDP,
	DEVX_ETH_IPV6_TCP,
	DEVX_ETH_IPV6_UDP,
	DEVX_ETH_IPV4,
	DEVX_ETH_IPV6,
	DEVX_ETH_REST, /* packets that belong to no other class */
	DEVX_ETH_N_CLASSES,
};

enum {
	DEVX_ETH_N_GROUPS = 3,   /* groups of the flow table: version and protocol, version, none */
	DEVX_ETH_TIS_MAX = 4,    /* ports of a bond; as Linux, MLX5_MAX_PORTS */
	DEVX_ETH_RETA_MAX = 512, /* largest redirection table of RSS; that of net_mlx5 */
};

/** struct devx_eth_hash - objects that distribute packets over the queues; see devx_hash.h */
struct devx_eth_hash {
	struct devx_rqt rqt;
	struct devx_rqt first_rqt; /* with RSS only: entry 0 of rqt */
	uint32_t first_rqn;        /* the entry of first_rqt */
	struct devx_cq unset_cq;   /* CQ of unset_rq, which never gets a CQE */
	struct devx_rq unset_rq;   /* stays in RST; represents queues that are not set up in RQTs */
	struct devx_flow_table table; /* with RSS only */
	struct devx_flow_group groups[DEVX_ETH_N_GROUPS];
	struct devx_eth_class_objects {
		struct devx_tir tir;
		struct devx_flow_entry entry;
	} classes[DEVX_ETH_N_CLASSES];
	bool inner_headers;   /* the same for all TIRs, which lead to the same RQs (devx/tir.h) */
	bool inner_refused;   /* the device refused inner_headers; stays set until close */
	bool self_lb_noticed; /* a notice said that devx_eth_hash_refresh_self_lb() failed */
};

/**
 * struct devx_eth_rss - RSS as configured
 * @on: RSS is on; else all packets go to queue 0
 * @key: Toeplitz key
 * @functions: hash functions, RTE_ETH_RSS_*
 * @n: number of entries in @table, a power of two; 0: the port is not configured
 * @table: redirection table: the queue of each value of the lowest bits of the hash
 */
struct devx_eth_rss {
	bool on;
	uint8_t key[DEVX_HASH_KEY_BYTES];
	uint64_t functions;
	uint32_t n;
	uint16_t table[DEVX_ETH_RETA_MAX];
};

/**
 * struct devx_eth_dmabuf - a registered dma-buf of a port
 * @from: what the application registered; from.fd is the driver's duplicate of its descriptor
 */
struct devx_eth_dmabuf {
	struct devx_eth_dmabuf *next;
	struct devx_dmabuf from;
	struct devx_mr mr;
	bool write;
};

/**
 * struct devx_eth - a port
 * @args: arguments, read at probe
 * @dev: the open device
 * @lock: held by a thread that uses @dev or changes a field below
 * @data: data of the port that ethdev owns
 * @name: name of the port, such as "net_devx0"
 * @port: values of the port in firmware, read at probe; @port.mtu follows the netdev
 * @if_index: index of the network interface; 0: the port has none
 * @max_mtu: highest MTU that the port accepts: that of the netdev, if such frames fit 16 bits
 * @speed_capa: RTE_ETH_LINK_SPEED_x of the speeds that the netdev supports; 0: unknown
 * @filters: packets that the port receives
 * @netdev: what the port changed in its netdev
 * @insert_tpid: TPID of the VLAN tag that send queues insert; 0: the default, 0x8100
 * @started: the port is started: its firmware objects exist
 * @memory: registered memory, while the port is started
 * @rings: memory of the rings of all queues, while the port is started
 * @dmabufs: registered dma-bufs, from their registration to close
 * @uar_type: type of the UARs of send queues, chosen at probe
 * @uar: UAR page of the receive CQs. It is shared, unless Linux is older than 5.7
 * @uar_noticed: a notice since the last start said that send queues share the register of @uar
 * @tis: @n_tis transport interfaces of the send queues: one for each port of a bond with queue
 *	affinity, otherwise one
 * @counter: queue counter of the receive queues; counter.obj is NULL if firmware has none
 * @generators: generator rings, see devx_generator.h
 * @n_rings: number of generator rings created so far, destroyed ones included
 * @types: table from CQE to packet type of an mbuf
 * @sharing: what secondary processes need
 * @users: list of the users of all queues; see process/devx_leftovers.h
 *
 * Secondary processes share this structure, all queues and their rings. They change only counters
 * and rings of their queues. They take no lock, and follow only the pointers to queues, rings,
 * pools, @netdev.phy_stats and the tables of @memory.
 */
struct devx_eth {
	struct devx_eth_args args;
	struct devx_dev dev;
	pthread_mutex_t lock;
	struct rte_eth_dev_data *data;
	char name[RTE_ETH_NAME_MAX_LEN];
	struct devx_port port;
	uint32_t if_index;
	uint16_t max_mtu;
	uint32_t speed_capa;
	struct devx_eth_filters filters;
	struct devx_eth_events events;
	struct devx_eth_recovery recovery;
	struct devx_eth_netdev netdev;
	uint16_t insert_tpid;

	bool started;
	struct devx_eth_memory memory;
	struct devx_eth_ring_memory rings;
	struct devx_eth_rxq *parked;
	struct devx_eth_dmabuf *dmabufs;
	enum devx_uar_type uar_type;
	struct devx_uar uar;
	bool uar_noticed;
	struct devx_td td;
	struct devx_tis tis[DEVX_ETH_TIS_MAX];
	unsigned int n_tis;
	struct devx_counter counter;
	struct devx_eth_rss rss;
	struct devx_eth_hash hash;
	struct devx_dev second; /* while the port is started with lpbk_mode */
	struct devx_eth_stats stats;
	struct rte_pmd_devx_ring *generators;
	unsigned int n_rings;
	struct devx_eth_steer steer;
	struct devx_eth_types types;
	struct devx_eth_sharing sharing;
	struct devx_eth_user *users;
};

/* A secondary process reads values that the primary process wrote, without devx_eth.lock. */
static inline bool devx_eth_is_secondary(void)
{
	return rte_eal_process_type() == RTE_PROC_SECONDARY;
}

/** devx_eth_tis_get - get the TIS of send queue @queue; any number is valid (modulo) */
static inline const struct devx_tis *devx_eth_tis_get(const struct devx_eth *eth,
						      unsigned int queue)
{
	return &eth->tis[queue % eth->n_tis];
}

static inline struct devx_eth *devx_eth_port_get(const struct rte_eth_dev *ethdev)
{
	return ethdev->data->dev_private;
}

/* Returns whether Rx timestamps are real time. The creation of the first RQ may change this. */
static inline bool devx_eth_has_real_time(const struct devx_eth *eth)
{
	return eth->dev.rq_ts_format == PRM_HCA_CAP_TS_FORMAT_REAL_TIME;
}

/* Returns whether the kernel has a network interface for the port. */
static inline bool devx_eth_has_netdev(const struct devx_eth *eth)
{
	return eth->dev.netdev[0];
}

#endif
