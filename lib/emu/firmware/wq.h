/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_WQ_H
#define EMU_FIRMWARE_WQ_H

#include <stdint.h>

#include "emu/base/mkey.h"
#include "emu/base/obj.h"
#include "emu/firmware/ring.h"
#include "emu/queue/cq_ring.h"

/** struct emu_wq_refs - memory and objects that a wq context names */
struct emu_wq_refs {
	struct emu_span ring, dbr;
	struct emu_umem *ring_umem, *dbr_umem;
	struct emu_pd *pd;
	struct emu_cq *cq;
};

/** emu_wq_ring - the ring that a wq context with @n_pas entries in its page list describes */
struct emu_ring emu_wq_ring(const struct prm_wq *wq, uint16_t uid, size_t n_pas);

/**
 * emu_wq_open - check a wq context, find its objects and translate its memory
 * @wq: the context in the mailbox
 * @cqn: number of the CQ of the queue
 * @n_pas: entries in the page list of @wq
 * @refs: receives memory and objects, with references to umems only; emu_wq_close() releases both
 *
 * Return: enum prm_status
 */
uint8_t emu_wq_open(struct emu *emu, uint16_t uid, const struct prm_wq *wq, uint32_t cqn,
		    size_t n_pas, struct emu_wq_refs *refs);
void emu_wq_close(struct emu_wq_refs *refs);

/**
 * emu_wq_check_stamps - check field ts_format of a queue
 * @syndrome: syndrome of a refusal
 * @format: enum prm_ts_format
 *
 * PRM-MISSING: a device of both clocks refuses free-running queues in real-time mode (published
 * firmware messages say so, but not for which ts_format; Linux's mlx5_ib still sends this format).
 *
 * Return: PRM_STATUS_OK, or the status of a refusal
 */
uint8_t emu_wq_check_stamps(struct emu *emu, uint32_t syndrome, uint64_t format);

/**
 * emu_wq_has_real_time - check whether the time stamps of a queue are those of the real-time clock
 * @format: a valid enum prm_ts_format; in real-time mode, the default is the real-time clock
 */
bool emu_wq_has_real_time(const struct emu *emu, uint64_t format);

/**
 * emu_wq_transition - check a state transition of a queue in state @is
 * @from: current state according to the command; must equal @is, or be RDY if @is is ERR
 * @to: requested state
 *
 * Return: PRM_STATUS_OK, or the status of a refusal
 */
uint8_t emu_wq_transition(struct emu *emu, uint8_t is, uint8_t from, uint8_t to);

/** emu_drop_sq - emu_drop_fn of an SQ, and of the send queue of a QP */
void emu_drop_sq(struct emu *emu, struct emu_obj *obj);

/**
 * emu_rate_check - check that SQs of @uid may use entry @index of the rate table
 *
 * Return: PRM_STATUS_OK, or PRM_STATUS_BAD_PARAM: no such entry, or free, or of another uid
 */
uint8_t emu_rate_check(struct emu *emu, uint16_t uid, uint32_t index);

#endif
