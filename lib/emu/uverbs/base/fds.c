/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/base/fds.h"

#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>

#include "emu/uverbs/base/libc.h"

int uv_fds_walk(int (*take)(int fd, void *arg), void *arg)
{
	DIR *fds = opendir("/proc/self/fd");
	const struct dirent *e;
	int rc = 0;

	while (fds && !rc && (e = readdir(fds)))
		if (e->d_name[0] != '.')
			rc = take(atoi(e->d_name), arg);
	if (fds)
		closedir(fds);
	return rc;
}

/** struct search - a search of uv_fds_find() */
struct search {
	dev_t dev;
	ino_t ino;
	int except, found;
};

static int take_match(int fd, void *arg)
{
	struct search *s = arg;
	struct stat st;

	if (fd == s->except || uv_real_fstat(fd, &st) || st.st_ino != s->ino || st.st_dev != s->dev)
		return 0;
	s->found = fd;
	return 1;
}

int uv_fds_find(dev_t dev, ino_t ino, int except)
{
	struct search s = { dev, ino, except, -1 };

	uv_fds_walk(take_match, &s);
	return s.found;
}

/* Linux' default of fs.nr_open, the limit of descriptor numbers. */
enum { N_BITS = 1 << 20, WORD_BITS = 64 };

static uint64_t marks[N_BITS / WORD_BITS];

void uv_fd_mark(int fd)
{
	if (fd >= 0 && fd < N_BITS)
		__atomic_fetch_or(&marks[fd / WORD_BITS], 1ull << fd % WORD_BITS, __ATOMIC_RELAXED);
}

void uv_fd_unmark(int fd)
{
	if (fd >= 0 && fd < N_BITS)
		__atomic_fetch_and(&marks[fd / WORD_BITS], ~(1ull << fd % WORD_BITS),
				   __ATOMIC_RELAXED);
}

bool uv_fd_is_marked(int fd)
{
	if (fd < 0 || fd >= N_BITS)
		return fd >= 0;
	return __atomic_load_n(&marks[fd / WORD_BITS], __ATOMIC_RELAXED) >> fd % WORD_BITS & 1;
}
