/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A child of fork keeps the files of its parent process, and an executed program keeps the files
 * that it inherits, as in Linux.
 *
 * The child has a copy of the parent's adapter in memory, but no engine thread and no connection
 * to the wires. So it drops the copy, and the owner of the adapter serves it (server.h). The
 * connection exists before fork() returns; if the parent is the owner, it is a socket pair.
 *
 * Before main(), an executed program reports the inherited files to the owner. The owner then keeps
 * them open even if all other processes close theirs. Between exec and this report, only other
 * processes keep them open.
 */
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "emu/host.h"
#include "emu/uverbs/base/fds.h"
#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/device/netdev.h"
#include "emu/uverbs/device/dev.h"
#include "emu/uverbs/events/event.h"
#include "emu/uverbs/files/cdev.h"
#include "emu/uverbs/files/file.h"
#include "emu/uverbs/remote/owner.h"
#include "emu/uverbs/remote/pipes.h"
#include "emu/uverbs/remote/rpc.h"
#include "emu/uverbs/remote/server.h"

static bool is_remote(int fd)
{
	struct stat st;

	return !uv_real_fstat(fd, &st) && (uv_cdev_find_port(&st) >= 0 || uv_pipe_exists(&st));
}

/* Reports a descriptor that the child will inherit to the owner. Return: 0 or -errno */
static int hold_for_child(int fd, void *arg)
{
	const struct uv_rpc m = { .kind = UV_RPC_HOLD, .n_fds = 1, .fd = { fd } };
	const int *sock = arg;
	struct uv_rpc answer;
	int rc;

	if (!is_remote(fd))
		return 0;
	rc = uv_rpc_send(*sock, &m);
	if (!rc)
		rc = uv_rpc_receive(*sock, &answer);
	if (!rc)
		uv_rpc_clear(&answer);
	return rc;
}

/*
 * For a process that does not own the adapter: connects the future child of fork to the owner. Also
 * reports the child's files, before this process can close its own descriptors of them.
 * Return: a socket; -1: no owner
 */
static int connect_child(void)
{
	int sock = uv_place_connect();

	if (sock < 0)
		return -1;
	if (!uv_fds_walk(hold_for_child, &sock))
		return sock;
	uv_real_close(sock);
	return -1;
}

static struct uv_front parents; /* keeps the dropped copy reachable, for leak checkers */
static int pair[2];             /* during a fork: sockets of the parent and of the child, or -1 */

static void close_end(int fd)
{
	if (fd >= 0)
		uv_real_close(fd);
}

static void before_fork(void)
{
	uv_front_lock();
	uv_event_lock();
	pair[0] = pair[1] = -1;
	if (uv_front.adapter && uv_front.files)
		/* on failure, both stay -1 */
		(void)!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair);
	else if (uv_owner_is_connected())
		pair[1] = connect_child();
}

static void after_fork_in_parent(void)
{
	uv_event_unlock();
	close_end(pair[1]);
	if (pair[0] >= 0)
		uv_server_adopt(pair[0]);
	uv_front_unlock();
}

static void note_pipe(dev_t dev, ino_t ino, enum uv_queue_kind kind)
{
	uv_pipe_add(dev, ino, kind);
}

static void drop_parents_adapter(void)
{
	emu_fault_forget_threads();
	parents = uv_front;
	uv_front.adapter = NULL;
	uv_front.n_locked = 0;
	memset(uv_front.dev, 0, sizeof(uv_front.dev));
	for (struct uv_file *f = uv_front.files; f; f = f->next) {
		f->dev = NULL;
		f->remote = true;
		f->opened_here = false;
	}
	uv_mirror_forget();
	uv_event_forget_all(note_pipe);
}

static void after_fork_in_child(void)
{
	uv_server_forget();
	uv_owner_drop();
	drop_parents_adapter();
	close_end(pair[0]);
	if (pair[1] >= 0)
		uv_owner_use(pair[1]);
	uv_event_unlock();
	uv_front_unlock();
}

__attribute__((constructor)) static void watch_forks(void)
{
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

static int hold_inherited(int fd, void *arg)
{
	const struct uv_rpc m = { .kind = UV_RPC_HOLD, .n_fds = 1, .fd = { fd } };
	struct uv_rpc answer;

	(void)arg;
	if (!uv_file_add_remote(fd) || uv_owner_connect())
		return 0; /* not a uverbs file, or its owner has ended */
	uv_owner_call(&m, &answer);
	uv_rpc_clear(&answer);
	return 0;
}

__attribute__((constructor)) static void hold_inherited_files(void)
{
	if (!uv_is_launched() || !__atomic_load_n(&uv_front.shared->owner, __ATOMIC_RELAXED))
		return;
	uv_front_lock();
	uv_fds_walk(hold_inherited, NULL);
	uv_front_unlock();
}
