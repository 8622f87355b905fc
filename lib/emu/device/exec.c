/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Executes a command after the doorbells that the driver rang before it, because PCI keeps the
 * order of writes.
 */
#include "emu/firmware/cmd.h"
#include "emu/queue/uar_page.h"

uint8_t emu_exec(struct emu *emu, const void *in, size_t in_bytes, void *out, size_t out_bytes)
{
	uint8_t status;

	if (out_bytes < EMU_HEADER_BYTES)
		return PRM_STATUS_BAD_OUTP_LEN;
	emu_lock(emu->adapter);
	emu_take_doorbells(emu);
	status = emu_run_command(emu, in, in_bytes, out, out_bytes);
	emu_unlock(emu->adapter);
	return status;
}
