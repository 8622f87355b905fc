/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_WQ_STATE_H
#define DEVX_WQ_STATE_H

#include "prm/values.h"

/**
 * DOC: States of a work queue
 *
 * A work queue is an SQ or an RQ; its state is enum prm_wq_state.
 *
 *                   ready         a WQE fails, or the device has an error
 *     create --> RST ---> RDY ------------------------------------------> ERR
 *                 ^        |                                               |
 *                 '--------+--------------------- reset -------------------'
 *
 *     RST   The device executes no WQE. Its counters, pi and the doorbell record are 0.
 *     RDY   The device executes posted WQEs. An RQ needs no doorbell, only its doorbell record.
 *     ERR   The device executes no WQE; it completes posted WQEs with error CQEs.
 *
 * The program must not post to a queue in RST. It resets a queue in ERR after it has read the error
 * CQE of the last posted WQE. PRM-MISSING: a device may write a missing CQE after the reset (no
 * source says so; Linux waits for all CQEs, mlx5e_tx_reporter_err_cqe_recover).
 *
 * PRM-MISSING: the device ignores a doorbell for an SQ in RST and drops a packet for an RQ in RST
 * (no source says this; emu does so).
 *
 * Source: PRM, "SQ Context", "RQ Context"; Linux mlx5_ifc_sqc_bits, mlx5_ifc_rqc_bits.
 */

#endif
