/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_WQE_UMR_H
#define EMU_QUEUE_WQE_UMR_H

#include "emu/queue/wqe.h"

/** emu_wqe_umr - change an mkey: its fields, its pages or both */
enum emu_wqe_result emu_wqe_umr(struct emu_tx *tx, const struct emu_wqe *w);

#endif
