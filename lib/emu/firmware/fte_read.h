/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_FTE_READ_H
#define EMU_FIRMWARE_FTE_READ_H

#include "emu/steering/flow.h"

/**
 * emu_fte_read - read and check the flow entry in a SET_FTE command
 * @ft: table of the entry
 * @group: group that contains the flow index
 * @fte: zeroed; receives the entry. References are not counted yet: see emu_fte_ref()
 *
 * Return: enum prm_status
 */
uint8_t emu_fte_read(struct emu *emu, uint16_t uid, const struct emu_flow_table *ft,
		     const struct emu_flow_group *group, const struct prm_set_fte_in *in,
		     struct emu_fte *fte);

#endif
