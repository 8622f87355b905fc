/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_QUEUE_PORT_H
#define EMU_QUEUE_PORT_H

#include "emu/base/dev.h"
#include "emu/packet/frame.h"

struct emu_sq;

/** emu_port_limit - length of the longest frame that the port sends or accepts, without FCS */
static inline uint32_t emu_port_limit(const struct emu *emu)
{
	return (uint32_t)emu->link.mtu + EMU_FRAME_OVERHEAD;
}

/**
 * emu_port_rx - deliver a frame that arrived from the wire: steering, RQ, CQE
 * @may_wait: the wire has pause=on: refuse the frame, instead of dropping it, if an RQ lacks a
 * buffer
 *
 * Return: false if it refused the frame; true if it delivered the frame, or dropped and counted it
 */
bool emu_port_rx(struct emu *emu, const struct emu_frame *f, bool may_wait);

/**
 * emu_port_tx - send a frame: check link and MTU, give it to the wire, count it
 * @from: the SQ, or NULL. While local loopback is on, the port also receives frames to its own
 *	addresses and to groups, except TIRs of the same transport domain that know the SQ
 *
 * Return: false if the wire cannot take the frame now (pause=on); true if it sent the frame, or
 * dropped and counted it
 */
bool emu_port_tx(struct emu *emu, const struct emu_frame *f, const struct emu_sq *from);

#endif
