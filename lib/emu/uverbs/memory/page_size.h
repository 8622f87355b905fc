/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_MEMORY_PAGE_SIZE_H
#define EMU_UVERBS_MEMORY_PAGE_SIZE_H

#include <stdint.h>

/**
 * uv_choose_umem_page - choose the page size of a DEVX umem, as Linux' devx_umem_find_best_pgsize
 * @bitmap: bit n: 2^n bytes are allowed
 *
 * Return: page size in bytes, which may be below all allowed sizes if the address or the length is
 * no multiple of them; 0: every allowed size is below 4 KiB or larger than the umem needs
 */
uint64_t uv_choose_umem_page(uint64_t addr, uint64_t bytes, uint64_t bitmap);
/**
 * uv_choose_mr_page - choose the page size of an MR
 * @iova: address by which the device accesses @addr
 *
 * Return: page size in bytes; 0: @addr and @iova differ in the offset inside a page of 4 KiB
 */
uint64_t uv_choose_mr_page(uint64_t addr, uint64_t bytes, uint64_t iova);

/** uv_count_pages - number of pages of @page bytes that [addr, addr + bytes) touches */
uint64_t uv_count_pages(uint64_t addr, uint64_t bytes, uint64_t page);

#endif
