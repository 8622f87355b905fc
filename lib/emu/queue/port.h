/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_PORT_H
#define EMU_QUEUE_PORT_H

#include "emu/base/dev.h"
#include "emu/packet/frame.h"

/** emu_port_limit - longest frame that the port takes, without FCS */
static inline uint32_t emu_port_limit(const struct emu *emu)
{
	return (uint32_t)emu->link.mtu + EMU_FRAME_OVERHEAD;
}

/**
 * emu_port_rx - a frame arrives at a port: vport filter, steering, RQ, CQE
 * @may_wait: the wire has pause: do not drop for want of a buffer, say so instead
 *
 * Return: false if @may_wait and an RQ had no buffer; else true (delivered or dropped and counted)
 */
bool emu_port_rx(struct emu *emu, const struct emu_frame *f, bool may_wait);

/** emu_port_tx - a frame leaves a port: MTU check, counters, wire. Return: as emu_wire_ops.tx */
bool emu_port_tx(struct emu *emu, const struct emu_frame *f);

#endif
