/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_CQ_ERROR_H
#define EMU_QUEUE_CQ_ERROR_H

#include "emu/queue/cq_ring.h"

/** emu_cq_fail_queues - emu_callbacks.cq_failed: SQs and RQs in RDY go into ERR (cq_error.c) */
void emu_cq_fail_queues(struct emu *emu, const struct emu_cq *cq);

#endif
