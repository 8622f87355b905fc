/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_MEMORY_PAGE_SIZE_H
#define EMU_UVERBS_MEMORY_PAGE_SIZE_H

#include <stdint.h>

/** uv_choose_umem_page - page size for a DEVX umem, as devx_umem_find_best_pgsize. 0: none fits */
uint64_t uv_choose_umem_page(uint64_t addr, uint64_t bytes, uint64_t bitmap);
/** uv_choose_mr_page - page size for an MR seen at @iova. 0: they differ within a page */
uint64_t uv_choose_mr_page(uint64_t addr, uint64_t bytes, uint64_t iova);

/** uv_count_pages - pages of @page bytes that the range touches */
uint64_t uv_count_pages(uint64_t addr, uint64_t bytes, uint64_t page);

#endif
