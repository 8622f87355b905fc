/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PORT_RIG_H
#define PORT_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include "ct.h"
#include "needs_emu.h"

/**
 * DOC: A port of net_devx on emu, or beside the kernel of a guest, for tests
 *
 * EAL is initialised once, without hugepages, before the first test. Its log goes to a file
 * that port_rig_read_log() reads. Tests run in one thread; emu's engine is another.
 */

enum {
	PORT_RIG_RING = 512,
	PORT_RIG_POOL = 4095,
	PORT_RIG_FRAME_MAX = 1518,
	PORT_RIG_BURST = 32,
};

/**
 * struct port_rig - a port
 * @emu: the controls of emu, or NULL beside a kernel
 * @before: emu's counters before the port was probed
 * @pool: of both directions
 * @port: its number, or RTE_MAX_ETHPORTS
 * @mac: its address
 * @has_netdev: the kernel has a network interface for it
 * @stuck: a destroy was made to fail: firmware keeps what the driver could not take back
 */
struct port_rig {
	const struct devx_emu_ctl *emu;
	struct devx_emu_counters before;
	struct rte_mempool *pool;
	uint16_t port;
	struct rte_ether_addr mac;
	bool has_netdev;
	bool stuck;
};

/** struct port_rig_config - how port_rig_up() configures the port; zeroes are the usual values */
struct port_rig_config {
	struct rte_eth_conf eth;
	uint16_t n_rx_desc, n_tx_desc, n_txq;
};

/** port_rig_probe - probe net_devx0 on mlx5_0 and create the pool; ends the test on failure */
void port_rig_probe(struct port_rig *rig);
/** port_rig_remove_port - remove net_devx0, which is stopped; the pool stays */
void port_rig_remove_port(struct port_rig *rig);
/** port_rig_add_port - probe net_devx0 on mlx5_0 again after port_rig_remove_port() */
void port_rig_add_port(struct port_rig *rig);
/** port_rig_configure - configure and set up queues. Return: first error of ethdev, or 0 */
int port_rig_configure(struct port_rig *rig, const struct port_rig_config *config);
/** port_rig_up - port_rig_probe(), port_rig_configure(), start; ends the test on failure */
void port_rig_up(struct port_rig *rig, const struct port_rig_config *config);
/** port_rig_down - stop, close, free the pool; expects that emu holds no more than before */
void port_rig_down(struct port_rig *rig);
/**
 * port_rig_start_and_stop - start and stop a configured port
 *
 * Return: emu's counters then. rdma-core keeps a UAR page for the next who asks, so a port
 * that was never started holds one less.
 */
struct devx_emu_counters port_rig_start_and_stop(const struct port_rig *rig);
/** port_rig_expect_objects - expects emu to hold what it held at @then */
void port_rig_expect_objects(const struct port_rig *rig, const struct devx_emu_counters *then);
/** port_rig_get_counters - emu's counters of port 0; beside a kernel all zero */
struct devx_emu_counters port_rig_get_counters(const struct port_rig *rig);
/** port_rig_read_log - what EAL and driver logged since the last call; valid until the next */
const char *port_rig_read_log(void);

/** port_rig_make_packet - a frame to the port itself, of UDP over IPv4, filled from @seed */
struct rte_mbuf *port_rig_make_packet(const struct port_rig *rig, uint32_t bytes, uint32_t seed);
/** port_rig_expect_packet - @m is what port_rig_make_packet(bytes, seed) made */
void port_rig_expect_packet(const struct port_rig *rig, const struct rte_mbuf *m, uint32_t bytes,
			    uint32_t seed);
/** port_rig_send - send @n packets, or fail the test when the queue takes none for five seconds */
bool port_rig_send(const struct port_rig *rig, struct rte_mbuf **m, uint16_t n);
/** port_rig_send - send @n packets; fails the test when the queue takes none for five seconds */
uint16_t port_rig_receive(const struct port_rig *rig, struct rte_mbuf **m, uint16_t n);
/** port_rig_exchange_one - one packet goes round and comes back whole */
void port_rig_exchange_one(const struct port_rig *rig, uint32_t seed);
/** port_rig_wait_until - call @done until it is true. Return: false after five seconds without */
bool port_rig_wait_until(bool (*done)(const struct port_rig *rig, void *arg),
			 const struct port_rig *rig, void *arg);
/** port_rig_get_xstat - an extended statistic by name; fails the test when there is none */
uint64_t port_rig_get_xstat(const struct port_rig *rig, const char *name);

#endif
