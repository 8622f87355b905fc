/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Padding of short frames.
 */
#include "emu/packet/pad.h"

#include <string.h>

#include "emu/base/dev.h"

/*
 * PRM-MISSING: short frames are padded with zeros to 60 bytes (a capability of that name, and
 * a kernel that counts 60 bytes at least for each frame, say so).
 */
void emu_frame_pad(struct emu *emu, struct emu_frame *f)
{
	/* the frame may be in the buffer already, a VLAN tag's length further on or at its start */
	uint8_t *to = emu->gather;

	memmove(to, f->data, f->bytes);
	memset(to + f->bytes, 0, EMU_ETH_MIN - f->bytes);
	*f = (struct emu_frame){ to, EMU_ETH_MIN };
}
