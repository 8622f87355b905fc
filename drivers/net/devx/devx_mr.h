/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_MR_H
#define DEVX_ETH_MR_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>

#include "devx/mem.h"
#include "prm/be.h"

/**
 * DOC: Memory that packets may lie in
 *
 * All of EAL's memory, one registration per contiguous piece, and the chunks of every
 * mempool that lies elsewhere. Registered when the port starts, so that a burst finds a
 * key by address and never has to make one:
 *
 *     queue: the range of the last packet --miss--> table, by halving --miss--> no key
 *
 * A packet without a key is dropped and counted; its address never reaches the device.
 */

struct devx_eth;

/**
 * struct devx_eth_range - a piece of registered memory
 * @addr: first address
 * @bytes: length
 * @lkey: key, as data segments carry it
 */
struct devx_eth_range {
	uint64_t addr;
	uint64_t bytes;
	prm_be32 lkey;
};

/**
 * struct devx_eth_ranges - all of them
 * @range: sorted by address, disjoint
 * @mr: the registration of each, in order of registration
 * @n: how many
 * @room: how many the arrays hold
 */
struct devx_eth_ranges {
	struct devx_eth_range *range;
	struct devx_mr *mr;
	unsigned int n;
	unsigned int room;
};

/** devx_eth_range_holds - whether [addr, addr + bytes) lies in @r */
static __rte_always_inline bool
devx_eth_range_holds(const struct devx_eth_range *r, uint64_t addr, uint32_t bytes)
{
	const uint64_t offset = addr - r->addr;

	return offset < r->bytes && bytes <= r->bytes - offset;
}

/**
 * devx_eth_range_find - the range that holds [addr, addr + bytes)
 *
 * Return: it, or NULL.
 */
const struct devx_eth_range *devx_eth_range_find(const struct devx_eth_ranges *t, uint64_t addr,
						 uint32_t bytes);

/** devx_eth_ranges_start - register EAL's memory and every mempool; 0 or -errno, logged */
int devx_eth_ranges_start(struct devx_eth *eth);
/** devx_eth_ranges_stop - undo it, however far it got */
void devx_eth_ranges_stop(struct devx_eth *eth);

#endif
