/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_CQ_EVENT_H
#define EMU_QUEUE_CQ_EVENT_H

#include "emu/queue/cq_ring.h"

/** emu_cq_notify - a CQE was pushed: an event for whoever armed. @always: armed or not */
void emu_cq_notify(struct emu *emu, struct emu_cq *cq, bool error, bool always);
/** emu_cq_events_due - make the events that waited long enough */
void emu_cq_events_due(struct emu *emu);

/** emu_cq_arm_from_record - act on an arm whose doorbell another CQ's may have overwritten */
void emu_cq_arm_from_record(struct emu *emu, struct emu_cq *cq);

/** emu_cq_forget_event - the CQ goes: an event that waits is not made */
void emu_cq_forget_event(struct emu *emu, struct emu_cq *cq);

/** emu_cq_arm - the CQ's arm doorbell: host-endian dword 0 as PRM_DBR_CQ_ARM has it */
void emu_cq_arm(struct emu *emu, struct emu_cq *cq, uint32_t dw0);

#endif
