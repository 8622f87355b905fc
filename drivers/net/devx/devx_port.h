/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_PORT_H
#define DEVX_ETH_PORT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_eal.h>
#include <rte_ether.h>

#include "compat.h"
#include "devx/async.h"
#include "devx/counter.h"
#include "devx/dev.h"
#include "devx/dmabuf.h"
#include "devx/flow.h"
#include "devx/flow_table.h"
#include "devx/netdev_ethtool.h"
#include "devx/port.h"
#include "devx/td.h"
#include "devx/tir.h"
#include "devx/tis.h"
#include "devx/uar.h"
#include "devx_events.h"
#include "devx_gate.h"
#include "devx_mr_table.h"
#include "devx_ring_memory.h"
#include "devx_types.h"

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
 * (loss/devx_event_handler.c); a thread that allocates memory of EAL (port/devx_mr_eal.c).
 * Statistics are read by any thread without @lock (struct devx_eth_missed).
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
	DEVX_ETH_LEFT,        /* as LOST, and a later burst showed that no burst is running */
};

/* Largest lists of a port: those of net_mlx5. */
enum {
	DEVX_ETH_UNICAST_MAX = 128, /* with the address of the port itself */
	DEVX_ETH_MULTICAST_MAX = 128,
	DEVX_ETH_VLANS_MAX = 128,
};

/**
 * struct devx_eth_filters - packets that a port receives
 * @promisc: all packets
 * @allmulti: all packets to multicast addresses
 * @unicast: packets to these addresses; entry 0 is the address of the port, and other entries may
 *           be zero, which is unused. ethdev's mac_addrs points to it
 * @multicast: packets to the first @n_multicast of these addresses
 * @n_multicast: number of entries
 * @vlans: packets with a tag of one of the first @n_vlans VLANs; 0 VLANs: any packets
 * @n_vlans: number of VLANs
 */
struct devx_eth_filters {
	bool promisc, allmulti;
	struct rte_ether_addr unicast[DEVX_ETH_UNICAST_MAX];
	struct rte_ether_addr multicast[DEVX_ETH_MULTICAST_MAX];
	uint16_t n_multicast;
	uint16_t n_vlans;
	uint16_t vlans[DEVX_ETH_VLANS_MAX];
};

/**
 * struct devx_eth_vf - addresses in the netdev of a virtual function; see devx_vf_addresses.h
 * @is_vf: the device is a virtual function
 * @trust_reported: the port logged that a mode needs the trust of the host
 * @n_added: number of entries of @added
 * @added: addresses that this driver added to the netdev and removes at close. While a change is
 *         under way, they are those of the old and of the new lists
 */
struct devx_eth_vf {
	bool is_vf;
	bool trust_reported;
	uint16_t n_added;
	struct rte_ether_addr added[2 * (DEVX_ETH_UNICAST_MAX + DEVX_ETH_MULTICAST_MAX)];
};

struct devx_eth_rule;

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
	DEVX_ETH_REST, /* all packets of no other class */
	DEVX_ETH_N_CLASSES,
};

enum {
	DEVX_ETH_N_GROUPS = 3,   /* groups of the flow table: version and protocol, version, none */
	DEVX_ETH_RETA_MAX = 512, /* largest redirection table of RSS; that of net_mlx5 */
};

