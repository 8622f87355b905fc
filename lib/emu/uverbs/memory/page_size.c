/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/memory/page_size.h"

enum { PAGE = 4096, MAX_LOG_PAGE = 31 /* mkc.log_page_size has 5 bits */ };

/*
 * Returns the largest page size up to @page that divides both address and length, or 4 KiB. Linux
 * requires such alignment for pages above 4 KiB. DMA memory of emu is contiguous, so nothing else
 * limits the page size.
 */
static uint64_t shrink_page(uint64_t addr, uint64_t bytes, uint64_t page)
{
	while (page > PAGE && (addr % page || bytes % page))
		page /= 2;
	return page;
}

uint64_t uv_choose_umem_page(uint64_t addr, uint64_t bytes, uint64_t bitmap)
{
	uint64_t top = PAGE;

	while (top < bytes)
		top *= 2;
	bitmap &= (top * 2 - 1) & ~(uint64_t)(PAGE - 1);
	if (!bitmap)
		return 0;
	return shrink_page(addr, bytes, 1ull << (63 - __builtin_clzll(bitmap)));
}

uint64_t uv_choose_mr_page(uint64_t addr, uint64_t bytes, uint64_t iova)
{
	uint64_t page = 1ull << MAX_LOG_PAGE;

	while (page > PAGE && (addr ^ iova) % page)
		page /= 2;
	if ((addr ^ iova) % PAGE)
		return 0;
	return shrink_page(addr, bytes, page);
}

uint64_t uv_count_pages(uint64_t addr, uint64_t bytes, uint64_t page)
{
	return (addr % page + bytes + page - 1) / page;
}
