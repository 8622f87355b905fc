/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_FLOW_H
#define EMU_FIRMWARE_FLOW_H

#include "emu/steering/flow.h"

/**
 * DOC: Flow tables in the command handlers
 *
 * A table owns a list of groups, and a group owns a list of entries, both sorted by flow index.
 * Groups and entries are not in the object tables of obj.h, because they are numbered per table.
 * An entry holds references to its destinations and its counter.
 */

/** emu_flow_check_type - refuse a table_type other than NIC_RX. Return: enum prm_status */
uint8_t emu_flow_check_type(struct emu *emu, uint32_t type);

/** emu_flow_table_use - find a flow table, or refuse the command: NULL, and its @status */
struct emu_flow_table *emu_flow_table_use(struct emu *emu, uint32_t type, uint32_t id, uint16_t uid,
					  uint8_t *status);

/** emu_flow_table_of - emu_flow_table_use() with table_type and table_id of a command's input */
#define emu_flow_table_of(emu, in, uid, status)                                                    \
	emu_flow_table_use((emu), (uint32_t)prm_get((in), table_type),                             \
			   (uint32_t)prm_get((in), table_id), (uid), (status))

/** emu_flow_group_at - the group whose range of flow indexes contains @index, or NULL */
struct emu_flow_group *emu_flow_group_at(const struct emu_flow_table *ft, uint32_t index);

/** emu_fte_at - the list link of the entry at @index, or the link where it has to be inserted */
struct emu_fte **emu_fte_at(struct emu_flow_group *group, uint32_t index);

/** emu_fte_ref, emu_fte_unref - count an entry's references to its destinations and counter */
void emu_fte_ref(const struct emu_fte *fte);
void emu_fte_unref(const struct emu_fte *fte);

/** emu_fte_free - release the references of an entry and free it; it is in no list */
void emu_fte_free(struct emu_fte *fte);

/** emu_match_read - convert a match to host-endian dwords */
void emu_match_read(const struct prm_fte_match_param *match, uint32_t dw[EMU_MATCH_DWORDS]);

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
