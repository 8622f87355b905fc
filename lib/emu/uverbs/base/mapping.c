/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/base/mapping.h"

#include <errno.h>

/*
 * A table, because munmap() reads it without a lock: core and engine call munmap() too, while they
 * hold locks. n_slots only grows.
 */
enum { MAX_MAPPINGS = 8192 };

static struct uv_mapping {
	uintptr_t addr; /* 0: free */
	uint64_t off;
	struct uv_file *file;
} mappings[MAX_MAPPINGS];
static unsigned n_slots;

static bool lies_in(unsigned i, const void *addr, size_t bytes)
{
	const uintptr_t at = __atomic_load_n(&mappings[i].addr, __ATOMIC_RELAXED);

	return at && at - (uintptr_t)addr < bytes;
}

int uv_mapping_add(struct uv_file *file, const void *addr, uint64_t off)
{
	unsigned i = 0;

	while (i < n_slots && mappings[i].addr)
		i++;
	if (i == MAX_MAPPINGS)
		return -ENOMEM;
	mappings[i].file = file;
	mappings[i].off = off;
	__atomic_store_n(&mappings[i].addr, (uintptr_t)addr, __ATOMIC_RELAXED);
	if (i == n_slots)
		__atomic_store_n(&n_slots, i + 1, __ATOMIC_RELEASE);
	file->n_mappings++;
	return 0;
}

bool uv_mapping_has_offset(const struct uv_file *file, uint64_t off)
{
	for (unsigned i = 0; i < n_slots; i++)
		if (mappings[i].addr && mappings[i].file == file && mappings[i].off == off)
			return true;
	return false;
}

bool uv_mapping_exists_in(const void *addr, size_t bytes)
{
	const unsigned n = __atomic_load_n(&n_slots, __ATOMIC_ACQUIRE);

	for (unsigned i = 0; i < n; i++)
		if (lies_in(i, addr, bytes))
			return true;
	return false;
}

void uv_mapping_remove_in(const void *addr, size_t bytes)
{
	for (unsigned i = 0; i < n_slots; i++) {
		if (lies_in(i, addr, bytes)) {
			__atomic_store_n(&mappings[i].addr, 0, __ATOMIC_RELAXED);
			mappings[i].file->n_mappings--;
		}
	}
}
