/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/memory/maps.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/uverbs/base/libc.h"

enum { ROOM = 1 << 14 }; /* bytes; a line has at most 4096 and a few */

/* State of uv_maps_cover(): memory up to @at is covered; @end of the range. */
struct cover {
	uint64_t at, end;
	bool write;
};

/*
 * Takes a line "start-end rwxp ...". Memory with "w" counts as readable even without "r", because
 * processors have no write-only pages. Returns false if the later lines do not matter.
 */
static bool take_line(struct cover *c, const char *line)
{
	char *p;
	const uint64_t lo = strtoull(line, &p, 16), hi = strtoull(p + 1, &p, 16);

	if (lo > c->at)
		return false;
	if (hi > c->at) {
		if (p[2] != 'w' && (c->write || p[1] != 'r'))
			return false;
		c->at = hi;
	}
	return c->at < c->end;
}

/*
 * Reads /proc/self/maps without stdio and only as far as necessary: the file of a DPDK process has
 * thousands of lines, in ascending order, and its packet memory is in the first of them.
 */
static void read_maps(struct cover *c, int fd)
{
	char buf[ROOM];
	size_t used = 0;
	ssize_t n;

	while ((n = read(fd, buf + used, sizeof(buf) - used - 1)) > 0) {
		char *line = buf, *end;

		buf[used + (size_t)n] = '\0';
		for (; (end = strchr(line, '\n')); line = end + 1)
			if (!take_line(c, line))
				return;
		used = strlen(line);
		memmove(buf, line, used);
	}
}

bool uv_maps_cover(uint64_t addr, uint64_t bytes, bool write)
{
	struct cover c = { addr, addr + bytes, write };
	const int fd = uv_real_open("/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);

	if (fd < 0)
		return false;
	if (c.at < c.end)
		read_maps(&c, fd);
	uv_real_close(fd);
	return c.at >= c.end;
}
