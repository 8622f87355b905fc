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
 *     base +0x000  page of the device, mapped into the process
 *          +0x020  CQ arm: 8 bytes
 *     reg  +0x800  send doorbell: the first 8 bytes of the last WQE posted
 *          +0xa00  a second one; a non-cached page has two more, at +0x900 and +0xb00
 *
 * UARs of the same type share pages, with one register each. DEVX_UAR_NC uses a page that
 * devx_dev_open() has allocated. A BlueFlame page is mapped write-combining: a flush follows each
 * write, and one thread owns the register. Doorbells alternate between its two buffers of bf_bytes;
 * each receives a doorbell or a copy of a WQE. A non-cached page needs no flush. Several threads
 * may ring a shared register: an aligned store of 8 bytes is one write on the bus and names its
 * queue, whose doorbell record has the producer counter. All queues of net_mlx5 share a register.
 *
 * Source: PRM, "UAR Page Format"; rdma-core mlx5dv_devx_alloc_uar(3), providers/mlx5/verbs.c;
 * DPDK, mlx5_doorbell_ring.
 */

struct mlx5dv_devx_uar;

/** enum devx_uar_type - mapping of a UAR page */
enum devx_uar_type {
	DEVX_UAR_BF = 0, /* write-combining; the register has one user */
	DEVX_UAR_NC = 1, /* non-cached; all UARs of this type on a device share the register */
	DEVX_UAR_NC_DEDICATED = 2, /* non-cached; the register has one user; since rdma-core 45 */
};

/**
 * struct devx_uar - a doorbell register
 * @reg: send doorbell register
 * @base: start of the page
 * @page_id: number of the page in firmware, for contexts of queues
 * @bf_bytes: size of one of the two BlueFlame buffers at @reg; 0: the device copies no WQE from
 *            the register
 * @nc: the page is mapped non-cached
 * @shared: all UARs of this type on this device have the same @reg
 * @uar: handle of rdma-core; NULL: a mapping of devx_uar_map()
 */
struct devx_uar {
	void *reg;
	void *base;
	uint32_t page_id;
	uint16_t bf_bytes;
	bool nc;
	bool shared;
	struct mlx5dv_devx_uar *uar;
};

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_uar_create - allocate a doorbell register
 * @uar: all zero; all zero again on failure
 * @dev: open device; must outlive @uar
 * @type: mapping of the page
 *
 * Context: control path; one thread per @dev; may sleep.
 *
 * Return: 0, or
 *   -EINVAL      unknown @type
 *   -EOPNOTSUPP  DEVX_UAR_BF: the kernel found no write combining on this machine (Linux,
 *                mlx5_wc_support_get()), or firmware has no capability bf. DEVX_UAR_NC: Linux is
 *                older than 5.7. DEVX_UAR_NC_DEDICATED: the same, or rdma-core is older than 45
 *   -ENXIO       the page has no address (rdma-core before 29)
 *   -ENOMEM      all UAR pages of the device are in use, or out of memory. DEVX_UAR_NC still works
 *   others       as the kernel returned them
 */
int devx_uar_create(struct devx_uar *uar, struct devx_dev *dev, enum devx_uar_type type);

/**
 * devx_uar_destroy - free a doorbell register
 * @uar: a UAR, or all zero; all zero afterwards
 *
 * rdma-core keeps the page for later calls of devx_uar_create(), until the device is closed. For a
 * UAR of devx_uar_map(), the function ends only the mapping.
 *
 * Context: control path; first destroy every queue that names the page.
 */
void devx_uar_destroy(struct devx_uar *uar);

#ifdef __cplusplus
}
#endif

/**
 * devx_reg_write64 - write 8 bytes to a UAR page in a single store
 * @reg: the register, 8-byte aligned
 * @bytes: 8 bytes to write, in the order of memory
 */
static inline void devx_reg_write64(void *reg, const void *bytes)
{
	uint64_t v;

	memcpy(&v, bytes, sizeof(v));
	*(volatile uint64_t *)reg = v;
}

/**
 * devx_reg_ring - write to a send doorbell
 * @reg: send doorbell of the queue's UAR
 * @nc: the page is mapped non-cached
 * @last: control segment of the last posted WQE; its first 8 bytes go to the register
 *
 * Write the doorbell record first.
 *
 * Context: data path; the thread that owns the register, or any thread if it is non-cached.
 */
static inline void devx_reg_ring(void *reg, bool nc, const struct prm_ctrl_seg *last)
{
	if (nc) {
		devx_nc_doorbell_barrier(); /* the device sees the record before the doorbell */
		devx_reg_write64(reg, last);
		return;
	}
	devx_doorbell_barrier(); /* the same, for a write-combining page */
	devx_reg_write64(reg, last);
	devx_wc_flush_barrier(); /* the doorbell leaves the CPU now, unmerged */
}

/**
 * devx_reg_copy_wqebb - copy a basic block of a WQE to a BlueFlame buffer
 * @to: in the register, 64-byte aligned
 * @wqebb: PRM_WQEBB_BYTES bytes, 64-byte aligned
 *
 * The CPU combines the stores into one write of 64 bytes. If an interrupt splits the block, the
 * device treats it as a doorbell, and reads the WQE from the ring.
 */
static inline void devx_reg_copy_wqebb(void *to, const void *wqebb)
{
	typedef uint64_t __attribute__((may_alias)) word;
	volatile word *reg = (volatile word *)to;
	const word *from = (const word *)wqebb;

	reg[0] = from[0]; /* written out, because compilers do not unroll the loop with -O2 */
	reg[1] = from[1];
	reg[2] = from[2];
	reg[3] = from[3];
	reg[4] = from[4];
	reg[5] = from[5];
	reg[6] = from[6];
	reg[7] = from[7];
}

/** devx_uar_ring - devx_reg_ring() with the register of a UAR */
static inline void devx_uar_ring(const struct devx_uar *uar, const struct prm_ctrl_seg *last)
{
	devx_reg_ring(uar->reg, uar->nc, last);
}

/**
 * devx_uar_arm_cq - request an event at the next completion
 * @uar: the UAR that the CQ was created with
 * @dbrec: doorbell record of the CQ
 * @cqn: number of the CQ
 * @sn: number of events received from this CQ, mod 4
 * @ci: consumer counter of the CQ
 *
 * The device raises the event at once if it has already written a CQE beyond @ci.
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
	devx_doorbell_barrier(); /* the device compares the doorbell with the record */
	devx_reg_write64((char *)uar->base + PRM_UAR_CQ_ARM, doorbell);
	if (!uar->nc)
		devx_wc_flush_barrier();
}

#endif
