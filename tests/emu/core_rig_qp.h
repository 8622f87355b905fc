/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_RIG_QP_H
#define CORE_RIG_QP_H

#include "core_rig_queue.h"

/** core_rig_make_umr_qp - a kernel's QP for UMRs, in RTS: of it only the send queue counts */
struct core_rig_sq core_rig_make_umr_qp(struct core_rig *r, unsigned log_n, uint32_t cqn);

/** core_rig_move_umr_qp - transition @opcode of Linux' QP, which names its CQ again; the status */
uint8_t core_rig_move_umr_qp(struct core_rig *r, uint32_t qpn, uint32_t cqn, uint16_t opcode);

#endif
