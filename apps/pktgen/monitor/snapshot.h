/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_SNAPSHOT_H
#define PKTGEN_SNAPSHOT_H

#include <rte_ethdev.h>

#include "monitor/publish.h"

/**
 * struct snapshot_port - a port of net_devx
 * @name: name of its device
 * @stats: counters since the start of the port
 */
struct snapshot_port {
	char name[RTE_ETH_NAME_MAX_LEN];
	struct rte_eth_stats stats;
};

/**
 * struct snapshot - figures of a running devx-pktgen at one time
 * @ns: CLOCK_MONOTONIC
 * @run: the published figures
 * @ports, @n_ports: ports whose statistics this process can read
 */
struct snapshot {
	uint64_t ns;
	struct published run;
	unsigned n_ports;
	struct snapshot_port ports[RTE_MAX_ETHPORTS];
};

/** snapshot_begin - watch for ports that go away. Call it before snapshot_take() */
void snapshot_begin(void);

/** snapshot_take - read all figures. Return: false if the controller interfered; try again */
bool snapshot_take(struct snapshot *s, const struct published *zone);

/** snapshot_end - close the ports of this process */
void snapshot_end(void);

#endif
