/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_CQ_H
#define DEVX_CQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devx/barrier.h"
#include "devx/dev.h"
#include "devx/mem.h"
#include "devx/uar.h"
#include "prm/cqe.h"
#include "prm/wqe.h"

/**
 * DOC: Completion queue
 *
 * A ring of 1 << log2_n CQEs of 64 bytes in host memory. The device writes CQEs. The program reads
 * them, and writes the number that it has read to a doorbell record.
 *
 *         ci & mask              device writes here
 *             v                       v
 *     +-----+-----+-----+-----+-----+-----+-----+-----+
 *     |     |  C  |  C  |  C  |  C  |     |     |     |   1 << log2_n slots
 *     +-----+-----+-----+-----+-----+-----+-----+-----+
 *
 * On its pass k over the ring the device writes owner bit k & 1. devx_cq_create() sets the owner
 * bit of every slot to 1, so the owner bit alone distinguishes a new CQE from an old one.
 *
 * If the device has a CQE to write while all slots are unread, the CQ overruns, and fails together
 * with its queues. With overrun_ignore the device overwrites an unread CQE instead. A CQ needs a
 * slot for every WQE that can complete.
 *
 * Source: PRM, "Completion Queues"; Linux mlx5_ifc_cqc_bits, struct mlx5_cqe64.
 */

struct mlx5dv_devx_obj;

/* limits of every device; caps.log_max_cq_sz of a device may be lower */
enum { DEVX_CQ_LOG2_MIN = 0, DEVX_CQ_LOG2_MAX = 24 };

/**
 * struct devx_cq - a completion queue
 * @cqes: the ring, page-aligned
 * @dbrec: doorbell record: [0] consumer counter, 24 bits; [1] arm command
 * @ci: CQEs consumed since creation, mod 2^32
 * @log2_n: log2 of the number of slots
 * @cqn: firmware's number of this CQ, 24 bits
 * @uar: UAR page with the arm doorbell
 * @buf: memory of ring and doorbell record
 * @obj: the firmware object, or NULL
 * @dev: device of the CQ
 */
struct devx_cq {
	/* read or written on every poll */
	struct prm_cqe *cqes;
	prm_be32 *dbrec;
	uint32_t ci;
	uint8_t log2_n;

	/* control path */
	uint32_t cqn;
	const struct devx_uar *uar;
	struct devx_buf buf;
	struct mlx5dv_devx_obj *obj;
	struct devx_dev *dev;
};

static_assert(offsetof(struct devx_cq, cqn) <= 64, "the data path needs one cache line");

/**
 * struct devx_cq_attr - arguments of devx_cq_create()
 * @log2_n: log2 of the number of slots, DEVX_CQ_LOG2_MIN..caps.log_max_cq_sz
 * @uar: UAR page that arms this CQ; needed even if the CQ is only polled; must outlive the CQ
 * @vector: completion vector for events of the CQ, 0..ctx->num_comp_vectors - 1
 * @overrun_ignore: overwrite unread CQEs instead of failing; needs caps.cq_oi
 * @mem: memory of the caller for the ring; all zero: the library allocates (mem.h)
 */
struct devx_cq_attr {
	uint8_t log2_n;
	const struct devx_uar *uar;
	uint32_t vector;
	bool overrun_ignore;
	struct devx_ring_mem mem;
};

/* Longest period of moderation: 12 bits. Source: Linux mlx5_ifc_cqc_bits, cq_period. */
enum { DEVX_CQ_PERIOD_US_MAX = 4095 };

/**
 * struct devx_cq_moderation - how long the device delays the event of an armed CQ
 * @period_us: longest delay in us, 0..DEVX_CQ_PERIOD_US_MAX
 * @max_count: number of CQEs that ends the delay early; 0: only @period_us ends it
 * @from_cqe: the period starts at the last CQE, not at the last event. This needs
 *            caps.cq_period_start_from_cqe and caps.cq_period_mode_modify
 *
 * The device delays only events: CQEs are visible at once. With 0 in both @period_us and @max_count
 * it delays no event; this is the state after devx_cq_create().
 */
struct devx_cq_moderation {
	uint16_t period_us;
	uint16_t max_count;
	bool from_cqe;
};

