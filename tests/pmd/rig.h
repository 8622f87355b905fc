/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PMD_RIG_H
#define PMD_RIG_H

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
 * that rig_log() reads. Tests run in one thread; emu's engine is another.
 */

enum {
	RIG_RING = 512,
	RIG_POOL = 4095,
	RIG_FRAME_MAX = 1518,
	RIG_BURST = 32,
};

/**
 * struct rig - a port
 * @emu: the controls of emu, or NULL beside a kernel
 * @before: emu's counters before the port was probed
 * @pool: of both directions
 * @port: its number, or RTE_MAX_ETHPORTS
 * @mac: its address
 * @has_netdev: the kernel has a network interface for it
 * @stuck: a destroy was made to fail: firmware keeps what the driver could not take back
 */
struct rig {
	const struct devx_emu_ctl *emu;
	struct devx_emu_counters before;
	struct rte_mempool *pool;
	uint16_t port;
	struct rte_ether_addr mac;
	bool has_netdev;
	bool stuck;
};

/** struct rig_config - how rig_up() configures the port; zeroes are the usual values */
struct rig_config {
	struct rte_eth_conf eth;
	uint16_t n_rx_desc, n_tx_desc, n_txq;
};

/** rig_probe - probe net_devx0 on mlx5_0 and create the pool; ends the test on failure */
void rig_probe(struct rig *rig);
/** rig_configure - configure and set up queues. Return: first error of ethdev, or 0 */
int rig_configure(struct rig *rig, const struct rig_config *config);
/** rig_up - rig_probe(), rig_configure(), start; ends the test on failure */
void rig_up(struct rig *rig, const struct rig_config *config);
/** rig_down - stop, close, free the pool; expects that emu holds no more than before */
void rig_down(struct rig *rig);
/**
 * rig_stopped - start and stop a configured port
 *
 * Return: emu's counters then. rdma-core keeps a UAR page for the next who asks, so a port
 * that was never started holds one less.
 */
struct devx_emu_counters rig_stopped(const struct rig *rig);
/** rig_expect_objects - expects emu to hold what it held at @then */
void rig_expect_objects(const struct rig *rig, const struct devx_emu_counters *then);
/** rig_counters - emu's counters of port 0; beside a kernel all zero */
struct devx_emu_counters rig_counters(const struct rig *rig);
/** rig_log - what EAL and driver logged since the last call; valid until the next */
const char *rig_log(void);

/** rig_packet - a frame to the port itself, of UDP over IPv4, filled from @seed */
struct rte_mbuf *rig_packet(const struct rig *rig, uint32_t bytes, uint32_t seed);
/** rig_expect_packet - @m is what rig_packet(bytes, seed) made */
void rig_expect_packet(const struct rig *rig, const struct rte_mbuf *m, uint32_t bytes,
		       uint32_t seed);
/** rig_send - send @n packets, or fail the test when the queue takes none for a second */
bool rig_send(const struct rig *rig, struct rte_mbuf **m, uint16_t n);
/** rig_recv - receive up to @n packets; waits until the first comes, at most a second */
uint16_t rig_recv(const struct rig *rig, struct rte_mbuf **m, uint16_t n);
/** rig_exchange_one - one packet goes round and comes back whole */
void rig_exchange_one(const struct rig *rig, uint32_t seed);
/** rig_wait - call @done until it says true. Return: false when it did not within a second */
bool rig_wait(bool (*done)(const struct rig *rig, void *arg), const struct rig *rig, void *arg);
/** rig_xstat - an extended statistic by name; fails the test when there is none */
uint64_t rig_xstat(const struct rig *rig, const char *name);

#endif
