/* SPDX-License-Identifier: BSD-3-Clause
 *
 * UDP ports of VXLAN. The parser starts with the default port, 4789 (comment in Linux's
 * mlx5/core/lib/vxlan.c).
 */
#include "emu/firmware/boot.h"

#include "emu/firmware/cmd.h"

void emu_vxlan_reset(struct emu *emu)
{
	emu->vxlan = (struct emu_vxlan){ .n = 1, .port = { EMU_VXLAN_PORT } };
}

/* Returns the index of @port, or n if there is no such port. */
static unsigned find_port(const struct emu_vxlan *vxlan, uint16_t port)
{
	unsigned i = 0;

	while (i < vxlan->n && vxlan->port[i] != port)
		i++;
	return i;
}

/*
 * Adding the default port succeeds, although the device has it. Source: Linux, mlx5_vxlan_create.
 *
 * PRM-MISSING: adding another port twice succeeds, and needs one deletion. Deleting the default
 * port succeeds and keeps it. (Linux never adds a port twice, and ignores failed deletions.)
 */
uint8_t emu_fw_add_vxlan_udp_dport(EMU_FW_ARGS(add_vxlan_udp_dport))
{
	const unsigned max = (unsigned)emu_eth_cap(emu, max_vxlan_udp_ports);
	const uint16_t port = (uint16_t)prm_get(in, vxlan_udp_port);
	struct emu_vxlan *vxlan = &emu->vxlan;

	if (find_port(vxlan, port) < vxlan->n)
		return PRM_STATUS_OK;
	if (vxlan->n >= max)
		return emu_refuse(emu, PRM_STATUS_LIM_ERR, EMU_SYND_LIMIT,
				  "vxlan_udp_port: the device has %u ports already (valid: at most "
				  "max_vxlan_udp_ports)",
				  vxlan->n);
	vxlan->port[vxlan->n++] = port;
	return PRM_STATUS_OK;
}

uint8_t emu_fw_delete_vxlan_udp_dport(EMU_FW_ARGS(delete_vxlan_udp_dport))
{
	const uint16_t port = (uint16_t)prm_get(in, vxlan_udp_port);
	struct emu_vxlan *vxlan = &emu->vxlan;
	const unsigned i = find_port(vxlan, port);

	if (i == vxlan->n)
		return emu_refuse(emu, PRM_STATUS_BAD_RES, EMU_SYND_NO_OBJECT,
				  "vxlan_udp_port: no such port %u", port);
	if (port != EMU_VXLAN_PORT)
		vxlan->port[i] = vxlan->port[--vxlan->n];
	return PRM_STATUS_OK;
}
