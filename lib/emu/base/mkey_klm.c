/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/mkey_klm.h"

#include <stdlib.h>

static const struct emu_klm_block *find_block(const struct emu_klm_list *list, uint64_t off)
{
	uint32_t low = 0, high = list->n_blocks;

	while (high - low > 1) {
		const uint32_t middle = low + (high - low) / 2;

		if (list->blocks[middle].first <= off)
			low = middle;
		else
			high = middle;
	}
	return &list->blocks[low];
}

uint64_t emu_klm_find(const struct emu_klm_list *list, uint64_t off, uint32_t *key, uint64_t *addr)
{
	const struct emu_klm_block *b = find_block(list, off);
	const uint64_t cycle = (off - b->first) / b->cycle_bytes;
	const uint32_t in_cycle = (uint32_t)((off - b->first) % b->cycle_bytes);
	const struct emu_klm *e = &list->entries[b->entry];

	while (in_cycle - e->first >= e->bytes)
		e++;
	*key = e->key;
	*addr = e->addr + cycle * e->stride + (in_cycle - e->first);
	return e->bytes - (in_cycle - e->first);
}

void emu_klm_free(struct emu_klm_list *list)
{
	if (!list)
		return;
	free(list->blocks);
	free(list->entries);
	free(list);
}
