/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_SPAN_H
#define EMU_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct emu;

/**
 * DOC: Memory as the device sees it
 *
 * A span is a list of device pages, translated to host memory once: by CREATE_UMEM, by
 * CREATE_MKEY, or by the PAS list of a queue. Queue buffers, doorbell records and packets
 * are all reached through spans.
 *
 *     offset in the range:   0 ............ bytes
 *     pages[0]  |####xxxxxxxx|  first = bytes of pages[0] before offset 0
 *     pages[1]  |xxxxxxxxxxxx|
 *     pages[n]  |xxx.........|
 *
 * flat is pages[0] + first when the host has all pages in one piece: then no table is read.
 */
struct emu_span {
	uint8_t *flat;
	uint8_t **pages;
	uint64_t *dma; /* DMA address of each page, for emu_invalidate(); NULL in a slice */
	uint32_t n_pages;
	uint8_t page_shift;
	bool write;
	uint64_t first, bytes;
};

/** emu_span_at - host address of offset @off; @run: how many bytes lie there in one piece */
static inline uint8_t *emu_span_at(const struct emu_span *s, uint64_t off, uint64_t *run)
{
	if (s->flat) {
		*run = s->bytes - off;
		return s->flat + off;
	}
	const uint64_t at = off + s->first, page = at >> s->page_shift;
	const uint64_t in = at & ((1ull << s->page_shift) - 1);

	*run = (1ull << s->page_shift) - in;
	if (*run > s->bytes - off)
		*run = s->bytes - off;
	return s->pages[page] ? s->pages[page] + in : NULL;
}

/** emu_span_ptr - as emu_span_at, for something that never straddles a page (WQEBB, CQE, record) */
static inline void *emu_span_ptr(const struct emu_span *s, uint64_t off)
{
	uint64_t run;

	return emu_span_at(s, off, &run);
}

/* DMA address of a page that is not there: emu_span_at() gives NULL for it */
#define EMU_DMA_ABSENT UINT64_MAX

/**
 * emu_span_map - translate a list of device pages
 * @emu: the function
 * @s: receives the span; emu_span_drop() frees it
 * @want: page_shift, first, bytes (not 0) and write are read
 * @dma_of: DMA address of page @i of @list, for as many pages as first + bytes need; or
 *	EMU_DMA_ABSENT
 * @list: for dma_of
 *
 * Return: 0, -EFAULT if the host lacks a byte or access, -ENOMEM
 */
int emu_span_map(struct emu *emu, struct emu_span *s, const struct emu_span *want,
		 uint64_t (*dma_of)(const void *list, uint32_t i), const void *list);

/** emu_span_slice - [off, off + bytes) of @of, which owns the pages and must live longer */
void emu_span_slice(struct emu_span *s, const struct emu_span *of, uint64_t off, uint64_t bytes);

/** emu_span_skip - forget the first @bytes, fewer than it has, of a span that is no slice */
void emu_span_skip(struct emu_span *s, uint64_t bytes);

/** emu_span_drop - free what it owns and zero it; a slice (dma is NULL) owns nothing */
void emu_span_drop(struct emu_span *s);

/** emu_span_forget - DMA addresses [addr, addr + bytes) are gone: pages there become absent */
void emu_span_forget(struct emu_span *s, uint64_t addr, uint64_t bytes);
/**
 * emu_span_forget_slice - the same for a span that may be a slice of @of, or owns its pages
 * @of: the span that owns the pages, already made to forget them; or NULL
 *
 * A slice shares the pages of @of, and may not trust its own flat pointer any more.
 */
void emu_span_forget_slice(struct emu_span *s, const struct emu_span *of, uint64_t addr,
			   uint64_t bytes);

#endif
