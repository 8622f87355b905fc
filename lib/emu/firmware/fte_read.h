/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_FTE_READ_H
#define EMU_FIRMWARE_FTE_READ_H

#include "emu/steering/flow.h"

/**
 * emu_fte_read - read and check the whole of an entry; nothing is referenced yet
 * @ft: its table
 * @group: the group of its flow index
 * @fte: zeroed; receives it
 *
 * Return: enum prm_status
 */
uint8_t emu_fte_read(struct emu *emu, uint16_t uid, const struct emu_flow_table *ft,
		     const struct emu_flow_group *group, const struct prm_set_fte_in *in,
		     struct emu_fte *fte);

#endif
