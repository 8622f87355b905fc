/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_CQ_EVENT_H
#define EMU_QUEUE_CQ_EVENT_H

#include "emu/queue/cq_ring.h"

/**
 * emu_cq_notify - post the event of a pushed CQE if the CQ is armed, or moderate it
 * @error: an error CQE, whose event does not wait
 * @always: post the event even if the CQ is not armed
 */
void emu_cq_notify(struct emu *emu, struct emu_cq *cq, bool error, bool always);
/** emu_cq_events_due - post the moderated events whose time has come */
void emu_cq_events_due(struct emu *emu);

/** emu_cq_find_due - earliest time of a moderated event in ns, or @due_ns if that is earlier */
uint64_t emu_cq_find_due(const struct emu *emu, uint64_t due_ns);

/** emu_cq_arm_from_record - act on an arm whose doorbell another CQ's may have overwritten */
void emu_cq_arm_from_record(struct emu *emu, struct emu_cq *cq);

/** emu_cq_forget_event - drop the moderated event of a CQ that is about to be destroyed */
void emu_cq_forget_event(struct emu *emu, struct emu_cq *cq);

/** emu_cq_arm - execute an arm doorbell. @dw0: its first dword, host-endian, as in the record */
void emu_cq_arm(struct emu *emu, struct emu_cq *cq, uint32_t dw0);

#endif
