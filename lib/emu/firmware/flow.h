/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_FIRMWARE_FLOW_H
#define EMU_FIRMWARE_FLOW_H

#include "emu/steering/flow.h"

/**
 * DOC: Steering commands, from the inside
 *
 * A table owns its groups, a group its entries: lists in the order of flow indexes. Both are
 * numbers within their table only, so they are no objects of their own (obj.h); what an entry
 * leads to is counted like any reference.
 */

/** emu_flow_check_type - refuse a table_type other than NIC_RX. Return: enum prm_status */
uint8_t emu_flow_check_type(struct emu *emu, uint32_t type);

/** emu_flow_table_use - table of a command; the handler returns @status when it is not OK */
struct emu_flow_table *emu_flow_table_use(struct emu *emu, uint32_t type, uint32_t id, uint16_t uid,
					  uint8_t *status);

/** emu_flow_table_of - the same, of the type and number that a command's input names */
#define emu_flow_table_of(emu, in, uid, status)                                                    \
	emu_flow_table_use((emu), (uint32_t)prm_get((in), table_type),                             \
			   (uint32_t)prm_get((in), table_id), (uid), (status))

/** emu_flow_group_at - the group that holds a flow index, or NULL */
struct emu_flow_group *emu_flow_group_at(const struct emu_flow_table *ft, uint32_t index);

/** emu_fte_at - the link to the entry at @index, or to where it belongs */
struct emu_fte **emu_fte_at(struct emu_flow_group *group, uint32_t index);

/** emu_fte_ref, emu_fte_unref - count references to what an entry leads to */
void emu_fte_ref(const struct emu_fte *fte);
void emu_fte_unref(const struct emu_fte *fte);

/** emu_fte_free - drop what an entry refers to, and the entry */
void emu_fte_free(struct emu_fte *fte);

/** emu_match_read - a match as host-endian dwords */
void emu_match_read(const struct prm_fte_match_param *match, uint32_t dw[EMU_MATCH_DWORDS]);

#endif
