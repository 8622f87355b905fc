/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_PORT_H
#define BENCH_PORT_H

#include <rte_ethdev.h>

#include "harness/frame.h"
#include "harness/lab.h"

/** DOC: A port of one driver, set up for one measurement */

enum {
	BENCH_RING = 512, /* descriptors of both rings */
	BENCH_MAX_BURST = 256,
	BENCH_BUFFER = 2048,
	BENCH_SMALL_BUFFER = 128, /* 16 mbufs to a page of 4 KiB */
	BENCH_MAX_QUEUES = 8,
};

/**
 * struct bench_driver - a PMD, and the device that it drives
 * @name: name of the PMD, for rows
 * @bus: "pci" or "vdev"
 * @device: name on that bus
 * @devargs: arguments that the driver always needs, or ""
 * @emu_port: number of emu's port; -1: not on emu. Then the device makes packets by itself, and
 *	their contents are not checked
 */
struct bench_driver {
	const char *name, *bus, *device, *devargs;
	int emu_port;
};

/** BENCH_DEVX, BENCH_MLX5 - the drivers that are compared, on the first two ports of emu */
enum { BENCH_MLX5, BENCH_DEVX, BENCH_N_DRIVERS };
extern const struct bench_driver bench_drivers[BENCH_N_DRIVERS];

/**
 * struct bench_setup - how a port is configured
 * @devargs: more arguments of the device, or ""
 * @rx_offloads: RTE_ETH_RX_OFFLOAD_ of port and queue
 * @tx_offloads: RTE_ETH_TX_OFFLOAD_
 * @rss: hash packets even with one queue
 * @n_queues: queues of each direction, up to BENCH_MAX_QUEUES; 0 means 1. With several queues, the
 *	device spreads packets by their UDP ports if the driver can hash
 * @buffer_bytes: size of each buffer; 0 means BENCH_BUFFER. With BENCH_SMALL_BUFFER the MTU is
 *	smaller too. Other sizes are those of receive buffers only
 * @frame_buffers: receive buffers that a driver reserves for a frame; 0 means 1
 */
struct bench_setup {
	const char *devargs;
	uint64_t rx_offloads, tx_offloads;
	bool rss;
	uint16_t n_queues, buffer_bytes, frame_buffers;
};

struct bench_ring;

/**
 * struct bench_port - an open and started port with the same number of queues in each direction
 * @rx_pool: buffers for received packets
 * @tx_pool: packets to send; after bench_port_set_frame(), each mbuf contains a frame
 * @room: frames that the receive queue has room for
 * @rx_function: text of rte_eth_rx_burst_mode_get(), or "not named by the driver"
 * @tx_function: the same for the send direction
 */
struct bench_port {
	const struct bench_driver *driver;
	const struct bench_lab *lab;
	struct bench_frame frame;
	struct rte_mempool *rx_pool, *tx_pool;
	uint64_t tx_flags; /* ol_flags of packets to send */
	uint16_t id, packet_bytes, n_queues, room;
	char rx_function[80], tx_function[80];
	struct bench_ring *ring; /* if the path sends by a generator ring; else NULL */
};

/**
 * bench_port_open - probe the device, configure and start the port
 * @port: is filled; zeroed on failure
 * @why: receives one clause on failure: call, error, and the driver's first error in the log
 *
 * Return: 0; -ENODEV if no driver accepts the device; -ENOTSUP if it lacks an offload; or another
 * -errno of the call that @why names
 */
int bench_port_open(struct bench_port *port, const struct bench_lab *lab,
		    const struct bench_driver *driver, const struct bench_setup *setup, char *why,
		    size_t why_bytes);

/** bench_port_close - stop, close and remove the device; @port may be zeroed */
void bench_port_close(struct bench_port *port);

/** bench_port_set_frame - write the frame into all buffers of tx_pool, while none is in use */
void bench_port_set_frame(struct bench_port *port, const struct bench_frame *frame);

/** bench_port_alloc - allocate @n packets to send. Return: 0 or -ENOMEM */
int bench_port_alloc(const struct bench_port *port, struct rte_mbuf **m, uint16_t n);

#endif
