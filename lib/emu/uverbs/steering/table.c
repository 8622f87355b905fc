/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/steering/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Source: Linux drivers/infiniband/hw/mlx5/fs.c, MLX5_FS_MAX_ENTRIES and MLX5_FS_MAX_TYPES. */
enum { MAX_LOG_ENTRIES = 16, N_BIG_GROUPS = 6 };

/* Returns the id of the first table after @slot, which may be the kernel's own. */
static uint32_t find_next_id(const struct uv_fs *fs, unsigned slot)
{
	while (++slot < UV_FS_N_SLOTS)
		if (fs->slot[slot])
			return fs->slot[slot]->id;
	return fs->end;
}

/* Connects table @id to the last table before @slot; if there is none, makes it the root. */
static int connect_previous(struct uv_dev *dev, unsigned slot, uint32_t id)
{
	while (slot-- > 0)
		if (dev->fs->slot[slot])
			return uv_cmd_table_set_miss(dev, dev->fs->slot[slot]->id, id);
	return uv_cmd_root_set(dev, id);
}

static uint8_t get_log_entries(const struct uv_dev *dev)
{
	const uint64_t cap =
		prm_get(prm_sub(&dev->flow, flow_table_properties_nic_receive), log_max_ft_size);

	return cap < MAX_LOG_ENTRIES ? (uint8_t)cap : MAX_LOG_ENTRIES;
}

int uv_fs_table_get(struct uv_dev *dev, unsigned slot, struct uv_fs_table **out)
{
	struct uv_fs *fs = dev->fs;
	struct uv_fs_table *t = fs->slot[slot];
	uint32_t next;
	int rc;

	*out = t;
	if (t)
		return 0;
	t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->slot = slot;
	t->log_size = get_log_entries(dev);
	next = find_next_id(fs, slot);
	rc = uv_cmd_table_create(dev, (uint8_t)slot, t->log_size, &next, &t->id);
	if (rc) {
		free(t);
		return rc;
	}
	rc = connect_previous(dev, slot, t->id);
	if (rc) {
		uv_cmd_table_destroy(dev, t->id);
		free(t);
		return rc;
	}
	*out = fs->slot[slot] = t;
	return 0;
}

void uv_fs_table_put(struct uv_dev *dev, struct uv_fs_table *t)
{
	if (t->n_rules)
		return;
	dev->fs->slot[t->slot] = NULL;
	connect_previous(dev, t->slot, find_next_id(dev->fs, t->slot));
	uv_cmd_table_destroy(dev, t->id);
	free(t);
}

/*
 * Finds the first gap of @size entries, and the list link where a group in that gap belongs.
 * Returns false if no gap is large enough.
 */
static bool find_hole(struct uv_fs_table *t, uint32_t size, uint32_t *first,
		      struct uv_fs_group ***at)
{
	*first = 0;
	for (*at = &t->groups; **at; *at = &(**at)->next) {
		if ((**at)->first - *first >= size)
			break;
		*first = (**at)->last + 1;
	}
	return *first + size <= 1u << t->log_size;
}

int uv_fs_group_create(struct uv_dev *dev, struct uv_fs_table *t, const struct uv_rule_spec *spec,
		       struct uv_fs_group **out)
{
	uint32_t size = t->n_groups < N_BIG_GROUPS ? (1u << t->log_size) / (N_BIG_GROUPS + 1) : 1;
	struct uv_fs_group **at, *g;
	uint32_t first;
	int rc;

	if (!size)
		size = 1;
	if (!find_hole(t, size, &first, &at))
		return -ENOSPC;
	g = calloc(1, sizeof(*g));
	if (!g)
		return -ENOMEM;
	g->first = first;
	g->last = first + size - 1;
	g->criteria_enable = spec->criteria_enable;
	g->mask = *spec->mask;
	rc = uv_cmd_group_create(dev, t->id, g->first, g->last, g->criteria_enable, &g->mask,
				 &g->id);
	if (rc) {
		free(g);
		return rc;
	}
	g->next = *at;
	*at = g;
	t->n_groups++;
	*out = g;
	return 0;
}

void uv_fs_group_put(struct uv_dev *dev, struct uv_fs_table *t, struct uv_fs_group *g)
{
	if (g->ftes)
		return;
	for (struct uv_fs_group **at = &t->groups; *at; at = &(*at)->next) {
		if (*at == g) {
			*at = g->next;
			break;
		}
	}
	t->n_groups--;
	uv_cmd_group_destroy(dev, t->id, g->id);
	free(g);
}

bool uv_fs_group_has_mask(const struct uv_fs_group *g, const struct uv_rule_spec *spec)
{
	return g->criteria_enable == spec->criteria_enable &&
	       !memcmp(&g->mask, spec->mask, sizeof(g->mask));
}

bool uv_fs_group_is_full(const struct uv_fs_group *g)
{
	uint32_t n = 0;

	for (const struct uv_fte *f = g->ftes; f; f = f->next)
		n++;
	return n > g->last - g->first;
}
