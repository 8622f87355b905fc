/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_GENERATOR_H
#define DEVX_ETH_GENERATOR_H

#include <stdint.h>

#include "devx/cq.h"
#include "devx/sq.h"
#include "devx/uar.h"
#include "devx_txq.h"

/**
 * DOC: Generator ring
 *
 * A send queue of its own whose WQEs already contain the packets. The ring consists of units of
 * @n_blocks blocks; n_blocks is a power of two, so a unit never wraps and starts at the same blocks
 * on every lap.
 *
 *     unit   | ctrl | eth | count, frame | count, frame | ... | NOP | NOP |
 *            '------- ENHANCED_MPSW, @per_unit packets -------'  unused blocks
 *
 * Sending a unit writes the index of each WQE and the bytes that the caller patches. The index
 * counts all blocks ever posted, mod 2^16, so it differs from lap to lap. A unit that contains
 * another number of packets than it will send is written again before.
 *
 * PRM-MISSING: a NOP WQE of one block may stand behind each multi-packet WQE, and may request the
 * CQE (emu accepts it; no driver for adapters was seen to send it).
 *
 * The last WQE of every quarter of the ring requests a CQE. The device may still read a unit until
 * a CQE of this or a later unit arrives; the sender leaves it unchanged until then.
 */

enum { DEVX_ETH_GENERATOR_QUARTERS = 4 };

/** struct rte_pmd_devx_ring - a generator ring; one thread sends */
struct rte_pmd_devx_ring {
	/* read or written in every burst */
	uint32_t owner; /* enum devx_eth_owner: RUNNING, BROKEN after an error CQE, or STOPPED */
	uint16_t done;  /* sq.pi behind the last completed unit */
	uint16_t n_blocks, per_unit;
	uint16_t patch_offset, patch_bytes; /* offset from the start of a unit's first packet */
	uint16_t entry_bytes;               /* from one packet of a unit to the next */
	uint32_t frame_bytes;
	uint8_t *n_packets; /* of each unit: packets that it contains now */
	struct devx_eth_tx_counters n, base;
	struct devx_sq sq __rte_cache_aligned;
	struct devx_cq cq __rte_cache_aligned;

	/* control path */
	struct devx_eth *eth;
	struct rte_pmd_devx_ring *next; /* list of the port */
	struct devx_uar uar;
	uint8_t *frame;
};

/** devx_eth_generator_get_unit - get the first block of the unit at counter value @pi */
static inline struct devx_wqebb *devx_eth_generator_get_unit(const struct rte_pmd_devx_ring *r,
							     uint16_t pi)
{
	return devx_sq_get_wqebb(&r->sq, pi);
}

/** devx_eth_generator_get_number - get the number of the unit at counter value @pi */
static inline uint16_t devx_eth_generator_get_number(const struct rte_pmd_devx_ring *r, uint16_t pi)
{
	return (uint16_t)((pi & ((1u << r->sq.log2_n) - 1)) / r->n_blocks);
}

#endif
