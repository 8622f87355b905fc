/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_WQE_SEND_H
#define EMU_QUEUE_WQE_SEND_H

#include "emu/queue/wqe_frame.h"

/** emu_wqe_send - execute a SEND: one frame from data segments and inline bytes */
enum emu_wqe_result emu_wqe_send(struct emu_tx *tx, const struct emu_wqe *w);

/** emu_wqe_gather - append the bytes of all data segments from @ds on, inline or in host memory */
enum emu_wqe_result emu_wqe_gather(struct emu_tx *tx, const struct emu_wqe *w, unsigned ds,
				   struct emu_gather *g);
/** emu_wqe_transmit - pad and send one frame of a WQE */
enum emu_wqe_result emu_wqe_transmit(struct emu_tx *tx, const struct emu_wqe *w,
				     struct emu_frame *f);

#endif
