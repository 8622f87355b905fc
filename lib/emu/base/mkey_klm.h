/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_MKEY_KLM_H
#define EMU_BASE_MKEY_KLM_H

#include <stdint.h>

/**
 * DOC: The list of an indirect mkey
 *
 * A list is a row of blocks. A block repeats the pieces of its entries in cycles. A plain KLM or
 * KSM entry is a block of one cycle with one piece. The list refers to mkeys by number only, so an
 * mkey that entries name can be destroyed. An access through such an entry then fails.
 *
 *     offset in the mkey:  0 ...................... bytes
 *     block 0              | p0 |
 *     block 1                   | p0 p1 | p0 p1 | p0 p1 |     three cycles of two pieces
 */

/** struct emu_klm - a piece: @bytes at @addr of mkey @key */
struct emu_klm {
	uint64_t addr;
	uint32_t key, bytes;
	uint32_t first; /* offset of the piece in its cycle */
	uint16_t stride;
};

/** struct emu_klm_block - @n_entries pieces, which repeat every @cycle_bytes */
struct emu_klm_block {
	uint64_t first; /* offset of the block in the list */
	uint32_t cycle_bytes, entry, n_entries;
};

/** struct emu_klm_list - blocks in the order of their offsets, and the entries of all blocks */
struct emu_klm_list {
	uint64_t bytes;
	uint32_t n_blocks, n_entries;
	struct emu_klm_block *blocks;
	struct emu_klm *entries;
};

/**
 * emu_klm_find - find the piece that has byte @off of a list
 * @off: less than @list->bytes
 * @key: receives the mkey of the piece
 * @addr: receives the address of the byte in that mkey
 *
 * Return: number of bytes from @addr to the end of the piece
 */
uint64_t emu_klm_find(const struct emu_klm_list *list, uint64_t off, uint32_t *key, uint64_t *addr);

/** emu_klm_free - free a list, or NULL */
void emu_klm_free(struct emu_klm_list *list);

#endif
