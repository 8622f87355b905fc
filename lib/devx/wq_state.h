/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_WQ_STATE_H
#define DEVX_WQ_STATE_H

#include "prm/values.h"

/**
 * DOC: States of a work queue
 *
 * A work queue is an SQ or an RQ; its state is enum prm_wq_state. Each verb means the same on both.
 *
 *                   ready         a bad WQE, or an error of the device
 *     create --> RST ---> RDY ------------------------------------------> ERR
 *                 ^        |                                               |
 *                 '--------+--------------------- reset -------------------'
 *
 *     RST   The device executes nothing. Its counters are 0; so are pi and the doorbell record.
 *     RDY   The device executes what is posted.
 *     ERR   The device executes nothing and completes what is posted with error CQEs.
 *
 * A caller posts nothing to a queue in RST. An RQ reads its record from the moment it is ready.
 *
 * PRM-MISSING: the device ignores a doorbell for an SQ in RST and drops a packet for an RQ in RST
 * (no source says; emu does so)
 *
 * Source: PRM, "SQ Context", "RQ Context"; Linux mlx5_ifc_sqc_bits, mlx5_ifc_rqc_bits.
 */

#endif
