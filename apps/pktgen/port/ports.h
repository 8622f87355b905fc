/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_PORTS_H
#define PKTGEN_PORTS_H

#include <rte_ethdev.h>

#include "base/exit.h"
#include "model/capture.h"
#include "model/options.h"
#include "port/events.h"
#include "port/placement.h"
#include "port/stamps.h"

/**
 * struct port - an ethdev port
 * @device: the device name that the user gave
 * @mtu, @max_mtu: the MTU in use, and the largest that the driver accepts
 * @link_mbps: speed of the link; 0: the driver does not know the speed
 * @n_tx, @n_rx: numbers of send and receive queues in use
 * @max_tx, @max_rx: the largest numbers that the port supports, at most QUEUES_MAX
 * @rss_hf: how the port can spread IP, TCP and UDP over its receive queues (RTE_ETH_RSS_*);
 *   0: it cannot
 * @promisc: the port receives frames for every MAC address
 * @tx_offloads, @rx_offloads: what the port supports (RTE_ETH_TX_OFFLOAD_*, RTE_ETH_RX_OFFLOAD_*)
 * @checksums: the checksum offloads among @tx_offloads that the flows need
 * @fast_free: the driver frees all buffers of a queue to one pool (MBUF_FAST_FREE)
 * @socket: NUMA node of the port; -1: unknown
 * @rx_pools: buffers for received frames, for each receive queue
 * @stamps: timestamps of received frames
 * @events: the events of the port since ports_start()
 * @addresses: the addresses that the port answers for
 * @base, @last: the port's statistics at the start of the run, and just before ports_stop()
 * @base_pauses, @last_pauses: the number of received pause frames at the same times
 * @counts_pauses: the port counts received pause frames
 */
struct port {
	uint16_t id;
	const char *device;
	const char *driver;
	struct rte_ether_addr mac;
	uint16_t mtu, max_mtu;
	uint32_t link_mbps;
	uint16_t n_tx, n_rx, max_tx, max_rx;
	uint64_t rss_hf, tx_offloads, rx_offloads, checksums;
	bool promisc, fast_free, started;
	int socket;
	struct rte_mempool *rx_pools[QUEUES_MAX];
	struct port_stamps stamps;
	struct port_events events;
	struct addresses addresses;
	struct rte_eth_stats base, last;
	uint64_t base_pauses, last_pauses;
	bool counts_pauses;
};

/** struct ports - the ports of a run. @place: the workers of each port's queues */
struct ports {
	struct port port[PKTGEN_MAX_PORTS];
	struct placement place[PKTGEN_MAX_PORTS];
	unsigned n;
};

/**
 * ports_compute_memory_mb - estimate the packet memory that EAL must have
 * @o: the command line
 * @n_workers: number of workers that EAL will have
 * @max_bytes: size of the largest frame
 *
 * Return: MiB for the ports of @o
 */
size_t ports_compute_memory_mb(const struct options *o, unsigned n_workers, uint32_t max_bytes);

/**
 * ports_open - attach the ports of the command line, or use all that EAL found; read their limits
 *
 * Sets @n_tx and @n_rx of each port to 1. workplace_assign() may change them before
 * ports_configure().
 *
 * Return: PKTGEN_MET, or another code after one line on stderr. Call ports_close() in either case
 */
enum pktgen_exit ports_open(struct ports *p, const struct options *o);

/**
 * ports_configure - set up the queues of all ports, and RSS if there are several receive queues
 * @p: open ports
 * @o: the command line
 *
 * Return: PKTGEN_MET, or another code after one line on stderr
 */
enum pktgen_exit ports_configure(struct ports *p, const struct options *o);

/**
 * ports_start - start the ports and wait for their links
 * @p: configured ports
 * @o: the command line
 * @stop: the wait ends as soon as *@stop is not 0
 *
 * Return: PKTGEN_MET, also when *@stop ended the wait; or another code after one line on stderr
 */
enum pktgen_exit ports_start(struct ports *p, const struct options *o, const volatile int *stop);

/**
 * ports_stop - stop all ports of @p
 *
 * While a port runs, its driver may update counters in the background. They are final after the
 * stop; net_memif resets its counters then, so ports_stop() reads them just before.
 */
void ports_stop(struct ports *p);

/** ports_begin_stats - make ports_read_stats() count from 0; ports_start() also calls it */
void ports_begin_stats(struct ports *p);

/** ports_read_stats - read the counters of a stopped port since ports_begin_stats() */
struct rte_eth_stats ports_read_stats(const struct port *port);

/**
 * ports_create_tx_pool - create the send buffers of a stream, or of all streams of a queue
 * @port: the sending port
 * @i: number of the stream, or of the first stream
 * @frame_bytes: size of the largest frame, without FCS
 * @ring: send descriptors
 *
 * Return: the pool, or NULL without memory
 */
struct rte_mempool *ports_create_tx_pool(const struct port *port, unsigned i, uint32_t frame_bytes,
					 uint32_t ring);

/** ports_find_place - find the workers of the port that EAL numbers @id; @p has this port */
const struct placement *ports_find_place(const struct ports *p, uint16_t id);

/** ports_close - stop and close all ports of @p, also after ports_open() failed */
void ports_close(struct ports *p);

#endif
