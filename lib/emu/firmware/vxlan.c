/* SPDX-License-Identifier: BSD-3-Clause
 *
 * UDP ports of VXLAN. The parser knows the default port, 4789, from the start
 * (comment in mlx5/core/lib/vxlan.c).
 */
#include "emu/firmware/vxlan.h"

#include "emu/base/dev.h"

void emu_vxlan_reset(struct emu *emu)
{
	emu->vxlan = (struct emu_vxlan){ .n = 1, .port = { EMU_VXLAN_PORT } };
}
