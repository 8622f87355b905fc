/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_SQ_CQE_H
#define EMU_QUEUE_SQ_CQE_H

#include "emu/queue/wqe.h"

/** emu_wqe_complete - the CQE that an executed WQE asks for, if it does */
void emu_wqe_complete(struct emu *emu, const struct emu_wqe *w);
/** emu_wqe_fail - a WQE cannot be executed: SQ to ERR, CQE, flush of the rest */
void emu_wqe_fail(struct emu *emu, const struct emu_wqe *w, uint8_t syndrome);
/** emu_sq_flush - complete what is posted as flushed */
void emu_sq_flush(struct emu *emu, struct emu_sq *sq);

/** emu_sq_fail - put the SQ into ERR and flush what is posted */
void emu_sq_fail(struct emu *emu, struct emu_sq *sq);

#endif
