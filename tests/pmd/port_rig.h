/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PORT_RIG_H
#define PORT_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include "ct.h"
#include "driver_objects.h"
#include "mbuf_pool.h"
#include "needs_emu.h"
#include "port_account.h"

/**
 * DOC: A port of net_devx for tests, on emu or beside the kernel of a guest
 *
 * The first port_rig_probe() initialises EAL: without hugepages and for this process alone; with
 * hugepages if the environment has PMD_TEST_HUGEPAGES; or with the arguments in PMD_TEST_EAL. The
 * log of EAL goes to a file that port_rig_read_log() reads. Tests run in one thread. emu's engine
 * is another one, and so is EAL's interrupt thread, which runs the recovery timer.
 */

enum {
	PORT_RIG_RING = 512,
	PORT_RIG_MISSED = 188, /* more than a ring holds */
	PORT_RIG_POOL = 4095,
	PORT_RIG_FRAME_MAX = 1518,
	PORT_RIG_BURST = 32,
};

/**
 * struct port_rig - a port
 * @emu: the controls of emu, or NULL beside a kernel
 * @before: emu's counters before the port was probed
 * @objects: objects of the driver before the port was probed
 * @pool: mbufs for sending and receiving
 * @port: number of the port; RTE_MAX_ETHPORTS: no port is probed
 * @mac: MAC address of the port
 * @has_netdev: the kernel has a network interface for the port
 * @stuck: the test made a destroy fail, so an object is left on the device
 * @device_lost: the driver could not read the last value of the queue counter of a lost device
 * @n_kept: number of mbufs that an RQ or SQ left on the device keeps
 * @n_generated, @generated_bytes: packets that generator rings sent, which belong to no queue
 * @n_own: frames that the port sent and lpbk_mode brought to it
 * @n_aged: lost frames that the test added to the queue counter
 * @account: frames and losses since the port was probed
 */
struct port_rig {
	const struct devx_emu_ctl *emu;
	struct devx_emu_counters before;
	struct driver_objects objects;
	struct rte_mempool *pool;
	uint16_t port;
	struct rte_ether_addr mac;
	bool has_netdev;
	bool stuck, device_lost;
	unsigned int n_kept;
	uint64_t n_generated, generated_bytes;
	uint64_t n_own;
	uint64_t n_aged;
	struct port_account account;
};

/** struct port_rig_config - configuration of the port; 0: PORT_RIG_RING descriptors, 1 queue */
struct port_rig_config {
	struct rte_eth_conf eth;
	uint16_t n_rx_desc, n_tx_desc, n_rxq, n_txq;
};

/**
 * port_rig_init_vdev - rte_vdev_init() on the device to test
 * @args: arguments that name mlx5_0
 *
 * The environment variable DEVX_TEST_IBDEV names another device, which then stands for mlx5_0.
 *
 * Return: as rte_vdev_init().
 */
int port_rig_init_vdev(const char *name, const char *args);
/**
 * port_rig_probe - probe net_devx0 on mlx5_0 and create the pool; ends the test on failure
 *
 * A stop waits for its packets for STOP_WAIT_MS at most (devx_eth_send_wait_ms). The recovery timer
 * does not read the queue counter (devx_eth_missed_period_ms).
 */
void port_rig_probe(struct port_rig *rig);
/** port_rig_remove_port - remove net_devx0, which is stopped, as port_rig_down(); the pool stays */
void port_rig_remove_port(struct port_rig *rig);
/** port_rig_add_port - probe net_devx0 on mlx5_0 again after port_rig_remove_port() */
void port_rig_add_port(struct port_rig *rig);
/** port_rig_add_port_with - port_rig_add_port() with arguments, such as "ibdev=mlx5_0,uar=nc" */
void port_rig_add_port_with(struct port_rig *rig, const char *args);
/**
 * port_rig_configure - configure the stopped port and its queues
 *
 * Checks the account of the frames until now, and begins a new one: new queues count from 0. A test
 * that sets queues up itself, after traffic, has to do the same.
 *
 * Return: 0 or first error of ethdev
 */
