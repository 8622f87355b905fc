/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PACKET_PAD_H
#define EMU_PACKET_PAD_H

#include "emu/packet/frame.h"

struct emu;

/** emu_frame_pad - copy a short frame to emu->gather and pad it to 60 bytes */
void emu_frame_pad(struct emu *emu, struct emu_frame *f);

#endif
