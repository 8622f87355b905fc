/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/steering/rule.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/uverbs/steering/table.h"

/* Level of the kernel's own receive table: after the tables of rules, before usual DEVX tables. */
enum { KERNEL_LEVEL = 48 };

struct uv_fs_rule {
	struct uv_fs_table *table;
	struct uv_fs_group *group;
	struct uv_fte *fte;
	int dest; /* index of the rule's destination in fte->dest, or -1 */
};

static int add_entry(struct uv_dev *dev, struct uv_fs_rule *r, const struct uv_rule_spec *spec)
{
	struct uv_fte *f = calloc(1, sizeof(*f)), **at = &r->group->ftes;
	int rc;

	if (!f)
		return -ENOMEM;
	f->table = r->table->id;
	f->group = r->group->id;
	f->index = r->group->first;
	for (; *at && (*at)->index == f->index; at = &(*at)->next)
		f->index++;
	rc = uv_fte_join(dev, f, spec, &r->dest);
	if (rc) {
		free(f);
		return rc;
	}
	f->next = *at;
	*at = f;
	r->fte = f;
	return 0;
}

/*
 * Adds the rule to the entry with the same mask and value. If there is no such entry, creates one
 * in a group with that mask and room for it, or else in a new group. Source: Linux fs_core.c.
 */
static int place_rule(struct uv_dev *dev, const struct uv_rule_spec *spec, struct uv_fs_rule *r)
{
	struct uv_fs_group *with_room = NULL;
	int rc = 0;

	for (struct uv_fs_group *g = r->table->groups; g; g = g->next) {
		if (!uv_fs_group_has_mask(g, spec))
			continue;
		for (struct uv_fte *f = g->ftes; f; f = f->next) {
			if (memcmp(&f->value, spec->value, sizeof(f->value)))
				continue;
			r->group = g;
			r->fte = f;
			return uv_fte_join(dev, f, spec, &r->dest);
		}
		if (!with_room && !uv_fs_group_is_full(g))
			with_room = g;
	}
	r->group = with_room;
	if (!r->group)
		rc = uv_fs_group_create(dev, r->table, spec, &r->group);
	if (rc)
		return rc;
	rc = add_entry(dev, r, spec);
	if (rc)
		uv_fs_group_put(dev, r->table, r->group);
	return rc;
}

int uv_fs_add_rule(struct uv_dev *dev, const struct uv_rule_spec *want, struct uv_fs_rule **out)
{
	struct uv_rule_spec spec = *want;
	struct uv_fs_rule *r = calloc(1, sizeof(*r));
	int rc;

	if (!r)
		return -ENOMEM;
	if (spec.default_miss) {
		spec.has_dest = true;
		spec.dest_type = PRM_FLOW_DESTINATION_TYPE_FLOW_TABLE;
		spec.dest = dev->fs->end;
		spec.action |= PRM_FLOW_CONTEXT_ACTION_FWD_DEST;
	}
	rc = uv_fs_table_get(dev, spec.slot, &r->table);
	if (!rc) {
		rc = place_rule(dev, &spec, r);
		if (!rc)
			r->table->n_rules++;
		uv_fs_table_put(dev, r->table);
	}
	if (rc) {
		free(r);
		return rc;
	}
	dev->fs->n_rules++;
	*out = r;
	return 0;
}

void uv_fs_delete_rule(struct uv_dev *dev, struct uv_fs_rule *r)
{
	if (uv_fte_leave(dev, r->fte, r->dest)) {
		for (struct uv_fte **at = &r->group->ftes; *at; at = &(*at)->next) {
			if (*at == r->fte) {
				*at = r->fte->next;
				break;
			}
		}
		free(r->fte);
		uv_fs_group_put(dev, r->table, r->group);
	}
	r->table->n_rules--;
	dev->fs->n_rules--;
	uv_fs_table_put(dev, r->table);
	free(r);
}

unsigned uv_fs_count_rules(const struct uv_dev *dev)
{
	return dev->fs ? dev->fs->n_rules : 0;
}

int uv_fs_open(struct uv_dev *dev)
{
	int rc;

	dev->fs = calloc(1, sizeof(*dev->fs));
	if (!dev->fs)
		return -ENOMEM;
	rc = uv_cmd_table_create(dev, KERNEL_LEVEL, 0, NULL, &dev->fs->end);
	return rc ? rc : uv_cmd_root_set(dev, dev->fs->end);
}

/* Called only when opening a device failed. Otherwise the memory lives as long as the process. */
void uv_fs_close(struct uv_dev *dev)
{
	free(dev->fs);
	dev->fs = NULL;
}
