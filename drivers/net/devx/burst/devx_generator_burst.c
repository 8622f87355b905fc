/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <rte_branch_prediction.h>

#include "burst/devx_generator_burst.h"
#include "burst/devx_generator_unit.h"
#include "devx_cq_failure.h"
#include "prm/wqe.h"

enum { ENTRY_HEADER_BYTES = 4 }; /* the byte count in front of inline bytes */

/* Returns whether the last WQE of a unit requests a CQE, because it ends a quarter of the units. */
static bool ends_quarter(const struct rte_pmd_devx_ring *r, uint16_t unit)
{
	return (unit + 1) % (r->n_units / DEVX_ETH_GENERATOR_QUARTERS) == 0;
}

void devx_eth_generator_write_nop(struct prm_ctrl_seg *ctrl, uint32_t sqn)
{
	*ctrl = (struct prm_ctrl_seg){
		.opmod_idx_opcode = prm_ctrl_dw0(0, 0, PRM_WQE_NOP),
		.qpn_ds = prm_ctrl_dw1(sqn, 1),
		.fm_ce_se = PRM_CE_FIRST_ERROR << PRM_CE_SHIFT,
	};
}

static bool is_short(const struct rte_pmd_devx_ring *r, uint16_t n)
{
	return n < 1u << r->n_packets_log2;
}

__rte_noinline void devx_eth_generator_write_unit(struct rte_pmd_devx_ring *r, uint16_t unit,
						  uint16_t n, bool ask)
{
	const uint16_t n_ds = (uint16_t)(n ? 2 + n * (r->entry_bytes / PRM_DS_BYTES) : 0);
	struct devx_wqebb *const block = devx_eth_generator_get_unit(r, unit);
	uint8_t *at = (uint8_t *)block + 2 * (size_t)PRM_DS_BYTES;
	struct prm_ctrl_seg *last = &block->ctrl;

	memset(block, 0, (size_t)r->n_blocks * PRM_WQEBB_BYTES);
	last->opmod_idx_opcode = prm_ctrl_dw0(0, 0, PRM_WQE_ENHANCED_MPSW);
	last->qpn_ds = prm_ctrl_dw1(r->sq.sqn, (uint8_t)n_ds);
	last->fm_ce_se = PRM_CE_FIRST_ERROR << PRM_CE_SHIFT;
	for (uint16_t i = 0; i < n; i++, at += r->entry_bytes) {
		const prm_be32 count = prm_be32_of(PRM_INLINE_SEG | r->frame_bytes);

		memcpy(at, &count, sizeof(count));
		memcpy(at + ENTRY_HEADER_BYTES, r->frame, r->frame_bytes);
	}
	for (uint16_t i = prm_wqe_count_blocks(n_ds); i < r->n_blocks; i++) {
		last = &block[i].ctrl;
		devx_eth_generator_write_nop(last, r->sq.sqn);
	}
	if (ask || ends_quarter(r, unit))
		last->fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT;
	r->n_short = (uint16_t)(r->n_short - is_short(r, r->n_packets[unit]) + is_short(r, n));
	r->n_packets[unit] = (uint8_t)n;
}

/* Makes all units without a CQE free. Returns the number of their packets. */
static uint64_t take_all(struct rte_pmd_devx_ring *r)
{
	uint64_t n_packets = 0;
	uint16_t unit = r->unit;

	for (uint16_t n = devx_eth_generator_count_used(r); n; n--) {
		unit = (uint16_t)((unit ? unit : r->n_units) - 1);
		n_packets += r->n_packets[unit];
	}
	r->n_free = r->n_units;
	r->counted = r->unit;
	return n_packets;
}

void devx_eth_generator_lose_all(struct rte_pmd_devx_ring *r)
{
	const uint64_t n = take_all(r);

	if (devx_eth_is_lost(r->eth))
		r->n.unknown += n;
	else
		r->n.lost += n;
}

/* Returns how many units were sent after the one that the WQE of block @index is in. */
static uint16_t count_units_after(const struct rte_pmd_devx_ring *r, uint16_t index)
{
	const uint64_t block = index & ((1u << r->sq.log2_n) - 1);
	const uint16_t unit = (uint16_t)(block * r->per_block >> 32);

	return (uint16_t)(r->unit - unit - 1 + (r->unit > unit ? 0 : r->n_units));
}

uint16_t devx_eth_generator_get_end_of_wqe(const struct rte_pmd_devx_ring *r, uint16_t index)
{
	const struct devx_wqebb *wqe = devx_sq_get_wqebb(&r->sq, index);

	return (uint16_t)(index + prm_wqe_count_blocks(prm_ctrl_ds(&wqe->ctrl)));
}

