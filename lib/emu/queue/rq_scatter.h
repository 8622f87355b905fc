/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_RQ_SCATTER_H
#define EMU_QUEUE_RQ_SCATTER_H

#include "emu/queue/rq.h"

/** emu_rq_strips_vlan - whether the RQ takes the frame's outer C-tag out of it */
bool emu_rq_strips_vlan(const struct emu_rq *rq, const struct emu_parsed *p);
/**
 * emu_rq_scatter - write a frame to where the WQE at rq->cc points
 * @bytes: receives the length as the CQE has it
 *
 * Return: 0, or the syndrome of the CQE
 */
uint8_t emu_rq_scatter(struct emu *emu, const struct emu_rq *rq, const struct emu_rx *rx,
		       uint32_t *bytes);

#endif
