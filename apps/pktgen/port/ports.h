/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_PORTS_H
#define PKTGEN_PORTS_H

#include <rte_ethdev.h>

#include "base/exit.h"
#include "model/capture.h"
#include "model/options.h"

/**
 * struct port - an ethdev port with one queue pair
 * @device: what the user called it
 * @pool: buffers that it receives into
 * @base: its statistics when the run began
 */
struct port {
	uint16_t id;
	const char *device;
	const char *driver;
	struct rte_ether_addr mac;
	uint16_t mtu, max_mtu; /* in use, and the largest that the driver takes */
	uint32_t link_mbps;    /* 0: not known */
	bool promisc, fast_free, started;
	int socket;
	struct rte_mempool *pool;
	struct rte_eth_stats base;
};

/** struct ports - what the run uses */
struct ports {
	struct port port[PKTGEN_MAX_PORTS];
	unsigned n;
};

/** ports_compute_memory_mb - packet memory for PKTGEN_MAX_PORTS ports, frames of @max_bytes */
size_t ports_compute_memory_mb(const struct options *o, uint32_t max_bytes);

/** ports_open - attach and configure. Return: PKTGEN_MET, or another code after one line */
enum pktgen_exit ports_open(struct ports *p, const struct options *o);

/**
 * ports_check_frames - do all frames fit through the ports?
 * @p: open ports
 * @o: the command line
 * @c: the capture that will be sent, or NULL: frames of o->size
 */
enum pktgen_exit ports_check_frames(const struct ports *p, const struct options *o,
				    const struct capture *c);

/** ports_start - start them and wait for the links, until *@stop */
enum pktgen_exit ports_start(struct ports *p, const struct options *o, const volatile int *stop);

/** ports_read_stats - counters since ports_start(), those that report_run() shows */
struct rte_eth_stats ports_read_stats(const struct port *port);

/** ports_create_tx_pool - buffers to send flow @i from, for a ring of @ring. NULL: no memory */
struct rte_mempool *ports_create_tx_pool(const struct port *port, unsigned i, uint32_t frame_bytes,
					 uint32_t ring);

/** ports_close - stop and give back, however far ports_open() got */
void ports_close(struct ports *p);

#endif
