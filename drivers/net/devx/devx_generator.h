/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_GENERATOR_H
#define DEVX_ETH_GENERATOR_H

#include <stdint.h>

#include "devx/cq.h"
#include "devx/sq.h"
#include "devx/uar.h"
#include "devx_flush.h"
#include "devx_last_error.h"
#include "devx_txq.h"
#include "rte_pmd_devx.h"

/**
 * DOC: Generator ring
 *
 * A separate send queue whose WQEs already contain the packets. A unit is one WQE; its number of
 * packets is a power of two, so usual bursts are whole units. NOPs fill the blocks behind the last
 * unit, so the units are at the same place on every lap around the ring.
 *
 *     ring   | unit 0 | unit 1 | ... | unit n_units - 1 | NOP | NOP |
 *     unit   | ctrl | eth | count, frame | count, frame | ... |           ENHANCED_MPSW
 *
 * Sending a unit writes the index of its WQE and the bytes that the caller patches. The index
 * counts all blocks ever posted, mod 2^16, so it differs from lap to lap. To send fewer packets,
 * the sender first rewrites the unit as a shorter WQE with NOPs behind it.
 *
 * PRM-MISSING: a NOP of one block may follow a multi-packet WQE and request a CQE (Linux ends laps
 * with NOPs, without a CQE).
 *
 * The last WQE of every quarter of the units requests a CQE. The device may still read a unit until
 * a CQE of this or a later unit arrives; the sender leaves it unchanged until then.
 *
 * An error CQE, or an error of the CQ, makes the ring BROKEN. The recovery timer then restarts it.
 */

enum { DEVX_ETH_GENERATOR_QUARTERS = 4 };

/** struct rte_pmd_devx_ring - a generator ring; one thread sends */
struct rte_pmd_devx_ring {
	/* read or written in every burst */
	uint32_t owner; /* enum devx_eth_owner */
	uint16_t unit;  /* the next to send; n_units: the NOPs at the end of the lap come first */
	uint16_t limit; /* units before this one are free, and not behind the end of the lap */
	uint8_t n_blocks, n_packets_log2; /* in a unit */
	uint16_t n_short;     /* units that contain fewer packets than they have room for */
	uint16_t patch_bytes; /* bytes of all patches of a packet */
	uint32_t frame_bytes;
	uint64_t start; /* first 8 bytes of a full WQE with index 0, in the byte order of the CPU */
	struct devx_eth_tx_counters n;

	uint16_t counted;     /* units before this one are already subtracted from n_free */
	uint16_t n_free;      /* units that the device no longer reads */
	uint16_t n_units;     /* in a lap */
	uint16_t entry_bytes; /* distance from one packet of a unit to the next */
	uint32_t per_block; /* units in 2^32 blocks, rounded up: turns a division into a product */
	struct rte_pmd_devx_ring_patch patch[RTE_PMD_DEVX_RING_PATCHES]; /* offset from a unit */
	struct devx_sq sq __rte_cache_aligned;
	struct devx_cq cq __rte_cache_aligned;

	/* control path */
	struct devx_eth *eth;
	struct rte_pmd_devx_ring *next;            /* list of the port */
	struct rte_pmd_devx_ring *next_in_process; /* list of all rings, for a child of fork */
	struct devx_uar uar;
	struct devx_eth_tx_counters base; /* at the last reset of statistics */
	uint8_t *n_packets;               /* packets that each unit contains now */
	uint8_t *frame;
	uint64_t cq_cookie; /* cookie of the CQ's events; 0: the device withholds them */
	uint32_t polled_ci; /* cq.ci when the timer last looked at the CQ */
	uint64_t n_lost;    /* n.lost before the error */
	struct devx_eth_flush flush;
	uint16_t done; /* sq.pi behind the last WQE with a CQE; valid while BROKEN */
	uint8_t error_syndrome, error_vendor;
	uint8_t cq_syndrome;                   /* enum prm_cq_error_syndrome; 0: unknown */
	bool cq_failed;                        /* the recovery timer replaces CQ and SQ */
	bool recovery_failed;                  /* a failure to restart the ring was logged */
	uint8_t log2_blocks;                   /* log2 of the blocks of the SQ */
	unsigned int number;                   /* how many rings the port created before */
	struct devx_eth_last_error last_error; /* for reports */
	bool restart;                          /* the ring ran when the device was lost */
};

static inline struct devx_wqebb *devx_eth_generator_get_unit(const struct rte_pmd_devx_ring *r,
							     uint16_t unit)
{
	return &r->sq.wqebbs[unit * r->n_blocks];
}

static inline void devx_eth_generator_add(struct devx_eth_generated *sum,
					  const struct rte_pmd_devx_ring *ring)
{
	sum->packets += ring->n.packets - ring->base.packets;
	sum->bytes += ring->n.bytes - ring->base.bytes;
	sum->lost += ring->n.lost - ring->base.lost;
	sum->unknown += ring->n.unknown - ring->base.unknown;
	sum->error_cqes += ring->n.error_cqes - ring->base.error_cqes;
	sum->cq_errors += ring->n.cq_errors - ring->base.cq_errors;
	sum->recoveries += ring->n.recoveries - ring->base.recoveries;
}

/**
 * devx_eth_generator_sum - sum the counters of all rings of a port, destroyed ones included
 *
 * The caller holds eth->lock, or knows that no thread creates or destroys a ring meanwhile
 * (devx_eth_generator_read()).
 */
static inline struct devx_eth_generated devx_eth_generator_sum(const struct devx_eth *eth)
{
	struct devx_eth_generated sum = eth->stats.generated;

	for (const struct rte_pmd_devx_ring *r = eth->generators; r; r = r->next)
		devx_eth_generator_add(&sum, r);
	return sum;
}

/**
 * devx_eth_generator_publish - write the sum into eth->stats.published, for secondary processes
 *
 * Because readers see only the sum, they never miss a ring or count it twice while its counters
 * move to eth->stats.generated. Each counter is atomic. The caller holds eth->lock.
 */
static inline void devx_eth_generator_publish(struct devx_eth *eth)
{
	const struct devx_eth_generated sum = devx_eth_generator_sum(eth);

	__atomic_store_n(&eth->stats.published.packets, sum.packets, __ATOMIC_RELAXED);
	__atomic_store_n(&eth->stats.published.bytes, sum.bytes, __ATOMIC_RELAXED);
	__atomic_store_n(&eth->stats.published.lost, sum.lost, __ATOMIC_RELAXED);
	__atomic_store_n(&eth->stats.published.unknown, sum.unknown, __ATOMIC_RELAXED);
	__atomic_store_n(&eth->stats.published.error_cqes, sum.error_cqes, __ATOMIC_RELAXED);
	__atomic_store_n(&eth->stats.published.cq_errors, sum.cq_errors, __ATOMIC_RELAXED);
	__atomic_store_n(&eth->stats.published.recoveries, sum.recoveries, __ATOMIC_RELAXED);
}

/**
 * devx_eth_generator_count_used - get the number of units that the device may still read
 *
 * Context: the thread that sends. Another thread gets the number after the last burst, or a wrong
 * one while a burst runs.
 */
static inline uint16_t devx_eth_generator_count_used(const struct rte_pmd_devx_ring *r)
{
	const uint16_t n_free = __atomic_load_n(&r->n_free, __ATOMIC_RELAXED);
	const uint16_t unit = __atomic_load_n(&r->unit, __ATOMIC_RELAXED);

	return (uint16_t)(r->n_units - n_free +
			  (unit - __atomic_load_n(&r->counted, __ATOMIC_RELAXED)));
}

#endif
