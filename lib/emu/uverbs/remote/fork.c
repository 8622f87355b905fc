/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fork(): the child goes on with the files of its parent process, as in Linux.
 *
 * The child has a copy of the parent's adapter in memory, but no engine thread and no connection to
 * the wires. So it drops the copy, and becomes a process that the owner serves (server.h). A child
 * has its connection from the first moment on: a socket pair, if the parent is the owner.
 */
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

#include "emu/fault.h"
#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/device/netdev.h"
#include "emu/uverbs/events/event.h"
#include "emu/uverbs/remote/child.h"
#include "emu/uverbs/remote/link.h"
#include "emu/uverbs/remote/pipes.h"
#include "emu/uverbs/remote/server.h"

static struct uv_front parents; /* keeps the dropped copy reachable, for leak checkers */
static int pair[2];             /* ends of the parent and of the child, during a fork; or -1 */

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
		(void)!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
				  pair); /* or they stay -1 */
	else if (uv_link_is_up())
		pair[1] = uv_child_connect();
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
	uv_link_drop();
	drop_parents_adapter();
	close_end(pair[0]);
	if (pair[1] >= 0)
		uv_link_use(pair[1]);
	uv_event_unlock();
	uv_front_unlock();
}

__attribute__((constructor)) static void watch_forks(void)
{
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}
