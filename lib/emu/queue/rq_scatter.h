/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_RQ_SCATTER_H
#define EMU_QUEUE_RQ_SCATTER_H

#include "emu/queue/rq.h"

/** emu_rq_strips_vlan - whether the RQ removes the outer C-tag of this frame */
static inline bool emu_rq_strips_vlan(const struct emu_rq *rq, const struct emu_parsed *p)
{
	return !rq->vsd && p->outer.tpid[0] == EMU_TPID_C;
}

/**
 * emu_rq_scatter - write a frame to the buffers of the WQE at rq->cc
 * @bytes: receives the length for the CQE: without a stripped tag, with an FCS that is kept
 *
 * Return: 0, or the syndrome for the error CQE
 */
uint8_t emu_rq_scatter(struct emu *emu, const struct emu_rq *rq, const struct emu_rx *rx,
		       uint32_t *bytes);

#endif
