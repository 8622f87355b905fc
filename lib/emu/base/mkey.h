/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_MKEY_H
#define EMU_BASE_MKEY_H

#include <stdint.h>

#include "emu/base/dev.h"
#include "emu/base/span.h"

/** struct emu_umem - memory of queues and mkeys, registered by CREATE_UMEM */
struct emu_umem {
	struct emu_obj obj;
	struct emu_span span;
};

struct emu_pd {
	struct emu_obj obj;
};

/** struct emu_mkey - address translation with access rights; its lkey is obj.id << 8 | tag */
struct emu_mkey {
	struct emu_obj obj;
	struct emu_span span; /* offset 0 of the span is start_addr */
	uint64_t start_addr, bytes;
	uint32_t pd;
	uint8_t tag; /* mkey_7_0 */
	bool lr, lw, rr, rw, free;
	bool blocked;          /* an access to its memory has just faulted (queue/lost.h) */
	bool length64;         /* covers all addresses; an address is a DMA address */
	struct emu_umem *umem; /* owner of the pages of span, with a reference; or NULL */
	uint64_t *list;        /* with umr_en: n_list page entries that UMR WQEs wrote */
	uint32_t n_list;
	struct emu_klm_list *klms; /* list of an indirect mkey, which has no span; or NULL */
	struct prm_mkc ctx;        /* the context that QUERY_MKEY returns */
};

/**
 * emu_mkey_walk - the general case of emu_mkey_at(), for every kind of mkey
 *
 * Follows a chain of at most max_indirection (a capability) indirect mkeys.
 *
 * PRM-MISSING: the device checks every mkey on the way (entries of a KLM list have no access rights
 * of their own). mlx5_ib gives an implicit MR and the mkeys in its list the same rights,
 * implicit_get_child_mr.
 */
uint8_t *emu_mkey_walk(struct emu *emu, uint32_t lkey, uint32_t pd, uint64_t addr, uint64_t bytes,
		       bool write, uint64_t *run);

/** emu_mkey_allows - whether a queue of @pd may access memory of @k with the key @lkey */
static inline bool emu_mkey_allows(const struct emu_mkey *k, uint32_t lkey, uint32_t pd, bool write)
{
	return k->tag == (uint8_t)lkey && k->pd == pd && !(k->free | k->blocked) &&
	       (write ? k->lw : k->lr);
}

/**
 * emu_mkey_at - translate an address of a data segment, and check the right to use it
 * @emu: the function
 * @lkey: key of the data segment
 * @pd: PD of the queue
 * @addr: address of the data segment
 * @bytes: length of the access; the mkey must cover all of it
 * @write: true if the device writes (receive)
 * @run: receives how many of @bytes are contiguous in host memory; call again for the rest
 *
 * Return: the host address, or NULL if the mkey does not exist or is free; if the tag, PD, range or
 * access right is wrong; if the chain of indirect mkeys is too long; or if the page is not mapped,
 * or an access to it has just faulted
 */
static inline uint8_t *emu_mkey_at(struct emu *emu, uint32_t lkey, uint32_t pd, uint64_t addr,
				   uint64_t bytes, bool write, uint64_t *run)
{
	const struct emu_mkey *k = emu_obj_at(&emu->table[EMU_MKEY], lkey >> 8);

	/* the common case: contiguous pages. Only a direct mkey has a flat span */
	if (k && k->span.flat && emu_mkey_allows(k, lkey, pd, write)) {
		/* an address below the start wraps to one beyond the end */
		const uint64_t off = addr - k->start_addr;

		if (off < k->bytes && bytes <= k->bytes - off) {
			const uint64_t left = k->span.bytes - off;

			*run = left < bytes ? left : bytes;
			return k->span.flat + off;
		}
	}
	return emu_mkey_walk(emu, lkey, pd, addr, bytes, write, run);
}

/**
 * DOC: The list of an indirect mkey
 *
 * A list is a sequence of blocks. A block is a cycle of pieces, one piece per entry, repeated once
 * or more. A plain KLM or KSM entry is a block of one cycle with one piece. The list holds no
 * references: an mkey that it names can be destroyed, and accesses through its entries then fail.
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
 * emu_klm_find - find the piece that contains byte @off of a list
 * @off: less than @list->bytes
 * @key: receives the mkey of the piece
 * @addr: receives the address of the byte in that mkey
 *
 * Return: number of bytes from @addr to the end of the piece
 */
uint64_t emu_klm_find(const struct emu_klm_list *list, uint64_t off, uint32_t *key, uint64_t *addr);

void emu_klm_free(struct emu_klm_list *list);

#endif
