/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_PORT_STATS_H
#define DEVX_ETH_PORT_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "devx/async.h"
#include "devx/port.h"
#include "devx_counts.h"

/**
 * struct devx_eth_missed - count of packets without a receive buffer; see devx_missed.h
 * @replies: channel for the replies to queries of the queue counter
 * @running: the queue counter exists and may be queried
 * @in_flight: the reply to a query is pending
 * @failed: a failure was logged since the last start
 * @next_query: number of the next query
 * @oldest_valid: replies to queries before this number are older than @total
 * @query_ns: time of the last query
 * @read_ns: time for which @total is correct
 * @total: count since probe
 * @base: value of @total at the last reset of statistics
 * @seen: last value of the queue counter, mod 2^32
 *
 * Readers take no lock: @running, @read_ns, @total and @base change atomically.
 */
struct devx_eth_missed {
	struct devx_async replies;
	bool running, in_flight, failed;
	uint64_t next_query, oldest_valid;
	uint64_t query_ns, read_ns;
	uint64_t total, base;
	uint32_t seen;
};

/** struct devx_eth_generated - counters of generator rings, see struct devx_eth_tx_counters */
struct devx_eth_generated {
	uint64_t packets, bytes, lost, unknown, error_cqes, cq_errors, recoveries;
};

/**
 * struct devx_eth_stats - those statistics of a port that are not in its queues
 * @missed: packets that found no buffer, from the queue counter
 * @port: last values of the counters of the port in firmware
 * @port_base: their values at the last reset of extended statistics
 * @released: counters of released queues since the last reset of statistics
 * @generated: counters of destroyed generator rings since the last reset of statistics
 * @published: counters of all generator rings, for secondary processes; see
 *             devx_eth_generator_publish()
 */
struct devx_eth_stats {
	struct devx_eth_missed missed;
	struct devx_port_counters port, port_base;
	struct devx_eth_counts released;
	struct devx_eth_generated generated, published;
};

#endif
