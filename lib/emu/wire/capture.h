/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_WIRE_CAPTURE_H
#define EMU_WIRE_CAPTURE_H

#include "emu/packet/frame.h"
#include "emu/wire/spec.h"

/** struct emu_capture - all frames of a capture file */
struct emu_capture {
	struct emu_frame *frame;
	uint64_t n;
};

/** emu_capture_read - read a capture file into memory. Return: 0, or -1 with a line in @why */
int emu_capture_read(struct emu_capture *c, const char *path, const struct emu_why *why);
void emu_capture_free(struct emu_capture *c);

#endif
