/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_MEMORY_MAPS_H
#define EMU_UVERBS_MEMORY_MAPS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * uv_maps_cover - tell whether the process has mapped every byte of [addr, addr + bytes)
 * @write: true: only writable mappings count; false: readable ones too
 */
bool uv_maps_cover(uint64_t addr, uint64_t bytes, bool write);

#endif
