/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_TRACE_H
#define EMU_FIRMWARE_TRACE_H

#include "emu/firmware/cmd.h"

/** emu_trace_begin - write the header line: program, process id, date, profile, ports */
void emu_trace_begin(struct emu_adapter *a, const char *profile);

/** emu_trace_command - write one line about the command @c, which ended with @status */
void emu_trace_command(struct emu *emu, const struct emu_call *c, uint8_t status);

#endif
