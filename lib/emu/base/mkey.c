/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/mkey.h"

#include <stdlib.h>

#include "emu/base/profile.h"

uint8_t *emu_mkey_walk(struct emu *emu, uint32_t lkey, uint32_t pd, uint64_t addr, uint64_t bytes,
		       bool write, uint64_t *run)
{
	for (unsigned depth = 0;; depth++) {
		const struct emu_mkey *k = emu_obj_at(&emu->table[EMU_MKEY], lkey >> 8);
		uint8_t *at;

		if (!k || !emu_mkey_allows(k, lkey, pd, write))
			return NULL;
		if (k->length64) {
			*run = bytes;
			return emu->ops->map(emu->host, addr, bytes, write);
		}
		addr -= k->start_addr; /* an address below the start wraps to one beyond the end */
		if (addr >= k->bytes || bytes > k->bytes - addr)
			return NULL;
		if (!k->klms) {
			at = emu_span_at(&k->span, addr, run);
			if (*run > bytes)
				*run = bytes;
			return at;
		}
		if (depth >= emu_cap(emu, max_indirection))
			return NULL;
		*run = emu_klm_find(k->klms, addr, &lkey, &addr);
		if (bytes > *run)
			bytes = *run;
	}
}

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
