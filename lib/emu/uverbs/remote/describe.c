/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/remote/describe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "emu/uverbs/base/fds.h"
#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/memory/maps.h"

/** struct description - an answer under construction */
struct description {
	uint64_t at, end; /* the segments cover memory up to @at */
	bool write;
	struct uv_rpc *answer;
	struct uv_segment *segment;
	unsigned n;
	struct stat file[UV_RPC_MAX_FDS]; /* same index as answer->fd */
};

static bool is_file(const struct stat *st, const struct uv_map *m)
{
	return st->st_ino == m->ino && st->st_dev == m->dev;
}

/* Opens the file of a mapping by its path, unless the path now belongs to another file. */
static int open_path(const struct uv_map *m, bool write)
{
	struct stat st;
	int fd;

	if (m->path[0] != '/')
		return -1;
	fd = uv_real_open(m->path, (write ? O_RDWR : O_RDONLY) | O_CLOEXEC, 0);
	if (fd >= 0 && (uv_real_fstat(fd, &st) || !is_file(&st, m))) {
		uv_real_close(fd);
		fd = -1;
	}
	return fd;
}

/* Adds the file of a mapping to the answer. Return: its index in answer->fd; -1: cannot open it */
static int add_file(struct description *d, const struct uv_map *m)
{
	struct uv_rpc *a = d->answer;
	int fd;

	for (uint32_t i = 0; i < a->n_fds; i++)
		if (is_file(&d->file[i], m))
			return (int)i;
	fd = uv_fds_find(m->dev, m->ino, -1);
	fd = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : open_path(m, d->write);
	if (fd < 0 || uv_real_fstat(fd, &d->file[a->n_fds]))
		return -1;
	a->fd[a->n_fds] = fd;
	return (int)a->n_fds++;
}

/* Adds a mapping to the answer. Returns false to end the walk. */
static bool describe_map(const struct uv_map *m, void *arg)
{
	struct description *d = arg;
	struct uv_segment *s = &d->segment[d->n];
	int file;

	if (m->start > d->at || !(m->write || (m->read && !d->write)))
		return false;
	if (d->n == UV_RPC_MAX_FDS || d->answer->n_fds == UV_RPC_MAX_FDS)
		return false;
	file = m->shared ? add_file(d, m) : -1;
	if (file < 0) {
		uv_warn(EMU_WARN_PRIVATE_MEMORY,
			"cannot register memory (EOPNOTSUPP) %s: process %d opened the device "
			"first, so emu runs there and can access only shared memory of this "
			"process; use a memfd that stays open, or huge pages",
			m->shared ? "of a file that cannot be opened" : "that is private",
			uv_front.shared->owner);
		d->answer->rc = -EOPNOTSUPP;
		return false;
	}
	s->addr = d->at;
	s->bytes = (m->end < d->end ? m->end : d->end) - d->at;
	s->off = m->off + (d->at - m->start);
	s->fd = (uint32_t)file;
	d->at += s->bytes;
	d->n++;
	return true;
}

void uv_describe_memory(struct uv_rpc *m)
{
	struct description d = {
		.at = m->arg[0], .end = m->arg[0] + m->arg[1], .write = m->arg[2], .answer = m
	};

	uv_rpc_clear(m);
	m->kind = UV_RPC_ANSWER;
	m->rc = 0;
	m->bytes = 0;
	m->body = d.segment = calloc(UV_RPC_MAX_FDS, sizeof(*d.segment));
	if (!m->body) {
		m->rc = -ENOMEM;
		return;
	}
	uv_maps_walk(d.at, d.end - d.at, describe_map, &d);
	if (!d.n && !m->rc)
		m->rc = -EFAULT;
	m->bytes = (uint32_t)(d.n * sizeof(*d.segment));
}
