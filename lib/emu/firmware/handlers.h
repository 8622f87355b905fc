/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_HANDLERS_H
#define EMU_FIRMWARE_HANDLERS_H

#include "emu/base/caps.h"
#include "emu/base/dev.h"
#include "emu/firmware/object.h"
#include "emu/firmware/refuse.h"

#define EMU_UNUSED __attribute__((unused))

/** EMU_FW_ARGS - parameters of emu_fw_<name>(), the handler of command @name */
#define EMU_FW_ARGS(name)                                                                          \
	EMU_UNUSED struct emu *emu, EMU_UNUSED uint16_t uid,                                       \
		EMU_UNUSED const struct prm_##name##_in *in, EMU_UNUSED size_t in_bytes,           \
		EMU_UNUSED struct prm_##name##_out *out, EMU_UNUSED size_t out_bytes

#define CMD(op, name) uint8_t emu_fw_##name(EMU_FW_ARGS(name));
#include "prm/commands.def"

#endif
