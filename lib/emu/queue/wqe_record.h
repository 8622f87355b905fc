/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_WQE_RECORD_H
#define EMU_QUEUE_WQE_RECORD_H

#include "emu/queue/wqe.h"

/** emu_wqe_copy - copy an executed WQE to the record of its port, if it has room left */
void emu_wqe_copy(struct emu_wqe_record *record, const struct emu_wqe *w);

#endif
