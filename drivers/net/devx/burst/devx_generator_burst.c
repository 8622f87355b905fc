/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <rte_branch_prediction.h>

#include "burst/devx_generator_burst.h"
#include "prm/wqe.h"

enum { ENTRY_HEADER_BYTES = 4 }; /* the byte count in front of inline bytes */

static struct prm_ctrl_seg *get_ctrl(const struct rte_pmd_devx_ring *r, uint16_t pi)
{
	return &devx_sq_get_wqebb(&r->sq, pi)->ctrl;
}

/* Returns whether the unit at @pi ends a quarter of the ring, whose last WQE requests a CQE. */
static bool ends_quarter(const struct rte_pmd_devx_ring *r, uint16_t pi)
{
	const uint16_t quarter = (uint16_t)((1u << r->sq.log2_n) / DEVX_ETH_GENERATOR_QUARTERS);

	return (pi & (quarter - 1u)) == (uint16_t)(quarter - r->n_blocks);
}

__rte_noinline void devx_eth_generator_write_unit(struct rte_pmd_devx_ring *r, uint16_t pi,
						  uint16_t n, bool ask)
{
	const uint32_t sqn = r->sq.sqn;
	const uint16_t n_ds = (uint16_t)(n ? 2 + n * (r->entry_bytes / PRM_DS_BYTES) : 0);
	uint8_t *at = (uint8_t *)devx_eth_generator_get_unit(r, pi);
	struct prm_ctrl_seg *last = get_ctrl(r, pi);
	uint16_t block = prm_wqe_count_blocks(n_ds);

	memset(at, 0, (size_t)r->n_blocks * PRM_WQEBB_BYTES);
	last->opmod_idx_opcode = prm_ctrl_dw0(0, pi, PRM_WQE_ENHANCED_MPSW);
	last->qpn_ds = prm_ctrl_dw1(sqn, (uint8_t)n_ds);
	last->fm_ce_se = PRM_CE_FIRST_ERROR << PRM_CE_SHIFT;
	at += 2 * (size_t)PRM_DS_BYTES;
	for (uint16_t i = 0; i < n; i++, at += r->entry_bytes) {
		const prm_be32 count = prm_be32_of(PRM_INLINE_SEG | r->frame_bytes);

		memcpy(at, &count, sizeof(count));
		memcpy(at + ENTRY_HEADER_BYTES, r->frame, r->frame_bytes);
	}
	for (; block < r->n_blocks; block++) {
		last = get_ctrl(r, (uint16_t)(pi + block));
		last->opmod_idx_opcode = prm_ctrl_dw0(0, (uint16_t)(pi + block), PRM_WQE_NOP);
		last->qpn_ds = prm_ctrl_dw1(sqn, 1);
		last->fm_ce_se = PRM_CE_FIRST_ERROR << PRM_CE_SHIFT;
	}
	if (ask || ends_quarter(r, pi))
		last->fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT;
	r->n_packets[devx_eth_generator_get_number(r, pi)] = (uint8_t)n;
}

void devx_eth_generator_count_lost(struct rte_pmd_devx_ring *r, uint16_t pi)
{
	uint64_t lost = 0;

	for (; pi != r->sq.pi; pi += r->n_blocks)
		lost += r->n_packets[devx_eth_generator_get_number(r, pi)];
	r->base.packets = RTE_MIN(r->base.packets, r->n.packets - lost);
	r->base.bytes = RTE_MIN(r->base.bytes, r->n.bytes - lost * r->frame_bytes);
	r->n.packets -= lost;
	r->n.bytes -= lost * r->frame_bytes;
	r->n.lost += lost;
}

__rte_noinline void devx_eth_generator_poll(struct rte_pmd_devx_ring *r)
{
	const struct prm_cqe *cqe;

	while ((cqe = devx_cq_peek(&r->cq))) {
		const uint16_t unit =
			prm_be16_get(cqe->wqe_counter) & (uint16_t) ~(r->n_blocks - 1u);
		const bool failed = prm_cqe_opcode(cqe->op_own) != PRM_CQE_REQ;

		devx_cq_pop(&r->cq);
		if (unlikely(failed)) {
			devx_eth_generator_count_lost(r, unit);
			r->n.error_cqes++;
			__atomic_store_n(&r->owner, (uint32_t)DEVX_ETH_BROKEN, __ATOMIC_RELEASE);
			break;
		}
		r->done = (uint16_t)(unit + r->n_blocks);
	}
	devx_cq_release(&r->cq);
}

