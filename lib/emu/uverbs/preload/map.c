/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interposed mmap and munmap: UAR pages and the clock page of uverbs files.
 */
#include <errno.h>
#include <sys/mman.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/base/mapping.h"
#include "emu/uverbs/device/clock.h"
#include "emu/uverbs/files/file.h"
#include "emu/uverbs/objects/uar.h"
#include "emu/uverbs/preload/descriptor.h"
#include "emu/uverbs/remote/client.h"

/** struct map_call - the arguments of mmap() */
struct map_call {
	void *addr;
	size_t bytes;
	int prot, flags, fd;
	off_t off;
};

static void *map_really(const struct map_call *c)
{
	return REAL(mmap)(c->addr, c->bytes, c->prot, c->flags, c->fd, c->off);
}

/* Checks the mapping here, or in the process that has the context. Return: 0 or -errno */
static int check_page(const struct uv_file *file, const struct map_call *c, bool clock)
{
	if (file->remote)
		return uv_remote_check_map(c->fd, (uint64_t)c->off, c->bytes, c->prot, c->flags);
	return clock ? uv_clock_check_map(file, c->bytes, c->prot, c->flags)
		     : uv_uar_check_map(file, (uint64_t)c->off, c->bytes, c->flags);
}

/* Maps a UAR page or the clock page to *@at. Return: 0 or -errno */
static int map_page(struct uv_file *file, const struct map_call *c, void **at)
{
	const bool clock = uv_clock_has_offset((uint64_t)c->off);
	int rc;

	uv_front.n_mmaps++;
	if (uv_front_count_down(&uv_front.fail_mmap))
		return -uv_front.fail_mmap_errno;
	rc = check_page(file, c, clock);
	if (rc)
		return rc;
	*at = clock ? uv_clock_map(c->addr, c->prot, c->flags) : map_really(c);
	rc = *at == MAP_FAILED ? -errno : uv_mapping_add(file, *at, (uint64_t)c->off);
	if (rc && *at != MAP_FAILED)
		uv_real_munmap(*at, c->bytes);
	if (rc)
		uv_remote_unmapped(file, (uint64_t)c->off);
	return rc;
}

/* A mapping with MAP_FIXED that replaces a UAR page unmaps that page. */
static void forget_replaced(const struct map_call *c)
{
	if (!(c->flags & MAP_FIXED) || !uv_mapping_exists_in(c->addr, c->bytes))
		return;
	uv_front_lock();
	uv_mapping_remove_in(c->addr, c->bytes, uv_remote_unmapped);
	uv_front_unlock();
}

static void *map_file(const struct map_call *c)
{
	struct uv_file *file = NULL;
	void *at = MAP_FAILED;
	int rc = -ENODEV;

	if (!(c->flags & MAP_ANONYMOUS) && uv_descriptor_is_uverbs(c->fd)) {
		uv_front_lock();
		file = uv_file_add_remote(c->fd);
		if (file)
			rc = map_page(file, c, &at);
		uv_front_unlock();
	}
	if (!file) {
		at = map_really(c);
		if (at != MAP_FAILED)
			forget_replaced(c);
		return at;
	}
	if (rc)
		errno = -rc;
	return rc ? MAP_FAILED : at;
}

EXPORT void *mmap(void *addr, size_t bytes, int prot, int flags, int fd, off_t off)
{
	return map_file(&(struct map_call){ addr, bytes, prot, flags, fd, off });
}

EXPORT void *mmap64(void *addr, size_t bytes, int prot, int flags, int fd, off_t off)
{
	return map_file(&(struct map_call){ addr, bytes, prot, flags, fd, off });
}

EXPORT int munmap(void *addr, size_t bytes)
{
	const bool ours = uv_mapping_exists_in(addr, bytes);
	const int rc = REAL(munmap)(addr, bytes);

	if (!ours || rc)
		return rc;
	uv_front_lock();
	uv_mapping_remove_in(addr, bytes, uv_remote_unmapped);
	uv_front_unlock();
	uv_descriptor_reap();
	return rc;
}
