/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_WQE_SEND_H
#define EMU_QUEUE_WQE_SEND_H

#include "emu/queue/wqe_frame.h"

/** emu_wqe_send - SEND: one frame, in pieces or inline */
enum emu_wqe_result emu_wqe_send(struct emu_tx *tx, const struct emu_wqe *w);

/** emu_wqe_gather - append what segments @ds and on of a WQE point to, or have inline */
enum emu_wqe_result emu_wqe_gather(struct emu_tx *tx, const struct emu_wqe *w, unsigned ds,
				   struct emu_gather *g);
/** emu_wqe_transmit - send one frame of a WQE */
enum emu_wqe_result emu_wqe_transmit(struct emu_tx *tx, const struct emu_wqe *w,
				     struct emu_frame *f);

#endif