/** struct devx_eth_hash - objects that distribute packets over the queues; see devx_hash.h */
struct devx_eth_hash {
	struct devx_rqt rqt;
	struct devx_flow_table table; /* with RSS only */
	struct devx_flow_group groups[DEVX_ETH_N_GROUPS];
	struct devx_eth_class_objects {
		struct devx_tir tir;
		struct devx_flow_entry entry;
	} classes[DEVX_ETH_N_CLASSES];
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
 * @next: in the list of the port
 * @from: what the application registered; from.fd is a descriptor of the driver
 */
struct devx_eth_dmabuf {
	struct devx_eth_dmabuf *next;
	struct devx_dmabuf from;
	struct devx_mr mr;
	bool write;
};

struct devx_eth_phy_stats;
struct devx_eth_uar_page;
struct rte_pmd_devx_ring;

/**
 * struct devx_eth_user - the secondary process that uses a queue; see burst/devx_user_burst.h
 * @process: its number; 0: none
 * @refused: number of another process that tried to use the queue; 0: none
 * @port: number of the port in ethdev
 * @reported: the primary process logged @refused
 * @ended: @process ended, and the recovery timer resets the queue
 */
struct devx_eth_user {
	uint32_t process, refused;
	uint16_t port;
	bool reported, ended;
};

/** struct devx_eth_generated - counters of generator rings; as in struct devx_eth_tx_counters */
struct devx_eth_generated {
	uint64_t packets, bytes, lost, error_cqes, cq_errors, recoveries;
};

/** enum devx_eth_uar - argument uar: type of UAR that a port tries first */
enum devx_eth_uar {
	DEVX_ETH_UAR_AUTO = 0, /* the best type for this CPU */
	DEVX_ETH_UAR_BF,
	DEVX_ETH_UAR_NC,
	DEVX_ETH_UAR_NC_DEDICATED,
};

/** enum devx_eth_simd - vector instructions that a burst function uses */
enum devx_eth_simd {
	DEVX_ETH_SIMD_AUTO, /* the widest of the processor that EAL permits */
	DEVX_ETH_SIMD_SCALAR,
	DEVX_ETH_SIMD_AVX2,
	DEVX_ETH_SIMD_AVX512,
	DEVX_ETH_SIMD_N,
};

/** enum devx_eth_inline - argument inline: whether send queues copy short packets into WQEs */
enum devx_eth_inline {
	DEVX_ETH_INLINE_AUTO = 0, /* depends on the number of send queues */
	DEVX_ETH_INLINE_OFF,
	DEVX_ETH_INLINE_BYTES, /* packets of up to inline_max bytes */
};

/** enum devx_eth_tx_wqes - argument tx_burst: the WQEs that a send burst writes */
enum devx_eth_tx_wqes {
	DEVX_ETH_TX_AUTO, /* multi-packet WQEs, if the device has them */
	DEVX_ETH_TX_MULTI,
	DEVX_ETH_TX_SINGLE, /* one WQE per packet */
};

/**
 * struct devx_eth_args - arguments of a port; see attach/devx_args.h
 * @adapter: ibdev or pci: name or PCI address of the device
 * @uar: type of the UAR pages
 * @dmabuf: a dma-buf to register at probe; 0 bytes: none
 * @tx_bf_wqe: a burst of one packet copies its WQE to the BlueFlame register
 * @rx_burst: vector instructions of the receive functions
 * @inlining: which packets send queues copy into WQEs
 * @inline_max: with DEVX_ETH_INLINE_BYTES: length of the longest of these packets
 * @tx_burst: WQEs of the send functions
 * @recovery_wait: seconds that a lost device has to return; 0: no recovery of the device
 */
struct devx_eth_args {
	char adapter[DEVX_NAME_BYTES + 1];
	enum devx_eth_uar uar;
	struct devx_dmabuf dmabuf;
	bool tx_bf_wqe;
	enum devx_eth_simd rx_burst;
	enum devx_eth_inline inlining;
	uint16_t inline_max;
	enum devx_eth_tx_wqes tx_burst;
	uint16_t recovery_wait;
};

/**
 * struct devx_eth_missed - count of packets without a receive buffer; see stats/devx_missed.c
 * @lock: held by a thread that uses a field below, for no longer than a system call; a thread that
 *        holds devx_eth.lock may take it
 * @replies: channel for the replies to queries of the queue counter
 * @running: the queue counter exists and may be queried
 * @in_flight: a query has no reply yet
 * @failed: a failure was logged since the last start
 * @next_query: number of the next query
 * @oldest_valid: replies to queries before this number are older than @total
 * @query_ns: time of the query in flight, in ns
 * @read_ns: time at which @total was correct, in ns
 * @total: count since probe
 * @base: value of @total at the last reset of statistics
 * @seen: last value of the queue counter, mod 2^32
 */
struct devx_eth_missed {
	pthread_mutex_t lock;
	struct devx_async replies;
	bool running, in_flight, failed;
	uint64_t next_query, oldest_valid;
	uint64_t query_ns, read_ns;
	uint64_t total, base;
	uint32_t seen;
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
 * @max_mtu: highest MTU that the port takes: that of the netdev, with room for a VLAN tag
 * @speed_capa: RTE_ETH_LINK_SPEED_x of the speeds that the netdev supports; 0: unknown
 * @filters: packets that the port receives
 * @events: event channel and state of the device
 * @recovery: recovery of the lost device
 * @pause, @pause_set: pause frames of the netdev as the application set them, if it did
 * @promisc_ours: this driver turned promiscuous mode of the netdev on and turns it off at close
 * @allmulti_ours: this driver turned all-multicast mode of the netdev on and turns it off at close
 * @vf: addresses in the netdev, if the device is a virtual function
 * @insert_tpid: TPID of the VLAN tag that send queues insert; 0: the default, 0x8100
 * @started: the port is started: its firmware objects exist
 * @memory: registered memory, while the port is started
 * @rings: memory of the rings of all queues, while the port is started
 * @dmabufs: registered dma-bufs, from their registration to close
 * @uar_type: type of all UARs of the port, chosen at probe
 * @uar: UAR page of the receive CQs
 * @td: transport domain
 * @tis: transport interface of all send queues
 * @counter: queue counter of the receive queues; counter.obj is NULL if firmware has none
 * @missed: packets that found no buffer, from @counter
 * @rss: RSS as configured
 * @hash: objects that distribute packets over the queues
 * @counters: last values of the counters of the port in firmware
 * @counters_base: their values at the last reset of extended statistics
 * @phy_stats: counters of the physical port, or NULL; see netdev/devx_phy_stats.h
 * @generators: generator rings, see devx_generator.h
 * @generated: counters of destroyed generator rings since the last reset of statistics
 * @published: counters of all generator rings, for secondary processes; see
 *             devx_eth_generator_publish()
 * @steer: receive rules
 * @types: table from CQE to packet type of an mbuf
 * @multi_process: secondary processes can attach to the port
 * @n_followed: number of secondary processes that followed the last message to all of them
 * @tables: memory of EAL for the tables of @memory
 * @export_fd: descriptor of @dev for secondary processes, from the first one on; or -1
 * @uar_pages: pages of the send queues, if @multi_process; see devx_uar_pages.h
 *
 * Secondary processes share this structure, all queues and their rings. They change counters and
 * rings of their queues, @n_followed, and nothing else. They take no lock, and follow no pointer
 * except those to queues, rings, pools, @phy_stats and the tables of @memory.
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
	struct devx_netdev_pause pause;
	bool pause_set;

