/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_VXLAN_H
#define EMU_FIRMWARE_VXLAN_H

struct emu;

/** emu_vxlan_reset - forget all UDP ports of VXLAN but the default one */
void emu_vxlan_reset(struct emu *emu);

#endif
