/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_DOORBELL_H
#define EMU_QUEUE_DOORBELL_H

#include "emu/base/obj.h"

struct emu;

struct emu_uar {
	struct emu_obj obj;
	void *page;         /* memory that the engine scans for doorbells, or NULL */
	struct emu_sq *sqs; /* SQs whose context names this UAR, linked by next_on_uar */
};

/** emu_ring_sq - execute a send doorbell of 8 bytes on @uar. Return: the rung SQ, or NULL */
struct emu_sq *emu_ring_sq(struct emu *emu, struct emu_uar *uar, uint64_t value);
/** emu_ring_cq - execute an arm doorbell of 8 bytes on @uar. Return: the CQ it names, or NULL */
struct emu_cq *emu_ring_cq(struct emu *emu, struct emu_uar *uar, uint64_t value);

/**
 * emu_take_doorbells - execute the doorbells on every UAR page; the caller holds the adapter's lock
 *
 * Each turn of the engine and each firmware command begins with this call. On a bus, a command
 * cannot overtake a doorbell that the driver wrote before it.
 */
void emu_take_doorbells(struct emu *emu);

#endif
