/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_CMD_H
#define EMU_FIRMWARE_CMD_H

#include "emu/base/dev.h"
#include "emu/base/profile.h"
#include "emu/firmware/object.h"
#include "emu/firmware/refuse.h"

/**
 * DOC: Firmware
 *
 *     emu_run_command   checks lengths, opcode, uid, reserved and unmodelled bits
 *        |
 *     emu_fw_<command>  one typed handler per row of prm/commands.def
 *
 * The input of a handler has the right length, and only fields listed in fields.def are set. The
 * output is zeroed and has room for the layout; a query fills as much of its list as fits. The
 * caller holds the adapter lock. A handler returns enum prm_status. It refuses a command with a
 * function of refuse.h before it changes anything.
 */

enum { EMU_HEADER_BYTES = 8 }; /* size of the header of every input and output */

/**
 * emu_run_command - execute one firmware command; the caller holds the adapter lock
 *
 * emu_exec() calls this after it has served the doorbells. @out_bytes is at least
 * EMU_HEADER_BYTES.
 */
uint8_t emu_run_command(struct emu *emu, const void *in, size_t in_bytes, void *out,
			size_t out_bytes);

/** struct emu_call - one command with its mailboxes, for the checks and the trace */
struct emu_call {
	const struct prm_command *cmd; /* NULL: unknown opcode */
	uint16_t opcode, uid;
	const prm_be32 *in;
	size_t in_bytes;
	prm_be32 *out;
	size_t out_bytes;
};

/** emu_trace_begin - write the header line: program, process id, date, profile, ports */
void emu_trace_begin(struct emu_adapter *a, const char *profile);

/** emu_trace_command - write one line about the command @c, which ended with @status */
void emu_trace_command(struct emu *emu, const struct emu_call *c, uint8_t status);

#define EMU_UNUSED __attribute__((unused))

/** EMU_FW_ARGS - parameters of emu_fw_<name>(), the handler of command @name */
#define EMU_FW_ARGS(name)                                                                          \
	EMU_UNUSED struct emu *emu, EMU_UNUSED uint16_t uid,                                       \
		EMU_UNUSED const struct prm_##name##_in *in, EMU_UNUSED size_t in_bytes,           \
		EMU_UNUSED struct prm_##name##_out *out, EMU_UNUSED size_t out_bytes

#define CMD(op, name) uint8_t emu_fw_##name(EMU_FW_ARGS(name));
#include "prm/commands.def"

#endif
