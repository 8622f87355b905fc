/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_STEERING_RULE_H
#define EMU_UVERBS_STEERING_RULE_H

#include "emu/uverbs/steering/spec.h"

struct uv_fs_rule;

/** uv_fs_open - the kernel's own tables: where packets go that no rule took */
int uv_fs_open(struct uv_dev *dev);
void uv_fs_close(struct uv_dev *dev);

/**
 * uv_fs_add_rule - add a rule
 *
 * Return: 0, or
 *   -EEXIST  the same match exists with another tag or another kind of action
 *   -ENOSPC  no room for another mask in the table
 *   -ENOMEM  no memory, or firmware is out of tables
 *   else     firmware's refusal as an errno
 */
int uv_fs_add_rule(struct uv_dev *dev, const struct uv_rule_spec *spec, struct uv_fs_rule **rule);
void uv_fs_delete_rule(struct uv_dev *dev, struct uv_fs_rule *rule);

/** uv_fs_count_rules - rules in both directions */
unsigned uv_fs_count_rules(const struct uv_dev *dev);

#endif
