/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_ETH_GENERATOR_UNIT_H
#define DEVX_ETH_GENERATOR_UNIT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <rte_common.h>

#include "devx_generator.h"
#include "prm/wqe.h"

/**
 * DOC: Units that are in the ring already
 *
 * A unit keeps its WQEs from lap to lap. To post it again, a send writes the indices of its WQEs,
 * and the bytes that the caller replaces.
 */

/* Writes the index of a WQE that is in the ring already. Its other bytes stay. */
static __rte_always_inline void devx_eth_generator_write_index(struct devx_wqebb *wqe, uint16_t pi)
{
	enum { PLACE = 1 }; /* in opmod_idx_opcode */
	const prm_be16 index = prm_be16_of(pi);

	memcpy(wqe->bytes + PLACE, &index, sizeof(index));
}

/*
 * Writes the index of the last WQE of a send. @start: its first 8 bytes with index 0, in the byte
 * order of the CPU. The doorbell then loads these bytes, so a single store writes all of them:
 * after a store of the index alone, the load would wait until all stores are in the cache.
 */
static __rte_always_inline struct prm_ctrl_seg *
devx_eth_generator_write_last_index(struct devx_wqebb *wqe, uint64_t start, uint16_t pi)
{
	const prm_be64 value = prm_be64_of(start + prm_be64_get(prm_ctrl_start(pi, 0, 0, 0)));

	memcpy(wqe->bytes, &value, sizeof(value));
	return &wqe->ctrl;
}

/* Returns the first 8 bytes of a WQE with index 0, in the byte order of the CPU. */
static inline uint64_t devx_eth_generator_get_start(const struct devx_wqebb *wqe)
{
	const uint64_t index = prm_be64_get(prm_ctrl_start(UINT16_MAX, 0, 0, 0));
	prm_be64 start;

	memcpy(&start, wqe->bytes, sizeof(start));
	return prm_be64_get(start) & ~index;
}

/* Posts @n full units, at least 1, at sq.pi. Returns the last of their WQEs. */
static __rte_always_inline struct prm_ctrl_seg *
devx_eth_generator_number_units(struct rte_pmd_devx_ring *r, uint16_t n)
{
	struct devx_wqebb *wqe = devx_eth_generator_get_unit(r, r->unit);
	const uint16_t n_blocks = r->n_blocks;
	uint16_t pi = r->sq.pi;

	r->unit += n;
	for (; --n; wqe += n_blocks, pi += n_blocks)
		devx_eth_generator_write_index(wqe, pi);
	r->sq.pi = (uint16_t)(pi + n_blocks);
	return devx_eth_generator_write_last_index(wqe, r->start, pi);
}

/*
 * Posts the next unit, which contains as many packets as the last short send had, so only indices
 * change. Returns its last WQE.
 */
static __rte_noinline struct prm_ctrl_seg *
devx_eth_generator_number_short_unit(struct rte_pmd_devx_ring *r)
{
	struct devx_wqebb *const unit = devx_eth_generator_get_unit(r, r->unit);
	const uint16_t n_blocks = r->n_blocks;
	const uint16_t used = prm_wqe_count_blocks(prm_ctrl_ds(&unit->ctrl));
	const uint16_t pi = r->sq.pi;
	struct devx_wqebb *last = used < n_blocks ? &unit[n_blocks - 1] : unit;
	const uint64_t start = devx_eth_generator_get_start(last);

	r->unit++;
	r->sq.pi = (uint16_t)(pi + n_blocks);
	devx_eth_generator_write_index(unit, pi);
	for (uint16_t i = used; i < n_blocks; i++)
		devx_eth_generator_write_index(&unit[i], (uint16_t)(pi + i));
	return devx_eth_generator_write_last_index(last, start, (uint16_t)(pi + (last - unit)));
}

/* Copies @n bytes. @few: @n is 8 to 16, so two copies of 8 bytes, which may overlap, suffice. */
static __rte_always_inline void devx_eth_generator_copy_bytes(uint8_t *to, const uint8_t *from,
							      size_t n, const bool few)
{
	uint64_t head, tail;

	if (!few) {
		memcpy(to, from, n);
		return;
	}
	memcpy(&head, from, sizeof(head));
	memcpy(&tail, from + n - sizeof(tail), sizeof(tail));
	memcpy(to, &head, sizeof(head));
	memcpy(to + n - sizeof(tail), &tail, sizeof(tail));
}

/*
 * Replaces @bytes bytes in each of the first @n packets of @n_units units. @to: these bytes in the
 * first packet. @from: their new values; those for the next packet are r->patch_bytes further on.
 */
static __rte_always_inline void devx_eth_generator_patch_part(const struct rte_pmd_devx_ring *r,
							      uint8_t *to, const uint8_t *from,
							      size_t bytes, uint16_t n_units,
							      uint16_t n, const bool few)
{
	const size_t entry_bytes = r->entry_bytes, next = r->patch_bytes;
	const size_t unit_bytes = (size_t)r->n_blocks * PRM_WQEBB_BYTES;

	for (; n_units; n_units--, to += unit_bytes) {
		uint8_t *at = to;

		for (uint16_t i = n; i; i--, at += entry_bytes, from += next)
			devx_eth_generator_copy_bytes(at, from, bytes, few);
	}
}

/* Patches the first @n packets of @n_units units from @unit on. Returns the rest of @patches. */
static __rte_noinline const uint8_t *
devx_eth_generator_patch_units(const struct rte_pmd_devx_ring *r, struct devx_wqebb *unit,
			       const uint8_t *patches, uint16_t n_units, uint16_t n)
{
	const struct rte_pmd_devx_ring_patch *p = r->patch;
	const uint8_t *const end = patches + r->patch_bytes;

	for (const uint8_t *from = patches; from < end; from += p->bytes, p++) {
		uint8_t *to = (uint8_t *)unit + p->offset;

		if (p->bytes >= 8 && p->bytes <= 16)
			devx_eth_generator_patch_part(r, to, from, p->bytes, n_units, n, true);
		else
			devx_eth_generator_patch_part(r, to, from, p->bytes, n_units, n, false);
	}
	return patches + (size_t)n_units * n * r->patch_bytes;
}

#endif
