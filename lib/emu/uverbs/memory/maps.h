/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_MEMORY_MAPS_H
#define EMU_UVERBS_MEMORY_MAPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/** struct uv_map - a mapping of this process, as /proc/self/maps shows it */
struct uv_map {
	uint64_t start, end;
	bool read, write, shared;
	uint64_t off; /* offset of @start in the file */
	dev_t dev;    /* device of the file; @dev and @ino are 0 without a file */
	ino_t ino;
	const char *path; /* path of the file, or "" */
};

/**
 * uv_maps_walk - call @take for the mappings that touch [addr, addr + bytes), in ascending order
 * @take: returns false to end the walk; @map is valid only during the call
 */
void uv_maps_walk(uint64_t addr, uint64_t bytes, bool (*take)(const struct uv_map *map, void *arg),
		  void *arg);

/**
 * uv_maps_cover - check whether the process has mapped every byte of [addr, addr + bytes)
 * @write: true: the mappings must be writable; false: readable
 */
bool uv_maps_cover(uint64_t addr, uint64_t bytes, bool write);

#endif
