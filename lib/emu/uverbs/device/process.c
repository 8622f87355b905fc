/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/device/process.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/device/netdev.h"
#include "emu/uverbs/device/power.h"
#include "emu/uverbs/events/channel.h"

/*
 * A child of fork has the memory of the parent's machine, but neither its engine nor its
 * place on the wire. It forgets the machine: its inherited descriptors answer EIO, as a
 * device that is gone, and its first open powers on a machine of its own.
 */
static struct uv_front parents; /* keeps what the child forgets reachable, for leak checkers */

static void before_fork(void)
{
	uv_lock();
	uv_event_lock();
}

static void after_fork_in_parent(void)
{
	uv_event_unlock();
	uv_unlock();
}

static void after_fork_in_child(void)
{
	parents = uv_front;
	uv_front.adapter = NULL;
	memset(uv_front.dev, 0, sizeof(uv_front.dev));
	for (struct uv_file *f = uv_front.files; f; f = f->next)
		f->dev = NULL;
	uv_link_forget();
	uv_event_unlock();
	uv_unlock();
}

/* What the launcher left. Return: NULL: it is not there, or of another build */
static struct emu_shared *map_shared(const char *path)
{
	const int fd = uv_real_open(path, O_RDWR | O_CLOEXEC, 0);
	struct emu_shared *s = MAP_FAILED;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (!uv_real_fstat(fd, &st) && st.st_size == sizeof(*s))
		s = uv_real_mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	uv_real_close(fd);
	if (s == MAP_FAILED)
		return NULL;
	if (s->magic != EMU_SHARED_MAGIC || s->bytes != sizeof(*s)) {
		munmap(s, sizeof(*s));
		return NULL;
	}
	return s;
}

bool uv_active(void)
{
	static bool started;
	const char *path = getenv(EMU_SHARED_ENV);
	struct emu_shared *s;

	if (started || !path || !*path)
		return uv_front.shared;
	started = true;
	s = map_shared(path);
	if (s)
		pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
	uv_front.shared = s;
	return s;
}

/*
 * At exit the wires are closed properly, so that captures are whole. Objects that the
 * program left behind go with the adapter, as they go with the last close on Linux.
 */
__attribute__((destructor)) static void end_process(void)
{
	uv_lock();
	uv_adapter_put();
	uv_unlock();
}
