/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/memory/maps.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "emu/uverbs/base/libc.h"

enum { ROOM = 1 << 14 }; /* bytes; the longest line has a path of 4096 bytes */

/** struct walk - a walk over the mappings that touch [addr, end) */
struct walk {
	uint64_t addr, end;
	bool (*take)(const struct uv_map *map, void *arg);
	void *arg;
};

/* Parses "start-end rwxs offset major:minor inode path". */
static void parse_line(struct uv_map *m, const char *line)
{
	unsigned major_number;
	char *p;

	m->start = strtoull(line, &p, 16);
	m->end = strtoull(p + 1, &p, 16);
	m->read = p[1] == 'r';
	m->write = p[2] == 'w';
	m->shared = p[4] == 's';
	m->off = strtoull(p + 5, &p, 16);
	major_number = (unsigned)strtoul(p, &p, 16);
	m->dev = makedev(major_number, (unsigned)strtoul(p + 1, &p, 16));
	m->ino = strtoull(p, &p, 10);
	m->path = p + strspn(p, " ");
}

/* Returns false to end the walk. */
static bool take_line(const struct walk *w, const char *line)
{
	struct uv_map m;

	parse_line(&m, line);
	if (m.start >= w->end)
		return false;
	return m.end <= w->addr || w->take(&m, w->arg);
}

/*
 * Reads /proc/self/maps without stdio, and no further than necessary. In a DPDK process the file
 * has thousands of lines in ascending order, and the first ones describe packet memory.
 */
static void read_maps(const struct walk *w, int fd)
{
	char buf[ROOM];
	size_t used = 0;
	ssize_t n;

	while ((n = read(fd, buf + used, sizeof(buf) - used - 1)) > 0) {
		char *line = buf, *end;

		buf[used + (size_t)n] = '\0';
		for (; (end = strchr(line, '\n')); line = end + 1) {
			*end = '\0';
			if (!take_line(w, line))
				return;
		}
		used = strlen(line);
		memmove(buf, line, used);
	}
}

void uv_maps_walk(uint64_t addr, uint64_t bytes, bool (*take)(const struct uv_map *map, void *arg),
		  void *arg)
{
	const struct walk w = { addr, addr + bytes, take, arg };
	const int fd = uv_real_open("/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);

	if (fd < 0)
		return;
	read_maps(&w, fd);
	uv_real_close(fd);
}

/* State of uv_maps_cover(): memory up to @at is covered. */
struct cover {
	uint64_t at;
	bool write;
};

/* Writable memory counts as readable even without "r": processors have no write-only pages. */
static bool take_cover(const struct uv_map *m, void *arg)
{
	struct cover *c = arg;

	if (m->start > c->at || !(m->write || (m->read && !c->write)))
		return false;
	c->at = m->end;
	return true;
}

bool uv_maps_cover(uint64_t addr, uint64_t bytes, bool write)
{
	struct cover c = { addr, write };

	uv_maps_walk(addr, bytes, take_cover, &c);
	return c.at >= addr + bytes;
}