int port_rig_configure(struct port_rig *rig, const struct port_rig_config *config);
/** port_rig_up - port_rig_probe(), port_rig_configure(), start; ends the test on failure */
void port_rig_up(struct port_rig *rig, const struct port_rig_config *config);
/**
 * port_rig_down - close the port, free the pool
 *
 * First resumes the engine of emu, disarms its failures and makes a removed device return.
 *
 * Expects the objects of emu and of the driver as before the probe, and every mbuf back. Expects
 * no more memory and descriptors than then, and a right account of frames (port_account.h).
 */
void port_rig_down(struct port_rig *rig);
/**
 * port_rig_start_and_stop - start and stop a configured port
 *
 * Return: emu's counters after the stop. They include a UAR page that rdma-core keeps from the
 * first start on.
 */
struct devx_emu_counters port_rig_start_and_stop(const struct port_rig *rig);
/** port_rig_expect_objects - expect emu to hold as many objects as at @then */
void port_rig_expect_objects(const struct port_rig *rig, const struct devx_emu_counters *then);
/** port_rig_get_counters - get emu's counters of port 0; all zero beside a kernel */
struct devx_emu_counters port_rig_get_counters(const struct port_rig *rig);
/** port_rig_read_log - get the log of EAL and driver since the last call; valid until the next */
const char *port_rig_read_log(void);

/** port_rig_make_packet - make a UDP frame to the port itself; @seed determines its payload */
struct rte_mbuf *port_rig_make_packet(const struct port_rig *rig, uint32_t bytes, uint32_t seed);
/** port_rig_expect_packet - expect @m to equal port_rig_make_packet(rig, bytes, seed) */
void port_rig_expect_packet(const struct port_rig *rig, const struct rte_mbuf *m, uint32_t bytes,
			    uint32_t seed);
/**
 * port_rig_send - send @n packets
 *
 * Return: true; false if the port did not take all until WAIT_LIMIT_S was over. The test then
 * fails, and port_rig_send() has freed the packets that were not taken.
 */
bool port_rig_send(const struct port_rig *rig, struct rte_mbuf **m, uint16_t n);
/** port_rig_receive - receive up to @n packets. Return: how many; 0: none came */
uint16_t port_rig_receive(const struct port_rig *rig, struct rte_mbuf **m, uint16_t n);
/**
 * port_rig_overflow - send PORT_RIG_RING + PORT_RIG_MISSED packets, then receive those that came
 * @dropped: returns whether the device has dropped the last PORT_RIG_MISSED packets
 * @arg: argument of @dropped
 */
void port_rig_overflow(const struct port_rig *rig,
		       bool (*dropped)(const struct port_rig *rig, void *arg), void *arg);
/** port_rig_exchange_one - send a packet, receive it and expect it unchanged */
void port_rig_exchange_one(const struct port_rig *rig, uint32_t seed);
/** port_rig_exchange_on_all - send a packet on each send queue, receive it on Rx queue 0 */
void port_rig_exchange_on_all(const struct port_rig *rig);
/** port_rig_wait_until - call @done until it returns true. Return: false: WAIT_LIMIT_S is over */
bool port_rig_wait_until(bool (*done)(const struct port_rig *rig, void *arg),
			 const struct port_rig *rig, void *arg);
/**
 * port_rig_unplug - remove the adapter, wait until the port reports it, and plug it in again
 *
 * The port stays without device for good: no device returned before it looked for one.
 */
void port_rig_unplug(const struct port_rig *rig);
/** port_rig_get_xstat - get an extended statistic; an unknown @name is a failure of the test */
uint64_t port_rig_get_xstat(const struct port_rig *rig, const char *name);
/** port_rig_dump - get what rte_eth_dev_priv_dump() writes. Return: text to free() */
char *port_rig_dump(const struct port_rig *rig);
/**
 * port_rig_find_group - get the part of @dump behind the line "NAME:"
 * @dump: a dump, or such a part of one
 *
 * Return: the lines up to one that is not indented deeper, valid until the next call; "": no line
 */
const char *port_rig_find_group(const char *dump, const char *name);

#endif
