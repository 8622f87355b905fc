/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_UAR_H
#define DEVX_UAR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "devx/barrier.h"
#include "devx/dev.h"
#include "prm/wqe.h"

/**
 * DOC: UAR, the doorbell page
 *
 *     base +0x000  page of the device, mapped
 *          +0x020  CQ arm: 8 bytes
 *     reg  +0x800  send doorbell: the first 8 bytes of the last WQE posted
 *          +0xa00  a second one; libmlx5 gives them out one at a time
 *
 * A queue's doorbells count only on the page that its context names: the device ignores
 * others in silence. A register belongs to one thread. A BlueFlame page is mapped
 * write-combining: a store may wait in the CPU, so a flush follows it. A non-cached page
 * needs none, but libmlx5 has only one of them for a device (@shared): good for arming CQs
 * and for a single sender.
 *
 * Source: PRM, "UAR Page Format"; rdma-core mlx5dv_devx_alloc_uar(3), providers/mlx5/verbs.c.
 */

struct mlx5dv_devx_uar;

/** enum devx_uar_type - how the page is mapped */
enum devx_uar_type {
	DEVX_UAR_BF = 0, /* write-combining, a register of our own */
	DEVX_UAR_NC = 1, /* non-cached, shared by all who ask on this device */
};

/**
 * struct devx_uar - a doorbell register
 * @reg: send doorbell
 * @base: start of the page
 * @page_id: number of the page in firmware, for contexts of queues
 * @nc: mapped non-cached
 * @shared: @reg is the same for everyone who creates a UAR of this type on this device
 * @uar: rdma-core's handle
 */
struct devx_uar {
	void *reg;
	void *base;
	uint32_t page_id;
	bool nc;
	bool shared;
	struct mlx5dv_devx_uar *uar;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_uar_create - get a doorbell register
 * @uar: all zero; all zero again on failure
 * @dev: open device; must outlive @uar
 * @type: how it is to be mapped
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -EINVAL      unknown @type
 *   -EOPNOTSUPP  this rdma-core cannot map it so
 *   -ENOMEM      the device has no UAR page left, or out of memory
 *   others       as the kernel returned them
 */
int devx_uar_create(struct devx_uar *uar, struct devx_dev *dev, enum devx_uar_type type);

/**
 * devx_uar_destroy - give the register back
 * @uar: a UAR, or all zero; all zero afterwards
 *
 * rdma-core keeps the page for the next one who asks; it goes with the device.
 *
 * Context: control path; no queue names its page any more.
 */
void devx_uar_destroy(struct devx_uar *uar);

#ifdef __cplusplus
}
#endif

/**
 * devx_reg_write64 - one 8-byte store to a UAR page
 * @reg: the register, 8-byte aligned
 * @bytes: what to store, in the order of memory
 */
static inline void devx_reg_write64(void *reg, const void *bytes)
{
	uint64_t v;

	memcpy(&v, bytes, sizeof(v));
	*(volatile uint64_t *)reg = v;
}

/**
 * devx_reg_ring - announce WQEs through a send doorbell
 * @reg: send doorbell of the queue's UAR
 * @nc: the page is mapped non-cached
 * @last: first segment of the last WQE posted
 *
 * The doorbell record was written before.
 *
 * Context: data path; the thread that owns the register.
 */
static inline void devx_reg_ring(void *reg, bool nc, const struct prm_ctrl_seg *last)
{
	devx_doorbell_barrier(); /* the record is there before the device looks for it */
	devx_reg_write64(reg, last);
	if (!nc)
		devx_wc_flush_barrier(); /* the doorbell leaves now, alone */
}

/** devx_uar_ring - devx_reg_ring() through a UAR */
static inline void devx_uar_ring(const struct devx_uar *uar, const struct prm_ctrl_seg *last)
{
	devx_reg_ring(uar->reg, uar->nc, last);
}

/**
 * devx_uar_arm_cq - ask for an event at the next completion
 * @uar: the UAR that the CQ was created with
 * @dbrec: the CQ's doorbell record
 * @cqn: number of the CQ
 * @sn: serial number, 2 bits: 0 for the first, one more for every event that came
 * @ci: the CQ's consumer counter
 *
 * The device fires at once if a CQE beyond @ci is there already.
 *
 * Context: one thread per CQ.
 */
static inline void devx_uar_arm_cq(const struct devx_uar *uar, prm_be32 *dbrec, uint32_t cqn,
				   uint8_t sn, uint32_t ci)
{
	const prm_be32 arm =
		prm_be32_of((uint32_t)(sn & 3) << PRM_CQ_ARM_SN_SHIFT | (ci & PRM_CQ_CI_MASK));
	const prm_be32 doorbell[2] = { arm, prm_be32_of(cqn) };

	*(volatile uint32_t *)&dbrec[PRM_DBR_CQ_ARM].raw = arm.raw;
	devx_doorbell_barrier(); /* the device compares with the record */
	devx_reg_write64((char *)uar->base + PRM_UAR_CQ_ARM, doorbell);
	if (!uar->nc)
		devx_wc_flush_barrier();
}

#endif
