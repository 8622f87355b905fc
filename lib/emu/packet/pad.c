/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pads short frames.
 */
#include "emu/packet/pad.h"

#include <string.h>

#include "emu/base/dev.h"

/*
 * PRM-MISSING: the device pads short frames with zeros to 60 bytes (a capability has that name,
 * and the kernel counts at least 60 bytes per frame).
 */
void emu_frame_pad(struct emu *emu, struct emu_frame *f)
{
	/* memmove: the frame may already be in the buffer, at its start or 4 bytes further on */
	uint8_t *to = emu->gather;

	memmove(to, f->data, f->bytes);
	memset(to + f->bytes, 0, EMU_ETH_MIN - f->bytes);
	*f = (struct emu_frame){ to, EMU_ETH_MIN };
}
