/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_generator_burst.h"
#include "devx_hash.h"
#include "devx_log.h"
#include "recovery/devx_flush_wait.h"
#include "recovery/devx_generator_recovery.h"

/**
 * DOC: Recovery of a generator ring
 *
 * This is like the recovery of a send queue (devx_tx_recovery.c), but a ring has no mbufs: after an
 * error CQE the units stay as they are, and sending begins at the first one. After an error of the
 * CQ, or if flush CQEs may still come to it, the ring gets a new CQ and a new SQ. All packets
 * without a CQE count as lost, although the device may have sent some of them.
 */

/* Makes all units free, and unit 0 the next to send. */
static void empty_ring(struct rte_pmd_devx_ring *r)
{
	r->unit = r->counted = r->limit = 0;
	r->n_free = r->n_units;
	r->flush = (struct devx_eth_flush){ 0 };
}

/* Writes all units, and the NOPs behind the last one. */
static void fill_ring(struct rte_pmd_devx_ring *r)
{
	const uint32_t n_blocks = 1u << r->sq.log2_n;

	r->start = prm_be64_get(prm_ctrl_start(
		0, PRM_WQE_ENHANCED_MPSW, r->sq.sqn,
		(uint8_t)(2 + (r->entry_bytes / PRM_DS_BYTES << r->n_packets_log2))));
	r->n_units = (uint16_t)(n_blocks / r->n_blocks);
	r->n_short = 0;
	for (uint16_t i = 0; i < r->n_units; i++)
		r->n_short += r->n_packets[i] < 1u << r->n_packets_log2;
	for (uint16_t i = 0; i < r->n_units; i++)
		devx_eth_generator_write_unit(r, i, (uint16_t)(1u << r->n_packets_log2), false);
	for (uint32_t i = (uint32_t)r->n_units * r->n_blocks; i < n_blocks; i++)
		devx_eth_generator_write_nop(&r->sq.wqebbs[i].ctrl, r->sq.sqn);
	empty_ring(r);
}

int devx_eth_generator_create_queues(struct rte_pmd_devx_ring *r, uint8_t log2_n)
{
	struct devx_eth *eth = r->eth;
	/* at most 7 CQEs per lap (7 units, one each), one for NOPs at the end, one for an error */
	const struct devx_cq_attr cq_attr = { .log2_n = 4, .uar = &r->uar };
	const struct devx_sq_attr sq_attr = { .log2_n = log2_n,
					      .cq = &r->cq,
					      .tis = devx_eth_tis_get(eth, r->number),
					      .uar = &r->uar,
					      .allow_multi_pkt = true };
	int rc = devx_cq_create(&r->cq, &eth->dev, &cq_attr);

	if (!rc)
		rc = devx_eth_cq_watch(&r->cq, eth, DEVX_ETH_CQ_GENERATOR, 0, &r->cq_cookie);
	if (!rc)
		rc = devx_sq_create(&r->sq, &eth->dev, &sq_attr);
	if (!rc)
		rc = devx_sq_ready(&r->sq);
	if (rc)
		return rc;
	devx_eth_hash_refresh_self_lb(eth);
	fill_ring(r);
	return 0;
}

void devx_eth_generator_destroy_queues(struct rte_pmd_devx_ring *r)
{
	devx_sq_destroy(&r->sq);
	devx_cq_destroy(&r->cq);
}

static void take_cqes(struct rte_pmd_devx_ring *r)
{
	const struct prm_cqe *cqe;

	for (; (cqe = devx_cq_peek(&r->cq)); devx_cq_pop(&r->cq))
		r->done = devx_eth_generator_get_end_of_wqe(r, prm_be16_get(cqe->wqe_counter));
	devx_cq_release(&r->cq);
	r->flush.over = (int16_t)(r->sq.pi - r->done) <= 0;
}

