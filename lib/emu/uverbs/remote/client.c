/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/remote/client.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "emu/uverbs/base/capability.h"
#include "emu/uverbs/base/fds.h"
#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/files/file.h"
#include "emu/uverbs/remote/owner.h"
#include "emu/uverbs/remote/marshal.h"
#include "emu/uverbs/remote/pipes.h"
#include "emu/uverbs/remote/server.h"

/* @what: the call to name in the warning */
static int connect_or_warn(const char *what)
{
	const int rc = uv_owner_connect();

	if (rc)
		uv_warn(EMU_WARN_OWNER_ENDED,
			"%s failed with EIO: the process that opened the device first has ended, "
			"and with it emu's adapter; let that process run longest, or open the "
			"device again",
			what);
	return rc;
}

/* Duplicates the descriptor of an answer to the lowest free number, as open() would choose. */
static int take_fd(struct uv_rpc *answer, bool close_on_exec)
{
	int fd;

	if (answer->n_fds != 1)
		return -EIO;
	fd = fcntl(answer->fd[0], close_on_exec ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
	return fd < 0 ? -errno : fd;
}

static int open_of_owner(unsigned port, int flags)
{
	const struct uv_rpc m = { .kind = UV_RPC_OPEN, .arg = { port, (uint64_t)flags } };
	struct uv_rpc answer;
	int fd = uv_owner_call(&m, &answer);

	if (!fd)
		fd = take_fd(&answer, flags & O_CLOEXEC);
	uv_rpc_clear(&answer);
	if (fd < 0 || uv_file_add_remote(fd))
		return fd;
	uv_real_close(fd);
	return -ENOMEM;
}

static int open_here_or_there(unsigned port, int flags)
{
	int fd = -EIO;

	if (!uv_front.adapter && !uv_owner_connect())
		fd = open_of_owner(port, flags);
	if (fd != -EIO || uv_owner_is_connected())
		return fd;
	fd = uv_file_open(port, flags); /* there is no owner, or it has just ended */
	if (fd >= 0)
		uv_server_start();
	return fd;
}

int uv_remote_open(unsigned port, int flags)
{
	const int lock = uv_place_lock();
	struct uv_file *file;
	int fd;

	uv_front_lock();
	fd = open_here_or_there(port, flags);
	file = fd >= 0 ? uv_file_find(fd) : NULL;
	if (file)
		file->opened_here = true;
	uv_front_unlock();
	uv_place_unlock(lock);
	return fd;
}

/* Registers the event file that an ioctl created. Return: the program's descriptor, or -errno */
static int take_event_file(struct uv_rpc *answer)
{
	struct stat st;
	int fd = take_fd(answer, true);

	if (fd < 0)
		return fd;
	if (uv_real_fstat(fd, &st) ||
	    uv_pipe_add(st.st_dev, st.st_ino, (enum uv_queue_kind)answer->arg[0])) {
		uv_real_close(fd);
		return -ENOMEM;
	}
	uv_fd_mark(fd);
	return fd;
}

/* A failed method may also have outputs, such as the reply of a command that firmware refused. */
static int finish_ioctl(void *arg, const struct uv_rpc *sent, struct uv_rpc *answer)
{
	const int fd = answer->n_fds ? take_event_file(answer) : -1;
	int rc = answer->n_fds && fd < 0 ? fd : 0;

	if (!rc && answer->bytes)
		rc = uv_unpack_answer(arg, sent, answer, fd);
	return rc ? rc : answer->rc;
}

int uv_remote_ioctl(int fd, void *arg)
{
	struct uv_rpc m = { .kind = UV_RPC_IOCTL, .arg = { uv_get_capabilities() } };
	struct uv_rpc answer = { 0 };
	int rc = uv_file_add_remote(fd) ? connect_or_warn("ioctl") : -ENOMEM;

	if (!rc)
		rc = uv_pack_ioctl(fd, arg, &m);
	if (!rc)
		rc = uv_owner_call(&m, &answer);
	if (answer.kind == UV_RPC_ANSWER)
		rc = finish_ioctl(arg, &m, &answer);
	uv_rpc_clear(&answer);
	free(m.body);
	return rc;
}

int uv_remote_check_map(int fd, uint64_t off, size_t bytes, int prot, int flags)
{
	const struct uv_rpc m = { .kind = UV_RPC_MAP,
				  .arg = { off, bytes, (uint64_t)prot, (uint64_t)flags },
				  .n_fds = 1,
				  .fd = { fd } };
	struct uv_rpc answer;
	int rc = connect_or_warn("mmap");

	if (rc)
		return rc;
	rc = uv_owner_call(&m, &answer);
	uv_rpc_clear(&answer);
	return rc;
}

/* Sends a request and ignores its result; without an owner there is nothing to report. */
static void tell_owner(enum uv_rpc_kind kind, uint64_t first, uint64_t second)
{
	const struct uv_rpc m = { .kind = kind, .arg = { first, second } };
	struct uv_rpc answer;

	if (!uv_owner_is_connected())
		return;
	uv_owner_call(&m, &answer);
	uv_rpc_clear(&answer);
}

void uv_remote_unmapped(const struct uv_file *file, uint64_t off)
{
	if (file->remote)
		tell_owner(UV_RPC_UNMAP, file->ino, off);
}

static void release_file(const struct uv_file *file)
{
	tell_owner(UV_RPC_RELEASE, file->fs, file->ino);
}

void uv_remote_reap(void)
{
	struct uv_pipe *p;

	while ((p = uv_pipe_take_unused())) {
		tell_owner(UV_RPC_RELEASE, p->dev, p->ino);
		free(p);
	}
	uv_file_reap(release_file);
}
