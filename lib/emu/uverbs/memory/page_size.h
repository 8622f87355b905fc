/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_MEMORY_PAGE_SIZE_H
#define EMU_UVERBS_MEMORY_PAGE_SIZE_H

#include <stdint.h>

/**
 * uv_choose_umem_page - choose the page size of a DEVX umem, as Linux' devx_umem_find_best_pgsize
 * @bitmap: bit n allows pages of 2^n bytes
 *
 * Return: page size in bytes, smaller than every allowed size if the range is not aligned to one;
 * 0: every allowed size is below 4 KiB or larger than the umem needs
 */
uint64_t uv_choose_umem_page(uint64_t addr, uint64_t bytes, uint64_t bitmap);
/**
 * uv_choose_mr_page - choose the page size of an MR
 * @iova: address by which the device accesses @addr
 *
 * Return: page size in bytes; 0: @addr and @iova have different offsets in a 4 KiB page
 */
uint64_t uv_choose_mr_page(uint64_t addr, uint64_t bytes, uint64_t iova);

/** uv_count_pages - count the pages of @page bytes that [addr, addr + bytes) touches */
uint64_t uv_count_pages(uint64_t addr, uint64_t bytes, uint64_t page);

#endif
