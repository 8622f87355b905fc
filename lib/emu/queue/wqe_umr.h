/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_WQE_UMR_H
#define EMU_QUEUE_WQE_UMR_H

#include "emu/queue/wqe.h"

/** emu_wqe_umr - execute a UMR WQE: change fields of an mkey, its list of pages, or both */
enum emu_wqe_result emu_wqe_umr(struct emu_tx *tx, const struct emu_wqe *w);

#endif