#ifdef __cplusplus
extern "C" {
#endif

/** devx_cq_bytes - get the minimum of struct devx_ring_mem.bytes for 1 << @log2_n slots */
size_t devx_cq_bytes(uint8_t log2_n);

/**
 * devx_cq_create - allocate a ring and create a CQ on it
 * @cq: all zero; all zero again on failure
 * @dev: open device; must outlive @cq
 * @attr: size and behaviour of the CQ
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -EINVAL     log2_n out of range, no UAR, no such vector; mem is invalid
 *   -ENOTSUP    overrun_ignore without caps.cq_oi
 *   -EFAULT     mem is not mapped, or not writable
 *   -ENOMEM     no memory for the ring, or RLIMIT_MEMLOCK is too small to register it
 *   -EREMOTEIO  firmware refused
 *   others      as the kernel returned them
 */
int devx_cq_create(struct devx_cq *cq, struct devx_dev *dev, const struct devx_cq_attr *attr);

/**
 * devx_cq_query_failed - read from firmware whether a CQ is in error
 * @cq: the queue
 * @failed: receives whether the CQ overran, or the device could not write to it; unchanged on
 *          failure
 *
 * A CQ in error never recovers, nor do its SQs and RQs. Destroy all of them and create new ones.
 *
 * Context: control path; one thread per device; may sleep.
 *
 * Return: 0, or as devx_cmd_query().
 */
int devx_cq_query_failed(const struct devx_cq *cq, bool *failed);

/**
 * devx_cq_destroy - undo devx_cq_create()
 * @cq: a complete or partial queue, or all zero; all zero afterwards
 *
 * Context: control path; one thread per device; first destroy every SQ and RQ on @cq; no thread
 * polls @cq.
 */
void devx_cq_destroy(struct devx_cq *cq);

/**
 * devx_cq_moderate - change the moderation of a CQ
 * @cq: a queue, armed or not
 * @m: the moderation
 *
 * Context: control path; one thread per device; another thread may poll @cq; may sleep.
 *
 * Return: 0, or
 *   -EINVAL   period_us is out of range
 *   -ENOTSUP  the device lacks caps.cq_moderation, or a capability that from_cqe needs
 *   others    as devx_cmd_modify(). A failure changes nothing.
 */
int devx_cq_moderate(struct devx_cq *cq, const struct devx_cq_moderation *m);

#ifdef __cplusplus
}
#endif

/**
 * devx_cq_peek - get the oldest unread CQE
 * @cq: the queue
 *
 * Context: data path; the one thread that owns @cq. One load and one branch when empty.
 *
 * Return: the CQE, valid until devx_cq_release(), or NULL if every CQE was read.
 */
static inline const struct prm_cqe *devx_cq_peek(const struct devx_cq *cq)
{
	const struct prm_cqe *cqe = &cq->cqes[cq->ci & ((1u << cq->log2_n) - 1)];
	const uint8_t op_own = *(const volatile uint8_t *)&cqe->op_own;

	if ((op_own & PRM_CQE_OWNER) != (cq->ci >> cq->log2_n & PRM_CQE_OWNER))
		return NULL;
	devx_from_device_barrier(); /* no field of the CQE is read before its owner bit */
	return cqe;
}

/** devx_cq_pop - advance past the CQE of the last devx_cq_peek(), without releasing its slot */
static inline void devx_cq_pop(struct devx_cq *cq)
{
	cq->ci++;
}

/** devx_cq_release - allow the device to overwrite every popped CQE; call it once per burst */
static inline void devx_cq_release(struct devx_cq *cq)
{
	devx_release_barrier(); /* CQEs are read before the device may overwrite them */
	*(volatile uint32_t *)&cq->dbrec[PRM_DBR_CQ_CI].raw =
		prm_be32_of(cq->ci & PRM_CQ_CI_MASK).raw;
}

/** devx_cq_arm - request an event at the next completion; @sn as for devx_uar_arm_cq() */
static inline void devx_cq_arm(struct devx_cq *cq, uint8_t sn)
{
	devx_uar_arm_cq(cq->uar, cq->dbrec, cq->cqn, sn, cq->ci);
}

#endif
