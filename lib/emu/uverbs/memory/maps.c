/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/memory/maps.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/uverbs/base/libc.h"

enum { LONGEST_LINE = 4096 };

/*
 * Returns the text of /proc/self/maps, or NULL; the caller frees it. Reads without stdio, because
 * the file of a DPDK process has thousands of lines.
 */
static char *read_maps(void)
{
	size_t room = 1 << 16, used = 0;
	const int fd = uv_real_open("/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
	char *buf = fd < 0 ? NULL : malloc(room);

	while (buf) {
		const ssize_t n = read(fd, buf + used, room - used - 1);

		if (n <= 0)
			break;
		used += (size_t)n;
		if (room - used < LONGEST_LINE) {
			char *more = realloc(buf, room *= 2);

			if (!more) {
				free(buf);
				buf = NULL;
				break;
			}
			buf = more;
		}
	}
	if (fd >= 0)
		uv_real_close(fd);
	if (buf)
		buf[used] = '\0';
	return buf;
}

/*
 * The lines are "start-end rwxp ...", in ascending order. Memory with "w" counts as readable even
 * without "r", because processors have no write-only pages.
 */
bool uv_maps_cover(uint64_t addr, uint64_t bytes, bool write)
{
	const uint64_t end = addr + bytes;
	char *maps = read_maps();
	const char *p = maps;

	while (p && *p && addr < end) {
		char *at;
		const uint64_t lo = strtoull(p, &at, 16), hi = strtoull(at + 1, &at, 16);

		if (lo > addr)
			break;
		if (hi > addr) {
			if (at[2] != 'w' && (write || at[1] != 'r'))
				break;
			addr = hi;
		}
		p = strchr(at, '\n');
		if (p)
			p++;
	}
	free(maps);
	return addr >= end;
}
