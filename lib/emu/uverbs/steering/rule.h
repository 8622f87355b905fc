/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_STEERING_RULE_H
#define EMU_UVERBS_STEERING_RULE_H

#include "emu/uverbs/steering/command.h"

struct uv_fs_rule;

/** uv_fs_open - create the kernel's own receive table, for packets that no rule matches */
int uv_fs_open(struct uv_dev *dev);
/** uv_fs_close - free the memory of steering; tables in firmware remain */
void uv_fs_close(struct uv_dev *dev);

/**
 * uv_fs_add_rule - add a rule, and create its table, group and entry unless they exist
 *
 * Return: 0, or
 *   -EEXIST      a rule with the same match has another tag or another kind of action
 *   -ENOSPC      no room for a group in the table, or for a destination in the entry
 *   -ENOMEM      no memory, or firmware has no more tables
 *   -EOPNOTSUPP  the device has no tables of this direction
 *   else         firmware's status as -errno
 */
int uv_fs_add_rule(struct uv_dev *dev, const struct uv_rule_spec *spec, struct uv_fs_rule **rule);
/** uv_fs_delete_rule - remove a rule, and its entry, group and table if they become empty */
void uv_fs_delete_rule(struct uv_dev *dev, struct uv_fs_rule *rule);

/** uv_fs_count_rules - count the rules in both directions */
unsigned uv_fs_count_rules(const struct uv_dev *dev);

#endif
