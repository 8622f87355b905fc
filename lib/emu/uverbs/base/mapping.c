/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/base/mapping.h"

#include <errno.h>

/*
 * The interposed munmap() reads this table without a lock, because the core and the engine call
 * munmap() while they hold locks. Therefore the table is an array, and n_slots never decreases.
 */
enum { MAX_MAPPINGS = 8192 };

#define ELSEWHERE UINTPTR_MAX /* not in any range of addresses */

static struct uv_mapping {
	uintptr_t addr;   /* 0: slot free; ELSEWHERE: mapped in the process @peer */
	const void *peer; /* NULL: this process */
	uint64_t off;
	struct uv_file *file;
} mappings[MAX_MAPPINGS];
static unsigned n_slots;

static bool lies_in(unsigned i, const void *addr, size_t bytes)
{
	const uintptr_t at = __atomic_load_n(&mappings[i].addr, __ATOMIC_RELAXED);

	return at && at - (uintptr_t)addr < bytes;
}

static int add_mapping(const void *peer, struct uv_file *file, uintptr_t addr, uint64_t off)
{
	unsigned i = 0;

	while (i < n_slots && mappings[i].addr)
		i++;
	if (i == MAX_MAPPINGS)
		return -ENOMEM;
	mappings[i].file = file;
	mappings[i].peer = peer;
	mappings[i].off = off;
	__atomic_store_n(&mappings[i].addr, addr, __ATOMIC_RELAXED);
	if (i == n_slots)
		__atomic_store_n(&n_slots, i + 1, __ATOMIC_RELEASE);
	file->n_mappings++;
	return 0;
}

int uv_mapping_add(struct uv_file *file, const void *addr, uint64_t off)
{
	return add_mapping(NULL, file, (uintptr_t)addr, off);
}

/* One other process may use a quarter of the table, all of them together half of it. */
static bool has_room(const void *peer)
{
	unsigned n = 0, n_of_peer = 0;

	for (unsigned i = 0; i < n_slots; i++) {
		if (!mappings[i].addr || !mappings[i].peer)
			continue;
		n++;
		n_of_peer += mappings[i].peer == peer;
	}
	return n_of_peer < MAX_MAPPINGS / 4 && n < MAX_MAPPINGS / 2;
}

int uv_mapping_add_of(const void *peer, struct uv_file *file, uint64_t off)
{
	return has_room(peer) ? add_mapping(peer, file, ELSEWHERE, off) : -ENOMEM;
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

static void free_slot(unsigned i)
{
	__atomic_store_n(&mappings[i].addr, 0, __ATOMIC_RELAXED);
	mappings[i].file->n_mappings--;
}

void uv_mapping_remove_in(const void *addr, size_t bytes,
			  void (*unmapped)(const struct uv_file *file, uint64_t off))
{
	for (unsigned i = 0; i < n_slots; i++) {
		if (!lies_in(i, addr, bytes))
			continue;
		free_slot(i);
		if (unmapped)
			unmapped(mappings[i].file, mappings[i].off);
	}
}

void uv_mapping_copy_to(const void *peer)
{
	const unsigned n = n_slots;

	for (unsigned i = 0; i < n; i++)
		if (mappings[i].addr && !mappings[i].peer)
			add_mapping(peer, mappings[i].file, ELSEWHERE, mappings[i].off);
}

void uv_mapping_remove_of(const void *peer, ino_t ino, uint64_t off)
{
	unsigned i = 0;

	while (i < n_slots && !(mappings[i].addr && mappings[i].peer == peer &&
				mappings[i].file->ino == ino && mappings[i].off == off))
		i++;
	if (i < n_slots)
		free_slot(i);
}

void uv_mapping_remove_all_of(const void *peer)
{
	for (unsigned i = 0; i < n_slots; i++)
		if (mappings[i].addr && mappings[i].peer == peer)
			free_slot(i);
}