	bool promisc_ours, allmulti_ours;
	struct devx_eth_vf vf;
	uint16_t insert_tpid;

	bool started;
	struct devx_eth_memory memory;
	struct devx_eth_ring_memory rings;
	struct devx_eth_dmabuf *dmabufs;
	enum devx_uar_type uar_type;
	struct devx_uar uar;
	struct devx_td td;
	struct devx_tis tis;
	struct devx_counter counter;
	struct devx_eth_missed missed;
	struct devx_eth_rss rss;
	struct devx_eth_hash hash;
	struct devx_port_counters counters, counters_base;
	struct devx_eth_phy_stats *phy_stats;
	struct rte_pmd_devx_ring *generators;
	struct devx_eth_generated generated, published;
	struct devx_eth_steer steer;
	struct devx_eth_types types;

	bool multi_process;
	uint32_t n_followed;
	int export_fd;
	struct devx_eth_table_room tables;
	struct devx_eth_uar_page *uar_pages;
};

/** devx_eth_user_release - after the reset of a queue whose user ended: others may take it */
static inline void devx_eth_user_release(struct devx_eth_user *user)
{
	if (!user->ended)
		return;
	user->ended = user->reported = false;
	user->refused = 0;
	__atomic_store_n(&user->process, 0, __ATOMIC_RELEASE);
}

/* Secondary processes read values that the primary process wrote, without devx_eth.lock. */
static inline bool devx_eth_is_secondary(void)
{
	return rte_eal_process_type() == RTE_PROC_SECONDARY;
}

static inline struct devx_eth *devx_eth_port_get(const struct rte_eth_dev *ethdev)
{
	return ethdev->data->dev_private;
}

#endif
