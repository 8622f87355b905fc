/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_CQ_ERROR_H
#define EMU_QUEUE_CQ_ERROR_H

#include "emu/queue/cq_ring.h"

/**
 * emu_cq_fail_queues - put the SQs and RQs in RDY that complete to @cq into ERR
 *
 * It is the operation cq_failed of struct emu_callbacks.
 */
void emu_cq_fail_queues(struct emu *emu, const struct emu_cq *cq);

/** emu_announce_queue - post WQ_CATAS_ERROR for a queue that failed and cannot write a CQE */
void emu_announce_queue(struct emu *emu, enum prm_event_queue_type type, uint32_t id);

#endif
