/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_TRACE_H
#define EMU_FIRMWARE_TRACE_H

#include "emu/firmware/cmd.h"

/** emu_trace_command - give the trace a line about a command that was executed */
void emu_trace_command(struct emu *emu, const struct emu_call *c, uint8_t status);

#endif
