/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PACKET_PAD_H
#define EMU_PACKET_PAD_H

#include "emu/packet/frame.h"

struct emu;

/** emu_frame_pad - give a short frame its Ethernet minimum; copies it to emu->gather for that */
void emu_frame_pad(struct emu *emu, struct emu_frame *f);

#endif
