/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_WQE_LSO_H
#define EMU_QUEUE_WQE_LSO_H

#include "emu/queue/wqe.h"

/** emu_wqe_lso - execute an LSO WQE: send one TCP packet as segments of at most mss bytes */
enum emu_wqe_result emu_wqe_lso(struct emu_tx *tx, const struct emu_wqe *w);

#endif