/* Posts a NOP that requests a CQE. It may overwrite a block of a unit: see restore_block(). */
static void post_nop(struct rte_pmd_devx_ring *r)
{
	struct prm_ctrl_seg *ctrl = &devx_sq_get_wqebb(&r->sq, r->sq.pi)->ctrl;

	r->flush.first = r->sq.pi;
	r->flush.asked = true;
	devx_eth_generator_write_nop(ctrl, r->sq.sqn);
	ctrl->opmod_idx_opcode = prm_ctrl_dw0(0, r->sq.pi++, PRM_WQE_NOP);
	ctrl->fm_ce_se = PRM_CE_ALWAYS << PRM_CE_SHIFT;
	devx_sq_ring(&r->sq, ctrl);
}

static void restore_block(struct rte_pmd_devx_ring *r)
{
	const uint32_t block = r->flush.first & ((1u << r->sq.log2_n) - 1);
	const uint32_t unit = block / r->n_blocks;

	if (!r->flush.asked)
		return;
	if (unit < r->n_units)
		devx_eth_generator_write_unit(r, (uint16_t)unit,
					      (uint16_t)(1u << r->n_packets_log2), false);
	else
		devx_eth_generator_write_nop(&r->sq.wqebbs[block].ctrl, r->sq.sqn);
}

/* Waits until the device has flushed all WQEs (devx_flush_wait.h). */
static int await_flush(struct rte_pmd_devx_ring *r)
{
	const uint16_t n_blocks = (uint16_t)(1u << r->sq.log2_n);

	if (!r->flush.over)
		take_cqes(r);
	if (r->flush.over)
		return 0;
	if (!r->flush.asked && (uint16_t)(r->sq.pi - r->done) < n_blocks)
		post_nop(r);
	if (++r->flush.n_polls > devx_eth_flush_periods)
		devx_eth_flush_give_up(r->eth, &r->flush, "generator ring");
	return DEVX_ETH_WAITING;
}

static void drop_cqes(struct rte_pmd_devx_ring *r)
{
	while (devx_cq_peek(&r->cq))
		devx_cq_pop(&r->cq);
	devx_cq_release(&r->cq);
}

static int reset_ring(struct rte_pmd_devx_ring *r)
{
	int rc = devx_sq_reset(&r->sq);

	if (!rc)
		rc = devx_sq_ready(&r->sq);
	if (rc)
		return rc;
	drop_cqes(r); /* from before the reset */
	restore_block(r);
	empty_ring(r);
	return 0;
}

/* Gives the ring a new CQ and a new SQ. After a failure it has neither until the next attempt. */
static int replace_queues(struct rte_pmd_devx_ring *r)
{
	int rc;

	if (r->sq.wqebbs) {
		if (!r->flush.began) { /* otherwise the error CQE counted the lost packets */
			r->n_lost = r->n.lost;
			devx_eth_generator_poll(r); /* packets with a CQE were sent */
			devx_eth_generator_lose_all(r);
		}
		r->log2_blocks = r->sq.log2_n;
		devx_eth_generator_destroy_queues(r);
	}
	rc = devx_eth_generator_create_queues(r, r->log2_blocks);
	if (rc)
		devx_eth_generator_destroy_queues(r);
	return rc;
}

static void report_restart(const struct rte_pmd_devx_ring *r, bool replaced)
{
	const unsigned long long lost = r->n.lost - r->n_lost;

	if (r->cq_failed)
		devx_eth_log(
			r->eth, WARNING,
			"generator ring: error of its CQ (syndrome 0x%02x); ring created again, "
			"%llu packets lost",
			r->cq_syndrome, lost);
	else
		devx_eth_log(r->eth, WARNING,
			     "generator ring: error CQE (syndrome 0x%02x, vendor syndrome 0x%02x); "
			     "ring %s, %llu packets lost",
			     r->error_syndrome, r->error_vendor,
			     replaced ? "created again" : "restarted", lost);
}

int devx_eth_generator_recover(struct rte_pmd_devx_ring *r)
{
	const bool replace = r->cq_failed || r->flush.overdue;
	int rc = replace ? replace_queues(r) : await_flush(r);

	if (!rc && !replace)
		rc = reset_ring(r);
	if (rc)
		return rc;
	report_restart(r, replace);
	r->n.cq_errors += r->cq_failed;
	r->n.recoveries++;
	r->cq_failed = false;
	__atomic_store_n(&r->owner, (uint32_t)DEVX_ETH_RUNNING, __ATOMIC_RELEASE);
	return 0;
}
