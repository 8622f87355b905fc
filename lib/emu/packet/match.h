/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PACKET_MATCH_H
#define EMU_PACKET_MATCH_H

#include "emu/packet/parse.h"
#include "prm/prm.h"

enum { EMU_MATCH_DWORDS = prm_fte_match_param_bytes / 4 };

/** emu_match_dword - dword @dw of fte_match_param with the frame's values; host-endian */
uint32_t emu_match_dword(unsigned dw, const struct emu_frame *f, const struct emu_parsed *p);

/** emu_match_supported - whether emu_match_dword() extracts all fields of dword @dw in @mask */
bool emu_match_supported(unsigned dw, uint32_t mask);

#endif
