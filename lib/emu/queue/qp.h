/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_QP_H
#define EMU_QUEUE_QP_H

#include "emu/queue/sq.h"

struct emu_q_counter;

/** struct emu_qp - a queue pair. It does not receive; its SQ executes UMR and NOP WQEs */
struct emu_qp {
	struct emu_sq sq; /* first: sq.obj is the object of the QP; sq.cq is cqn_snd */
	uint8_t state;    /* enum prm_qpc_state, finer than sq.state */
	struct emu_cq *rcv_cq;
	struct emu_obj *srq;           /* reference, or NULL */
	struct emu_q_counter *counter; /* reference, or NULL; set by RST2INIT */
	struct prm_qpc ctx;
};

#endif
