/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/base/span.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/dev.h"

/* Returns how many bytes of page @i belong to the span. @skip: bytes of the page before it. */
static uint64_t count_covered_bytes(const struct emu_span *s, uint32_t i, uint64_t *skip)
{
	const uint64_t page = 1ull << s->page_shift, end = s->first + s->bytes;

	*skip = i ? 0 : s->first;
	return (end - i * page < page ? end - i * page : page) - *skip;
}

/* Counts the pages from @i on with consecutive DMA addresses. @bytes: their bytes in the span. */
static uint32_t count_neighbours(const struct emu_span *s, uint32_t i, uint64_t *bytes)
{
	uint64_t skip;
	uint32_t n = 1;

	*bytes = count_covered_bytes(s, i, &skip);
	while (s->dma[i] != EMU_DMA_ABSENT && i + n < s->n_pages &&
	       s->dma[i + n] == s->dma[i] + ((uint64_t)n << s->page_shift)) {
		uint64_t none;

		*bytes += count_covered_bytes(s, i + n, &none);
		n++;
	}
	return n;
}

/* Asks the host for all @n pages at once, so that the span can be flat; else page by page. */
static bool map_run(struct emu *emu, struct emu_span *s, uint32_t i, uint32_t n, uint64_t bytes)
{
	uint64_t skip;
	uint8_t *at;

	count_covered_bytes(s, i, &skip);
	at = emu->ops->map(emu->host, s->dma[i] + skip, bytes, s->write);
	if (at) {
		for (uint32_t k = 0; k < n; k++)
			s->pages[i + k] = at - skip + ((uint64_t)k << s->page_shift);
		return true;
	}
	for (uint32_t k = 0; n > 1 && k < n; k++) {
		const uint64_t page_bytes = count_covered_bytes(s, i + k, &skip);

		at = emu->ops->map(emu->host, s->dma[i + k] + skip, page_bytes, s->write);
		if (!at)
			return false;
		s->pages[i + k] = at - skip;
	}
	return n > 1;
}

static bool is_flat(const struct emu_span *s)
{
	if (!s->pages[0])
		return false;
	for (uint32_t i = 1; i < s->n_pages; i++)
		if (s->pages[i] != s->pages[0] + ((uint64_t)i << s->page_shift))
			return false;
	return true;
}

int emu_span_map(struct emu *emu, struct emu_span *s, const struct emu_span *want,
		 uint64_t (*dma_of)(const void *list, uint32_t i), const void *list)
{
	*s = *want;
	s->flat = NULL;
	s->n_pages =
		(uint32_t)((s->first + s->bytes + (1ull << s->page_shift) - 1) >> s->page_shift);
	s->pages = calloc(s->n_pages, sizeof(*s->pages));
	s->dma = calloc(s->n_pages, sizeof(*s->dma));
	if (!s->pages || !s->dma) {
		emu_span_drop(s);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < s->n_pages; i++)
		s->dma[i] = dma_of(list, i);
	for (uint32_t i = 0, n; i < s->n_pages; i += n) {
		uint64_t bytes;

		n = count_neighbours(s, i, &bytes);
		if (s->dma[i] != EMU_DMA_ABSENT && !map_run(emu, s, i, n, bytes)) {
			emu_span_drop(s);
			return -EFAULT;
		}
	}
	if (is_flat(s))
		s->flat = s->pages[0] + s->first;
	return 0;
}

void emu_span_slice(struct emu_span *s, const struct emu_span *of, uint64_t off, uint64_t bytes)
{
	*s = *of;
	s->dma = NULL;
	s->first = of->first + off;
	s->bytes = bytes;
	if (of->flat)
		s->flat = of->flat + off;
}

void emu_span_skip(struct emu_span *s, uint64_t bytes)
{
	const uint64_t at = s->first + bytes;
	const uint32_t whole = (uint32_t)(at >> s->page_shift);

	s->n_pages -= whole;
	memmove(s->pages, s->pages + whole, s->n_pages * sizeof(*s->pages));
	memmove(s->dma, s->dma + whole, s->n_pages * sizeof(*s->dma));
	s->first = at & ((1ull << s->page_shift) - 1);
	s->bytes -= bytes;
	if (s->flat)
		s->flat += bytes;
}

void emu_span_drop(struct emu_span *s)
{
	if (s->dma)
		free(s->pages);
	free(s->dma);
	*s = (struct emu_span){ 0 };
}

static bool is_within(const uint8_t *at, const uint8_t *from, uint64_t bytes)
{
	return at >= from && (uint64_t)(at - from) < bytes;
}

bool emu_span_has(const struct emu_span *s, const uint8_t *at)
{
	const uint64_t page = 1ull << s->page_shift, end = s->first + s->bytes;

	if (s->flat)
		return is_within(at, s->flat, s->bytes);
	for (uint32_t i = 0; i < s->n_pages; i++) {
		const uint64_t from = i * page > s->first ? i * page : s->first;
		const uint64_t to = (i + 1) * page < end ? (i + 1) * page : end;

		if (from < to && s->pages[i] &&
		    is_within(at, s->pages[i] + (from - i * page), to - from))
			return true;
	}
	return false;
}

void emu_span_forget(struct emu_span *s, uint64_t addr, uint64_t bytes)
{
	for (uint32_t i = 0; s->dma && i < s->n_pages; i++) {
		uint64_t skip;
		const uint64_t n = count_covered_bytes(s, i, &skip), at = s->dma[i] + skip;

		if (at < addr + bytes && addr < at + n) {
			s->pages[i] = NULL;
			s->flat = NULL;
		}
	}
}

void emu_span_forget_slice(struct emu_span *s, const struct emu_span *of, uint64_t addr,
			   uint64_t bytes)
{
	if (of && !of->flat)
		s->flat = NULL;
	emu_span_forget(s, addr, bytes);
}
