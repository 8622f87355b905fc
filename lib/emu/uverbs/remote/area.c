/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/remote/area.h"

#include <errno.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>

#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/remote/describe.h"

/*
 * An area's addresses differ from the caller's by a multiple of the largest huge page. So the area
 * can map every file in whole pages.
 */
#define LARGEST_PAGE (1ull << 30)
enum { PAGE = 4096 };

static int reserve_area(uint64_t addr, uint64_t bytes, struct uv_area *area)
{
	const uint64_t low = addr % LARGEST_PAGE,
		       room = low + bytes + 2 * LARGEST_PAGE; /* one for the last page */
	void *base = uv_real_mmap(NULL, room, PROT_NONE,
				  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (base == MAP_FAILED)
		return -ENOMEM;
	area->base = base;
	area->bytes = room;
	area->at = (((uintptr_t)base + LARGEST_PAGE - 1) & ~(LARGEST_PAGE - 1)) + low;
	return 0;
}

static uint64_t get_page_bytes(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type == HUGETLBFS_MAGIC ? (uint64_t)fs.f_bsize : PAGE;
}

/* @at: address of the first byte of the segment in this process */
static int map_segment(const struct uv_segment *s, int fd, uint64_t at, bool write)
{
	const uint64_t page = get_page_bytes(fd), skip = s->off % page,
		       bytes = (skip + s->bytes + page - 1) & ~(page - 1);
	void *to = (void *)(uintptr_t)(at - skip);

	return uv_real_mmap(to, bytes, PROT_READ | (write ? PROT_WRITE : 0), MAP_SHARED | MAP_FIXED,
			    fd, (off_t)(s->off - skip)) == MAP_FAILED
		       ? -EOPNOTSUPP
		       : 0;
}

/*
 * Maps the segments of an answer, which must lie in [addr + *done, addr + bytes), and adds their
 * bytes to @done. Return: 0 or -errno
 */
static int map_answer(const struct uv_rpc *answer, uint64_t addr, uint64_t bytes,
		      const struct uv_area *area, bool write, uint64_t *done)
{
	const struct uv_segment *s = answer->body;
	int rc = answer->rc;

	for (uint32_t i = 0; !rc && i < answer->bytes / sizeof(*s); i++) {
		if (s[i].addr != addr + *done || !s[i].bytes || s[i].bytes > bytes - *done ||
		    s[i].fd >= answer->n_fds)
			return -EPIPE;
		rc = map_segment(&s[i], answer->fd[s[i].fd], area->at + *done, write);
		*done += s[i].bytes;
	}
	return rc;
}

static int map_all(int sock, uint64_t addr, uint64_t bytes, bool write, const struct uv_area *area)
{
	uint64_t done = 0;
	int rc = 0;

	while (!rc && done < bytes) {
		struct uv_rpc m = { .kind = UV_RPC_DESCRIBE,
				    .arg = { addr + done, bytes - done, write } };
		const uint64_t before = done;

		rc = uv_rpc_send(sock, &m);
		if (!rc)
			rc = uv_rpc_receive(sock, &m);
		if (rc)
			return -EPIPE;
		rc = map_answer(&m, addr, bytes, area, write, &done);
		uv_rpc_clear(&m);
		if (!rc && done == before)
			rc = -EPIPE;
	}
	return rc;
}

int uv_area_map(int sock, uint64_t addr, uint64_t bytes, bool write, struct uv_area *area)
{
	const uint64_t first = addr & ~(uint64_t)(PAGE - 1),
		       end = (addr + bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	int rc = reserve_area(addr, bytes, area);

	if (rc)
		return rc;
	area->at -= addr - first;
	rc = map_all(sock, first, end - first, write, area);
	area->at += addr - first;
	if (rc)
		uv_real_munmap(area->base, area->bytes);
	return rc;
}
