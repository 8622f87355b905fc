/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/steering/table.h"

#include <errno.h>

static int push_entry(struct uv_dev *dev, const struct uv_fte *f, bool modify)
{
	struct uv_fte_cmd cmd = { .table = f->table,
				  .group = f->group,
				  .index = f->index,
				  .modify = modify,
				  .action = f->action,
				  .tag = f->tag,
				  .value = &f->value,
				  .counter = f->counter };

	for (unsigned i = 0; i < UV_FS_MAX_DESTS; i++) {
		if (!f->dest[i].refs)
			continue;
		cmd.dest[cmd.n_dests].type = f->dest[i].type;
		cmd.dest[cmd.n_dests++].id = f->dest[i].id;
	}
	return uv_cmd_fte_set(dev, &cmd);
}

/* Rule and entry conflict if DROP or ALLOW differ, or if both have a tag and the tags differ. */
static bool has_conflict(const struct uv_fte *f, const struct uv_rule_spec *spec)
{
	if ((f->action ^ spec->action) &
	    (PRM_FLOW_CONTEXT_ACTION_DROP | PRM_FLOW_CONTEXT_ACTION_ALLOW))
		return true;
	return f->has_tag && spec->has_tag && f->tag != spec->tag;
}

/* Returns the index of the rule's destination in dest[], else a free index, else -1. */
static int choose_dest(const struct uv_fte *f, const struct uv_rule_spec *spec)
{
	int unused = -1;

	for (int i = UV_FS_MAX_DESTS - 1; i >= 0; i--) {
		if (!f->dest[i].refs)
			unused = i;
		else if (f->dest[i].type == spec->dest_type && f->dest[i].id == spec->dest)
			return i;
	}
	return unused;
}

int uv_fte_join(struct uv_dev *dev, struct uv_fte *f, const struct uv_rule_spec *spec, int *dest)
{
	const struct uv_fte was = *f;
	int rc;

	*dest = -1;
	if (f->n_rules && has_conflict(f, spec))
		return -EEXIST;
	if (spec->has_dest) {
		*dest = choose_dest(f, spec);
		if (*dest < 0)
			return -ENOSPC;
		f->dest[*dest].type = spec->dest_type;
		f->dest[*dest].id = spec->dest;
		f->dest[*dest].refs++;
	}
	if (!f->n_rules) {
		f->value = *spec->value;
		f->has_tag = spec->has_tag;
		f->tag = spec->tag;
	}
	f->action |= spec->action;
	if (spec->action & PRM_FLOW_CONTEXT_ACTION_COUNT)
		f->counter = spec->counter;
	rc = push_entry(dev, f, f->n_rules > 0);
	if (rc) {
		*f = was;
		return rc;
	}
	f->n_rules++;
	return 0;
}

bool uv_fte_leave(struct uv_dev *dev, struct uv_fte *f, int dest)
{
	if (!--f->n_rules) {
		uv_cmd_fte_delete(dev, f->table, f->index);
		return true;
	}
	if (dest >= 0 && !--f->dest[dest].refs)
		push_entry(dev, f, true);
	return false;
}
