/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_CMD_H
#define EMU_FIRMWARE_CMD_H

#include "emu/base/dev.h"
#include "emu/firmware/refuse.h"

/**
 * DOC: Firmware
 *
 *     emu_run_command   lengths, opcode, uid, reserved bits, fields that emu does not model
 *        |
 *     emu_fw_<command>  one typed handler a row of prm/commands.def
 *
 * A handler finds a well-formed mailbox: every bit that is set is a field listed in
 * fields.def. The adapter's lock is held. It returns enum prm_status, and what it refuses it
 * refuses through emu_refuse(), before it has changed anything. The output is zeroed.
 */

enum { EMU_HEADER_BYTES = 8 }; /* what every input and output begins with */

/**
 * emu_run_command - emu_exec() with the adapter's lock held, without the doorbells before it
 *
 * @out_bytes is at least EMU_HEADER_BYTES.
 */
uint8_t emu_run_command(struct emu *emu, const void *in, size_t in_bytes, void *out,
			size_t out_bytes);

/** struct emu_call - one command on its way through the checks */
struct emu_call {
	const struct prm_command *cmd; /* NULL: unknown opcode */
	uint16_t opcode, uid;
	const prm_be32 *in;
	size_t in_bytes;
	prm_be32 *out;
	size_t out_bytes;
};

#endif
