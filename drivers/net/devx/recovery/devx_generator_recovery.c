/* SPDX-License-Identifier: BSD-3-Clause */
#include "burst/devx_generator_burst.h"
#include "devx_hash.h"
#include "devx_log.h"
#include "recovery/devx_generator_recovery.h"

/**
 * DOC: Recovery of a generator ring
 *
 * As of a send queue (devx_tx_recovery.c), but a ring has no mbufs: after an error CQE the units
 * stay as they are, and sending begins at the first one. After an error of the CQ the ring gets a
 * new CQ and a new SQ. All packets without a CQE count as lost, although the device may have sent
 * some of them.
 */

/* Starts at unit 0. The device reads no unit. */
static void empty_ring(struct rte_pmd_devx_ring *r)
{
	r->unit = r->counted = r->limit = 0;
	r->n_free = r->n_units;
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
					      .tis = &eth->tis,
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
	empty_ring(r);
	return 0;
}

/* Gives the ring a new CQ and a new SQ. A failure leaves it without them, for the next try. */
static int replace_queues(struct rte_pmd_devx_ring *r)
{
	int rc;

	if (r->sq.wqebbs) {
		r->n_lost = r->n.lost;
		devx_eth_generator_poll(r); /* packets with a CQE were sent */
		devx_eth_generator_lose_all(r);
		r->log2_blocks = r->sq.log2_n;
		devx_eth_generator_destroy_queues(r);
	}
	rc = devx_eth_generator_create_queues(r, r->log2_blocks);
	if (rc)
		devx_eth_generator_destroy_queues(r);
	return rc;
}

static void report_restart(const struct rte_pmd_devx_ring *r)
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
			     "ring restarted, %llu packets lost",
			     r->error_syndrome, r->error_vendor, lost);
}

int devx_eth_generator_recover(struct rte_pmd_devx_ring *r)
{
	const int rc = r->cq_failed ? replace_queues(r) : reset_ring(r);

	if (rc)
		return rc;
	report_restart(r);
	r->n.cq_errors += r->cq_failed;
	r->n.recoveries++;
	r->cq_failed = false;
	__atomic_store_n(&r->owner, (uint32_t)DEVX_ETH_RUNNING, __ATOMIC_RELEASE);
	return 0;
}
