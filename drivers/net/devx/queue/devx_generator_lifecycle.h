/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_GENERATOR_LIFECYCLE_H
#define DEVX_ETH_GENERATOR_LIFECYCLE_H

#include "devx_generator.h"
#include "rte_pmd_devx.h"

/**
 * devx_eth_generator_create - create a generator ring on a started port
 * @ring: receives the ring
 * @eth: the port; the caller does not hold @eth->lock
 * @conf: the packets
 *
 * Return: as rte_pmd_devx_ring_create(), logged
 */
int devx_eth_generator_create(struct rte_pmd_devx_ring **ring, struct devx_eth *eth,
			      const struct rte_pmd_devx_ring_conf *conf);

/**
 * devx_eth_generator_stop_all - wait for the packets of all rings; destroy their firmware objects
 *
 * The rings exist until the application destroys them. The caller holds eth->lock.
 */
void devx_eth_generator_stop_all(struct devx_eth *eth);

/* A recovery of the device restarts the rings that ran before. */

/** devx_eth_generator_prepare_restart - note which rings run, before their stop; under eth->lock */
void devx_eth_generator_prepare_restart(struct devx_eth *eth);
/** devx_eth_generator_restart_all - start the noted rings; under eth->lock. 0 or -errno, logged */
int devx_eth_generator_restart_all(struct devx_eth *eth);
/** devx_eth_generator_finish_restart - forget the noted rings; without eth->lock */
void devx_eth_generator_finish_restart(struct devx_eth *eth);

/** devx_eth_generator_free_all - free all rings of a port that closes */
void devx_eth_generator_free_all(struct devx_eth *eth);
/** devx_eth_generator_destroy - stop and free a ring; the caller does not hold eth->lock */
void devx_eth_generator_destroy(struct rte_pmd_devx_ring *r);
/** devx_eth_generator_read - devx_eth_generator_sum() for any thread, even without eth->lock */
struct devx_eth_generated devx_eth_generator_read(const struct devx_eth *eth);

/* ---- fork: all rings of this process, on all ports ------------------------------------------ */

/** devx_eth_generator_lock_all - keep other threads from creating and freeing rings */
void devx_eth_generator_lock_all(void);
/** devx_eth_generator_unlock_all - undo devx_eth_generator_lock_all(), also in a child of fork */
void devx_eth_generator_unlock_all(void);
/** devx_eth_generator_take_all - in a child of fork, make all rings stop sending */
void devx_eth_generator_take_all(void);

#endif
