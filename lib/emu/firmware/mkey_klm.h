/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_MKEY_KLM_H
#define EMU_FIRMWARE_MKEY_KLM_H

#include "emu/base/mkey.h"
#include "emu/base/mkey_klm.h"

/**
 * emu_mkey_open_klms - check the list of an indirect mkey, and read it
 * @list: receives the list; NULL for a free mkey, whose list a UMR WQE would write
 *
 * Return: enum prm_status
 */
uint8_t emu_mkey_open_klms(struct emu *emu, const struct prm_create_mkey_in *in, size_t in_bytes,
			   struct emu_klm_list **list);

#endif
