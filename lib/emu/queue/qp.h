/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_QP_H
#define EMU_QUEUE_QP_H

#include "emu/queue/sq.h"

struct emu_q_counter;

/** struct emu_qp - a queue pair. It receives nothing; its SQ executes UMR WQEs */
struct emu_qp {
	struct emu_sq sq; /* its obj is the QP's; sq.cq is cqn_snd */
	uint8_t state;    /* enum prm_qpc_state, finer than sq.state */
	struct emu_cq *rcv_cq;
	struct emu_obj *srq;           /* reference, or NULL */
	struct emu_q_counter *counter; /* the same; since RST2INIT */
	struct prm_qpc ctx;
};

#endif
