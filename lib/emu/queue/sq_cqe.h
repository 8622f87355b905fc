/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_SQ_CQE_H
#define EMU_QUEUE_SQ_CQE_H

#include "emu/queue/wqe.h"

/** emu_wqe_complete - write the CQE of an executed WQE, if the WQE asks for one */
void emu_wqe_complete(struct emu *emu, const struct emu_wqe *w);
/** emu_wqe_fail - put the SQ into ERR, write the error CQE of a WQE, flush the WQEs after it */
void emu_wqe_fail(struct emu *emu, const struct emu_wqe *w, uint8_t syndrome);
/** emu_sq_flush - drop all posted WQEs of an SQ in ERR, with error CQEs if flush_in_error */
void emu_sq_flush(struct emu *emu, struct emu_sq *sq);

/** emu_sq_fail - put the SQ into ERR and flush all posted WQEs */
void emu_sq_fail(struct emu *emu, struct emu_sq *sq);

#endif
