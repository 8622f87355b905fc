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
 * A span is a list of device pages with their host addresses. A command that registers pages (of a
 * umem, an mkey or a queue) translates them once. The device accesses queue buffers, doorbell
 * records and packets through spans. Only packets of a physical mkey (length64) have no span.
 *
 *     offset in the span:    0 ............ bytes
 *     pages[0]  |####xxxxxxxx|  first = bytes of pages[0] before offset 0
 *     pages[1]  |xxxxxxxxxxxx|
 *     pages[n]  |xxx.........|
 *
 * flat is pages[0] + first if all pages are contiguous in host memory, else NULL.
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

/** emu_span_at - host address of offset @off; @run receives the number of contiguous bytes */
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

/** emu_span_ptr - host address of a WQEBB, a CQE or a record, none of which straddles a page */
static inline void *emu_span_ptr(const struct emu_span *s, uint64_t off)
{
	uint64_t run;

	return emu_span_at(s, off, &run);
}

/* DMA address of an absent page; emu_span_at() returns NULL for its bytes */
#define EMU_DMA_ABSENT UINT64_MAX

/**
 * emu_span_map - translate a list of device pages
 * @emu: the function
 * @s: receives the span; emu_span_drop() frees it
 * @want: geometry of the span: page_shift, first, bytes (not 0) and write
 * @dma_of: returns the DMA address of page @i of @list, or EMU_DMA_ABSENT
 * @list: first argument of @dma_of
 *
 * Return: 0, -EFAULT if the host does not map a byte or denies the access, -ENOMEM
 */
int emu_span_map(struct emu *emu, struct emu_span *s, const struct emu_span *want,
		 uint64_t (*dma_of)(const void *list, uint32_t i), const void *list);

/** emu_span_slice - make @s a view of [off, off + bytes) of @of, which must outlive it */
void emu_span_slice(struct emu_span *s, const struct emu_span *of, uint64_t off, uint64_t bytes);

/** emu_span_skip - cut off the first @bytes bytes (not all); @s is not a slice */
void emu_span_skip(struct emu_span *s, uint64_t bytes);

/** emu_span_drop - free the tables of a span and zero it; a slice (dma is NULL) owns none */
void emu_span_drop(struct emu_span *s);

/** emu_span_has - whether host address @at is in the span */
bool emu_span_has(const struct emu_span *s, const uint8_t *at);

/** emu_span_forget - make the pages with DMA addresses in [addr, addr + bytes) absent */
void emu_span_forget(struct emu_span *s, uint64_t addr, uint64_t bytes);
/**
 * emu_span_forget_slice - emu_span_forget() for a span that may be a slice
 * @s: a slice of @of, or a span with pages of its own
 * @of: the owner of the pages, after its own emu_span_forget(); NULL if @s is not a slice
 *
 * A slice shares the page table of @of, but has its own flat pointer, which is cleared if @of is no
 * longer flat.
 */
void emu_span_forget_slice(struct emu_span *s, const struct emu_span *of, uint64_t addr,
			   uint64_t bytes);

#endif