static inline uint16_t count_free_blocks(const struct rte_pmd_devx_ring *r)
{
	return (uint16_t)((1u << r->sq.log2_n) - (uint16_t)(r->sq.pi - r->done));
}

/* Replaces @n bytes of a packet. 8 to 16 bytes are two copies of 8 that may overlap. */
static inline void patch_frame(uint8_t *to, const uint8_t *from, uint16_t n)
{
	uint64_t head, tail;

	if (n - sizeof(head) > sizeof(tail)) {
		memcpy(to, from, n);
		return;
	}
	memcpy(&head, from, sizeof(head));
	memcpy(&tail, from + n - sizeof(tail), sizeof(tail));
	memcpy(to, &head, sizeof(head));
	memcpy(to + n - sizeof(tail), &tail, sizeof(tail));
}

/* Sets the indices of all WQEs of the unit at sq.pi. Returns its last WQE. */
static inline struct prm_ctrl_seg *number_wqes(struct rte_pmd_devx_ring *r)
{
	uint16_t pi = r->sq.pi;
	struct prm_ctrl_seg *ctrl = get_ctrl(r, pi);
	uint16_t block = prm_wqe_count_blocks(prm_ctrl_ds(ctrl));

	ctrl->opmod_idx_opcode = prm_ctrl_dw0(0, pi, prm_ctrl_opcode(ctrl));
	for (; unlikely(block < r->n_blocks); block++) {
		pi = (uint16_t)(r->sq.pi + block);
		ctrl = get_ctrl(r, pi);
		ctrl->opmod_idx_opcode = prm_ctrl_dw0(0, pi, PRM_WQE_NOP);
	}
	return ctrl;
}

void devx_eth_generator_post_nops(struct rte_pmd_devx_ring *r)
{
	struct prm_ctrl_seg *last;

	devx_eth_generator_write_unit(r, r->sq.pi, 0, true);
	last = number_wqes(r);
	r->sq.pi += r->n_blocks;
	devx_sq_ring(&r->sq, last);
}

uint16_t devx_eth_generator_send(struct rte_pmd_devx_ring *r, const void *patches, uint16_t n)
{
	const uint16_t patch_bytes = r->patch_bytes;
	const uint8_t *patch = patches;
	struct prm_ctrl_seg *last = NULL;
	uint16_t sent = 0;

	if (unlikely(__atomic_load_n(&r->owner, __ATOMIC_ACQUIRE) != DEVX_ETH_RUNNING ||
		     devx_eth_is_lost(r->eth)))
		return 0;
	if (devx_cq_peek(&r->cq))
		devx_eth_generator_poll(r);
	if (unlikely(__atomic_load_n(&r->owner, __ATOMIC_RELAXED) != DEVX_ETH_RUNNING))
		return 0;
	while (sent < n && count_free_blocks(r) >= r->n_blocks) {
		const uint16_t k = RTE_MIN((uint16_t)(n - sent), r->per_unit);
		uint8_t *to;

		if (unlikely(r->n_packets[devx_eth_generator_get_number(r, r->sq.pi)] != k))
			devx_eth_generator_write_unit(r, r->sq.pi, k, false);
		to = (uint8_t *)devx_eth_generator_get_unit(r, r->sq.pi) + r->patch_offset;
		for (uint16_t i = 0; patch_bytes && i < k; i++) {
			patch_frame(to, patch, patch_bytes);
			to += r->entry_bytes;
			patch += patch_bytes;
		}
		last = number_wqes(r);
		r->sq.pi += r->n_blocks;
		sent += k;
	}
	if (likely(last != NULL)) {
		r->n.packets += sent;
		r->n.bytes += (uint64_t)sent * r->frame_bytes;
		devx_sq_ring(&r->sq, last);
	}
	return sent;
}
