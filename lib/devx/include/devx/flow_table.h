/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_FLOW_TABLE_H
#define DEVX_FLOW_TABLE_H

#include <stdint.h>

#include "devx/dev.h"
#include "devx/flow.h"
#include "devx/tir.h"

/**
 * DOC: Flow table of a user
 *
 *     rule, DEVX_MATCH_MAC(1) --.      flow table
 *     rule, DEVX_MATCH_MAC(2) --+--> | entry 0: IPv4 and UDP --> TIR |  group: version, protocol
 *     rule, broadcast ----------'    | entry 1: IPv4 -----------> TIR |  group: version
 *                                    | entry 2: all ------------> TIR |  group: no field
 *
 * A rule (devx/flow.h) can lead to a table instead of a TIR. Then @n addresses with @m destinations
 * each need @n rules and @m entries, not @n * @m rules. A packet follows the matching entry with
 * the smallest number. A group is a range of entries that compare the same fields. A packet that
 * matches no entry does not reach the kernel's rules: end a table with an entry for all packets.
 *
 * PRM-MISSING: the level max_ft_level - 1 is above the tables of the kernel's rules (Linux gives
 * it to a table that its own rules lead to, dr_fw.c).
 *
 * The device drops a packet without a matching entry in the last table (rdma-core,
 * dr_domain_caps_init: the default destination of NIC_RX tables is the address that drops).
 *
 * Source: PRM, "Flow Table"; Linux mlx5_ifc_flow_table_context_bits, mlx5_ifc_set_fte_in_bits.
 */

struct mlx5dv_devx_obj;

/**
 * struct devx_flow_table - a flow table
 * @table_id: number of the table in firmware, 24 bits
 * @obj: the firmware object, or NULL
 * @dev: device of the table
 */
struct devx_flow_table {
	uint32_t table_id;
	struct mlx5dv_devx_obj *obj;
	struct devx_dev *dev;
};

/**
 * struct devx_flow_group - a range of entries that compare the same fields
 * @group_id: number of the group in its table
 * @table: table of the group
 * @obj: the firmware object, or NULL
 */
struct devx_flow_group {
	uint32_t group_id;
	const struct devx_flow_table *table;
	struct mlx5dv_devx_obj *obj;
};

/**
 * struct devx_flow_entry - an entry of a flow table
 * @obj: the firmware object, or NULL
 * @dev: device of the entry
 */
struct devx_flow_entry {
	struct mlx5dv_devx_obj *obj;
	struct devx_dev *dev;
};

/*
 * Every function of this header:
 *
 * Context: control path; one thread per device; may sleep.
 *
 * A create function returns 0, or
 *   -EINVAL   an argument is invalid; devx_strerror() says which
 *   -ENOTSUP  the device cannot match a field, or does not support rules of users
 *   others    as devx_cmd_create()
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * devx_flow_table_create - create a receive flow table without entries
 * @table: all zero; all zero again on failure
 * @dev: open device; must outlive @table
 * @log2_n: log2 of the number of entries
 */
int devx_flow_table_create(struct devx_flow_table *table, struct devx_dev *dev, uint8_t log2_n);

/**
 * devx_flow_group_create - define a range of entries, and the fields that they compare
 * @group: all zero; all zero again on failure
 * @table: a table; must outlive @group
 * @like: a match that compares the same fields as all entries of the group; its values must be
 *        valid, but have no effect
 * @first: number of the first entry
 * @n: number of entries; 0 is -EINVAL. Firmware refuses entries of another group or outside @table
 */
int devx_flow_group_create(struct devx_flow_group *group, const struct devx_flow_table *table,
			   const struct devx_match *like, uint32_t first, uint32_t n);

/**
 * devx_flow_entry_create - create an entry that sends packets to a TIR
 * @entry: all zero; all zero again on failure
 * @group: group of the entry; must outlive @entry
 * @index: number of the entry, in the range of @group
 * @match: packets to match; unless it compares the same fields as the group, firmware refuses it
 * @tir: destination; must outlive @entry. -EINVAL: it was not created
 */
int devx_flow_entry_create(struct devx_flow_entry *entry, const struct devx_flow_group *group,
			   uint32_t index, const struct devx_match *match,
			   const struct devx_tir *tir);

/**
 * devx_flow_create_to_table - create a rule that sends packets to a flow table
 * @table: destination of the packets; must outlive @rule
 *
 * All else is as in devx_flow_create().
 */
int devx_flow_create_to_table(struct devx_flow_rule *rule, struct devx_dev *dev,
			      const struct devx_match *match, uint16_t prio,
			      const struct devx_flow_table *table);

/** devx_flow_entry_destroy - destroy an entry, or do nothing if all zero; all zero afterwards */
void devx_flow_entry_destroy(struct devx_flow_entry *entry);
/** devx_flow_group_destroy - destroy a group in the same way; first destroy its entries */
void devx_flow_group_destroy(struct devx_flow_group *group);
/** devx_flow_table_destroy - destroy a table in the same way; first destroy its groups and rules */
void devx_flow_table_destroy(struct devx_flow_table *table);

#ifdef __cplusplus
}
#endif

#endif
