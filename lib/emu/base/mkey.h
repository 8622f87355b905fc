/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_MKEY_H
#define EMU_BASE_MKEY_H

#include "emu/base/obj.h"
#include "emu/base/span.h"

/** struct emu_umem - registered memory for queues. CREATE_UMEM */
struct emu_umem {
	struct emu_obj obj;
	struct emu_span span;
};

/** struct emu_pd - protection domain */
struct emu_pd {
	struct emu_obj obj;
};

/** struct emu_mkey - a translation and what it allows. Number obj.id; lkey = id << 8 | tag */
struct emu_mkey {
	struct emu_obj obj;
	struct emu_span span; /* offset 0 is start_addr */
	uint64_t start_addr, bytes;
	uint32_t pd;
	uint8_t tag; /* mkey_7_0 */
	bool lr, lw, rr, rw, free;
	bool length64;         /* whole address space, DMA address = address */
	struct emu_umem *umem; /* or NULL; holds a reference; span then borrows its pages */
	uint64_t *list;        /* umr_en: its list of pages as UMRs wrote it, n_list entries */
	uint32_t n_list;
	struct prm_mkc ctx; /* as created, for QUERY_MKEY */
};

/**
 * emu_mkey_at - host address behind an lkey; the data path's address check
 * @emu: the function
 * @lkey: from a data segment
 * @pd: of the queue
 * @addr: from the data segment
 * @bytes: wanted; all of them must be covered
 * @write: the device writes (receive)
 * @run: receives how many of @bytes lie there in one piece (the rest: call again)
 *
 * Return: the address, or NULL: no such key, wrong tag, PD, range or access
 */
uint8_t *emu_mkey_at(struct emu *emu, uint32_t lkey, uint32_t pd, uint64_t addr, uint64_t bytes,
		     bool write, uint64_t *run);

#endif
