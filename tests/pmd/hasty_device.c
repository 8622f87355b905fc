/* SPDX-License-Identifier: BSD-3-Clause */
#include "hasty_device.h"

#include <stdlib.h>
#include <string.h>

#include "ct.h"
#include "prm/cqe.h"
#include "prm/wqe.h"

enum { GARBAGE = 0xa5 };

static void note_mistake(struct hasty_device *device, const char *text)
{
	if (!device->mistake)
		device->mistake = text;
}

/* ---- completion queue ------------------------------------------------------------- */

/* Overwrites a CQE. Its owner bit stays that of the pass before, so software does not own it. */
static void overwrite_cqe(struct hasty_device *device, uint32_t ci)
{
	const struct devx_cq *cq = device->cq;
	struct prm_cqe *cqe = &cq->cqes[ci & ((1u << cq->log2_n) - 1)];
	const uint8_t owner = ci >> cq->log2_n & PRM_CQE_OWNER;

	if ((cqe->op_own & PRM_CQE_OWNER) != owner)
		note_mistake(device, "released a CQE that the device has not written");
	memset(cqe, GARBAGE, sizeof(*cqe));
	cqe->op_own = prm_cqe_op_own(PRM_CQE_INVALID, owner);
}

static void read_cq_record(struct hasty_device *device)
{
	const uint32_t ci = prm_be32_get(device->cq->dbrec[PRM_DBR_CQ_CI]);
	uint32_t n = (ci - device->ci) & PRM_CQ_CI_MASK;

	if (n > 1u << device->cq->log2_n) {
		note_mistake(device, "released more CQEs than the CQ has");
		return;
	}
	for (; n--; device->ci++, device->unread--)
		overwrite_cqe(device, device->ci);
}

/* ---- work queues ------------------------------------------------------------------ */

/** struct ring - a ring of WQEs: address, bytes of a WQE, number of WQEs less one */
struct ring {
	const uint8_t *at;
	size_t stride;
	uint32_t mask;
};

static struct ring get_ring(const struct hasty_device *device)
{
	const struct devx_rq *rq = device->rq;

	if (rq)
		return (struct ring){ (const uint8_t *)rq->wqes,
				      sizeof(struct prm_data_seg) << rq->log2_segs,
				      (1u << rq->log2_n) - 1 };
	return (struct ring){ (const uint8_t *)device->sq->wqebbs, PRM_WQEBB_BYTES,
			      (1u << device->sq->log2_n) - 1 };
}

static void copy_wqes(struct hasty_device *device, uint16_t pi)
{
	const struct ring ring = get_ring(device);

	if ((uint16_t)(pi - device->pi) > ring.mask + 1) {
		note_mistake(device, "posted more WQEs than the ring has");
		return;
	}
	for (; device->pi != pi; device->pi++) {
		const size_t at = (device->pi & ring.mask) * ring.stride;

		memcpy(device->copy + at, ring.at + at, ring.stride);
	}
}

static void read_rq_record(struct hasty_device *device)
{
	const uint16_t pi = (uint16_t)prm_be32_get(device->rq->dbrec[PRM_DBR_RCV]);

	device->unread += (uint16_t)(pi - device->pi);
	if (device->unread > 1u << device->cq->log2_n)
		note_mistake(device, "posted a WQE whose CQE has no room in the CQ");
	copy_wqes(device, pi);
}

static void read_sq_record(struct hasty_device *device)
{
	const uint16_t pi = (uint16_t)prm_be32_get(device->sq->dbrec[PRM_DBR_SND]);

	device->rung = device->rung && pi == device->pi;
	copy_wqes(device, pi);
}

/* Returns whether @at is the start of a BlueFlame buffer, or the doorbell register. */
static bool is_doorbell(const struct devx_sq *sq, const void *at)
{
	const size_t offset = (uintptr_t)at - (uintptr_t)sq->doorbell;

	return offset == 0 || (sq->bf_bytes && offset == sq->bf_bytes);
}

/* A doorbell names the last WQE. The record must be behind it. */
static void take_doorbell(struct hasty_device *device, const void *at)
{
	struct prm_ctrl_seg ctrl = { .rsvd09 = { 0 } };
	uint16_t end;

	memcpy(&ctrl, at, sizeof(uint64_t));
	end = (uint16_t)(prm_ctrl_index(&ctrl) + prm_wqe_count_blocks(prm_ctrl_ds(&ctrl)));
	device->n_doorbells++;
	device->rung = true;
	if (end != (uint16_t)prm_be32_get(device->sq->dbrec[PRM_DBR_SND]))
		note_mistake(device, "rang a doorbell while the record had another counter");
}

/* ---- play ------------------------------------------------------------------------- */

static void act_on_store(void *arg, const void *at)
{
	struct hasty_device *device = arg;

	read_cq_record(device);
	if (device->rq) {
		read_rq_record(device);
		return;
	}
	read_sq_record(device);
	if (is_doorbell(device->sq, at))
		take_doorbell(device, at);
}

static void begin_play(struct hasty_device *device)
{
	const struct ring ring = get_ring(device);

	device->ci = device->cq->ci;
	device->from = device->pi;
	device->rung = true;
	device->copy = calloc(ring.mask + (size_t)1, ring.stride);
	ASSERT_NE(NULL, device->copy);
	device->trap.written = act_on_store;
	device->trap.arg = device;
	write_trap_add(&device->trap, device->cq->dbrec);
	write_trap_arm(&device->trap);
}

void hasty_device_begin_rx(struct hasty_device *device, const struct devx_cq *cq,
			   const struct devx_rq *rq, uint32_t ci)
{
	*device = (struct hasty_device){ .cq = cq, .rq = rq };
	device->pi = (uint16_t)rq->pi;
	device->unread = (uint16_t)(rq->pi - ci);
	write_trap_add(&device->trap, rq->dbrec);
	begin_play(device);
}

void hasty_device_begin_tx(struct hasty_device *device, const struct devx_cq *cq,
			   const struct devx_sq *sq)
{
	*device = (struct hasty_device){ .cq = cq, .sq = sq };
	device->pi = sq->pi;
	write_trap_add(&device->trap, sq->dbrec);
	write_trap_add(&device->trap, sq->doorbell);
	begin_play(device);
}

static void compare_wqes(struct hasty_device *device)
{
	const struct ring ring = get_ring(device);

	for (uint16_t i = device->from; i != device->pi; i++) {
		const size_t at = (i & ring.mask) * ring.stride;

		if (memcmp(device->copy + at, ring.at + at, ring.stride))
			note_mistake(device, "wrote a WQE after it had published it");
	}
}

void hasty_device_end(struct hasty_device *device)
{
	write_trap_disarm(&device->trap);
	compare_wqes(device);
	if (device->sq && !device->rung)
		note_mistake(device, "rang no doorbell after the last record");
	if (device->cq->ci != device->ci)
		note_mistake(device, "took CQEs that it has not released");
	if (device->mistake)
		ADD_FAILURE("the driver %s", device->mistake);
	free(device->copy);
	device->copy = NULL;
}