/* Handles an error CQE for the first of the last @n units, all of which are lost. */
static void mark_broken(struct rte_pmd_devx_ring *r, const struct prm_err_cqe *cqe, uint16_t n)
{
	devx_eth_last_error_keep_send(&r->last_error, &r->sq, cqe);
	r->error_syndrome = cqe->syndrome;
	r->error_vendor = cqe->vendor_err_synd;
	r->n_lost = r->n.lost;
	r->n_free = (uint16_t)(r->n_units - n);
	r->n.lost += take_all(r);
	r->n.error_cqes++;
	r->flush.began = true;
	r->done = devx_eth_generator_get_end_of_wqe(r, prm_be16_get(cqe->wqe_counter));
	devx_cq_pop(&r->cq);
	devx_cq_release(&r->cq);
	__atomic_store_n(&r->owner, (uint32_t)DEVX_ETH_BROKEN, __ATOMIC_RELEASE);
}

__rte_noinline void devx_eth_generator_poll(struct rte_pmd_devx_ring *r)
{
	const struct prm_cqe *cqe;

	r->n_free -= r->unit - r->counted;
	r->counted = r->unit;
	while ((cqe = devx_cq_peek(&r->cq))) {
		const uint16_t after = count_units_after(r, prm_be16_get(cqe->wqe_counter));
		const bool failed = prm_cqe_opcode(cqe->op_own) != PRM_CQE_REQ;

		if (unlikely(failed)) {
			/* the last write of this thread: then the recovery timer owns the ring */
			mark_broken(r, (const struct prm_err_cqe *)cqe, (uint16_t)(after + 1));
			return;
		}
		devx_cq_pop(&r->cq);
		r->n_free = (uint16_t)(r->n_units - after);
	}
	devx_cq_release(&r->cq);
}

/* Posts the @n NOPs from @block on. */
static void post_nops(struct rte_pmd_devx_ring *r, struct devx_wqebb *block, uint16_t n)
{
	for (; n; n--, block++)
		block->ctrl.opmod_idx_opcode = prm_ctrl_dw0(0, r->sq.pi++, PRM_WQE_NOP);
}

/* Ends a lap: posts the NOPs behind the last unit. */
static __rte_noinline void end_lap(struct rte_pmd_devx_ring *r)
{
	struct devx_wqebb *const pad = devx_eth_generator_get_unit(r, r->n_units);

	post_nops(r, pad, (uint16_t)(&r->sq.wqebbs[1u << r->sq.log2_n] - pad));
	r->unit = r->counted = 0;
}

/* Fills those of the next @n units that contain fewer packets than they have room for. */
static __rte_noinline void fill_units(struct rte_pmd_devx_ring *r, uint16_t n)
{
	for (uint16_t unit = r->unit; n; n--, unit++)
		if (is_short(r, r->n_packets[unit]))
			devx_eth_generator_write_unit(r, unit, (uint16_t)(1u << r->n_packets_log2),
						      false);
}

/*
 * Posts up to @n free units, at least 1, with all packets that they have room for; stops at the end
 * of the lap. Returns the last of their WQEs, and moves @patch behind the bytes that it used.
 */
static struct prm_ctrl_seg *post_full_units(struct rte_pmd_devx_ring *r, const uint8_t **patch,
					    uint16_t n)
{
	struct prm_ctrl_seg *last;

	if (r->unit == r->n_units)
		end_lap(r);
	n = RTE_MIN(n, (uint16_t)(r->n_units - r->unit));
	if (unlikely(r->n_short))
		fill_units(r, n);
	if (r->patch_bytes)
		*patch = devx_eth_generator_patch_units(r, devx_eth_generator_get_unit(r, r->unit),
							*patch, n,
							(uint16_t)(1u << r->n_packets_log2));
	last = devx_eth_generator_number_units(r, n);
	r->n_free -= n;
	r->counted = r->unit;
	return last;
}

