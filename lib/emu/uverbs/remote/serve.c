/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Executes the requests of other processes (rpc.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "emu/uverbs/base/fds.h"
#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/base/mapping.h"
#include "emu/uverbs/device/clock.h"
#include "emu/uverbs/events/channel.h"
#include "emu/uverbs/files/file.h"
#include "emu/uverbs/objects/uar.h"
#include "emu/uverbs/remote/area.h"
#include "emu/uverbs/remote/marshal.h"
#include "emu/uverbs/remote/peer.h"

enum { MAX_READ = 1 << 16 };

/* Holds a new file for the peer, at a high number. Return: descriptor or -errno */
static int keep_fd(struct uv_peer *peer, int fd)
{
	uv_fd_unmark(fd); /* before another thread can reuse the number */
	return uv_peer_keep(peer, uv_rpc_raise_fd(fd));
}

static void close_received(struct uv_rpc *m)
{
	for (uint32_t i = 0; i < m->n_fds; i++)
		uv_real_close(m->fd[i]);
	m->n_fds = 0;
}

/* @new_fd: receives the descriptor of the file */
static int serve_open(struct uv_peer *peer, const struct uv_rpc *m, int *new_fd)
{
	const uint64_t port = m->arg[0];
	int fd;

	if (!uv_front.adapter)
		return -EIO; /* this process is exiting */
	if (port >= uv_front.shared->n_ports)
		return -ENXIO;
	fd = uv_file_open((unsigned)port, (int)m->arg[1] | O_CLOEXEC);
	if (fd >= 0)
		fd = keep_fd(peer, fd);
	if (fd < 0)
		return fd;
	*new_fd = fd;
	return 0;
}

static int hold_received(struct uv_peer *peer, const struct uv_rpc *m)
{
	const int fd = m->n_fds ? fcntl(m->fd[0], F_DUPFD_CLOEXEC, m->fd[0]) : -1;
	int rc;

	if (fd < 0)
		return -EBADF;
	rc = uv_peer_hold(peer, fd);
	if (rc)
		uv_real_close(fd);
	return rc == -EEXIST ? 0 : rc;
}

/*
 * Finds the uverbs file of descriptor 0. The first request for a file also makes the peer hold it.
 * Return: 0 or -errno
 */
static int find_file(struct uv_peer *peer, const struct uv_rpc *m, struct uv_file **file)
{
	*file = m->n_fds ? uv_file_find(m->fd[0]) : NULL;
	return *file ? hold_received(peer, m) : -EIO;
}

/* @new_fd: receives the descriptor of the event file, if the ioctl created one */
static int serve_ioctl(struct uv_peer *peer, struct uv_rpc *m, int *new_fd)
{
	struct uv_file *file;
	int rc = find_file(peer, m, &file);

	peer->caller.new_fd = -1;
	peer->caller.capabilities = (uint32_t)m->arg[0];
	if (!rc)
		rc = uv_run_packed(file, m);
	if (!rc && peer->caller.new_fd >= 0) {
		struct stat st;
		const int fd = keep_fd(peer, peer->caller.new_fd);

		if (fd < 0)
			return fd;
		*new_fd = fd;
		m->arg[0] = uv_real_fstat(fd, &st) ? 0 : (uint64_t)uv_queue_get_kind(&st);
	}
	return rc;
}

static int serve_map(struct uv_peer *peer, struct uv_rpc *m)
{
	struct uv_file *file;
	const uint64_t off = m->arg[0];
	int rc = find_file(peer, m, &file);

	if (rc)
		return rc;
	rc = uv_clock_has_offset(off)
		     ? uv_clock_check_map(file, m->arg[1], (int)m->arg[2], (int)m->arg[3])
		     : uv_uar_check_map(file, off, m->arg[1], (int)m->arg[3]);
	return rc ? rc : uv_mapping_add_of(peer, file, off);
}

/* Does not wait; the caller can wait for the pipe (read.c). */
static int serve_read(struct uv_rpc *m)
{
	const size_t bytes = m->arg[0] < MAX_READ ? m->arg[0] : MAX_READ;
	struct stat st;
	ssize_t n;

	free(m->body);
	m->body = NULL;
	if (!m->n_fds || uv_real_fstat(m->fd[0], &st))
		return -EBADF;
	m->body = malloc(bytes + 1);
	if (!m->body)
		return -ENOMEM;
	n = uv_queue_read(m->fd[0], &st, false, m->body, bytes);
	m->bytes = n > 0 ? (uint32_t)n : 0;
	return n == -ENOTTY ? -EIO : n < 0 ? (int)n : 0;
}

static int run_request(struct uv_peer *peer, struct uv_rpc *m, int *new_fd)
{
	switch ((enum uv_rpc_kind)m->kind) {
	case UV_RPC_OPEN:
		return serve_open(peer, m, new_fd);
	case UV_RPC_IOCTL:
		return serve_ioctl(peer, m, new_fd);
	case UV_RPC_MAP:
		return serve_map(peer, m);
	case UV_RPC_HOLD:
		return hold_received(peer, m);
	case UV_RPC_UNMAP:
		uv_mapping_remove_of(peer, (ino_t)m->arg[0], m->arg[1]);
		uv_file_reap(NULL);
		return 0;
	case UV_RPC_RELEASE:
		uv_peer_release(peer, (dev_t)m->arg[0], (ino_t)m->arg[1]);
		return 0;
	default:
		return -EINVAL;
	}
}

static void answer_request(struct uv_peer *peer, struct uv_rpc *m)
{
	int new_fd = -1;

	if (m->kind == UV_RPC_READ) {
		m->rc = serve_read(m);
	} else {
		uv_front_lock();
		uv_caller = &peer->caller;
		m->rc = run_request(peer, m, &new_fd);
		uv_caller = NULL;
		uv_front_unlock();
	}
	close_received(m);
	if (new_fd >= 0) {
		m->fd[0] = new_fd;
		m->n_fds = 1;
	}
	m->kind = UV_RPC_ANSWER;
	if (!m->body)
		m->bytes = 0;
}

bool uv_peer_serve_next(struct uv_peer *peer)
{
	struct uv_rpc m;
	int rc = uv_rpc_receive(peer->sock, &m);

	if (rc)
		return rc == -EAGAIN; /* timeout: the peer is idle */
	if (m.kind == UV_RPC_ANSWER || m.kind == UV_RPC_DESCRIBE) {
		uv_rpc_clear(&m);
		return false; /* an answer after the timeout of its question */
	}
	answer_request(peer, &m);
	rc = uv_rpc_send(peer->sock, &m);
	m.n_fds = 0; /* the descriptor belongs to a hold: do not close it */
	uv_rpc_clear(&m);
	return !rc;
}

int uv_peer_map_memory(struct uv_caller *caller, uint64_t addr, uint64_t bytes, bool write,
		       struct uv_area *area)
{
	const struct uv_peer *peer =
		(struct uv_peer *)((char *)caller - offsetof(struct uv_peer, caller));

	return uv_area_map(peer->sock, addr, bytes, write, area);
}
