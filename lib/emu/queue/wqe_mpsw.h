/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_WQE_MPSW_H
#define EMU_QUEUE_WQE_MPSW_H

#include "emu/queue/wqe.h"

/** emu_wqe_mpsw - execute an enhanced multi-packet SEND: one frame per entry */
enum emu_wqe_result emu_wqe_mpsw(struct emu_tx *tx, const struct emu_wqe *w);

#endif