/* Posts the next unit, which is free, with fewer packets than it has room for. */
static __rte_noinline struct prm_ctrl_seg *
post_short_unit(struct rte_pmd_devx_ring *r, const uint8_t *patch, uint16_t n, bool ask)
{
	struct devx_wqebb *block;
	uint16_t used = 0;

	if (r->unit == r->n_units)
		end_lap(r);
	block = devx_eth_generator_get_unit(r, r->unit);
	if (r->n_packets[r->unit] != n || ask)
		devx_eth_generator_write_unit(r, r->unit, n, ask);
	if (n && r->patch_bytes)
		devx_eth_generator_patch_units(r, block, patch, 1, n);
	if (n) {
		used = prm_wqe_count_blocks(prm_ctrl_ds(&block->ctrl));
		block->ctrl.opmod_idx_opcode = prm_ctrl_dw0(0, r->sq.pi, PRM_WQE_ENHANCED_MPSW);
		r->sq.pi += used;
	}
	post_nops(r, block + used, (uint16_t)(r->n_blocks - used));
	r->counted = ++r->unit;
	r->n_free--;
	return &block[used < r->n_blocks ? r->n_blocks - 1 : 0].ctrl;
}

void devx_eth_generator_post_nops(struct rte_pmd_devx_ring *r)
{
	devx_sq_ring(&r->sq, post_short_unit(r, NULL, 0, true));
	r->limit = r->unit;
}

/* Sets the limit: units before it are free, and not at the end of the lap. */
static void set_limit(struct rte_pmd_devx_ring *r)
{
	const uint16_t n = RTE_MIN(r->n_free, (uint16_t)(r->n_units - r->unit));

	r->limit = (uint16_t)(r->unit + n);
}

/* Rings the doorbell for packets whose last WQE is @last. */
static __rte_always_inline void ring_doorbell(struct rte_pmd_devx_ring *r, uint16_t n,
					      const struct prm_ctrl_seg *last)
{
	r->n.packets += n;
	r->n.bytes += (uint64_t)n * r->frame_bytes;
	devx_sq_ring(&r->sq, last);
}

/*
 * Sends @n packets in units below the limit that contain these many packets already. Returns
 * whether it did: false if a poll is needed, or a unit must be written.
 */
static __rte_always_inline bool send_quickly(struct rte_pmd_devx_ring *r, const uint8_t *patch,
					     uint16_t n)
{
	const uint16_t n_units = (uint16_t)(n >> r->n_packets_log2);
	const uint16_t room = (uint16_t)(r->limit - r->unit);
	const bool whole = n_units << r->n_packets_log2 == n;

	if (whole && unlikely((uint16_t)(n_units - 1) >= room || r->n_short))
		return false;
	if (!whole && (n_units || !room || r->n_packets[r->unit] != n))
		return false;
	if (r->patch_bytes)
		devx_eth_generator_patch_units(r, devx_eth_generator_get_unit(r, r->unit), patch,
					       whole ? n_units : 1,
					       whole ? (uint16_t)(1u << r->n_packets_log2) : n);
	ring_doorbell(r, n,
		      whole ? devx_eth_generator_number_units(r, n_units)
			    : devx_eth_generator_number_short_unit(r));
	return true;
}

/* Sends any number of packets, also those that do not fill a unit. */
static __rte_noinline uint16_t send_carefully(struct rte_pmd_devx_ring *r, const uint8_t *patch,
					      uint16_t n)
{
	const uint8_t log2 = r->n_packets_log2;
	struct prm_ctrl_seg *last = NULL;
	uint16_t sent = 0;

	while (n - sent >= 1 << log2 && r->n_free) {
		const uint16_t before = r->n_free;

		last = post_full_units(r, &patch, RTE_MIN(before, (uint16_t)((n - sent) >> log2)));
		sent += (uint16_t)((before - r->n_free) << log2);
	}
	if (sent < n && n - sent < 1 << log2 && r->n_free) {
		last = post_short_unit(r, patch, (uint16_t)(n - sent), false);
		sent = n;
	}
	set_limit(r);
	if (last)
		ring_doorbell(r, sent, last);
	return sent;
}

static __rte_noinline uint16_t poll_and_send(struct rte_pmd_devx_ring *r, const uint8_t *patch,
					     uint16_t n)
{
	devx_eth_generator_poll(r);
	if (unlikely(__atomic_load_n(&r->owner, __ATOMIC_ACQUIRE) != DEVX_ETH_RUNNING))
		return 0;
	if (n && r->n_free && r->unit == r->n_units)
		end_lap(r);
	set_limit(r);
	return send_quickly(r, patch, n) ? n : send_carefully(r, patch, n);
}

uint16_t devx_eth_generator_send(struct rte_pmd_devx_ring *r, const void *patches, uint16_t n)
{
	if (unlikely(__atomic_load_n(&r->owner, __ATOMIC_ACQUIRE) != DEVX_ETH_RUNNING))
		return devx_eth_queue_yield(&r->owner);
	return likely(send_quickly(r, patches, n)) ? n : poll_and_send(r, patches, n);
}
