/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/remote/pipes.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "emu/uverbs/base/fds.h"

static struct uv_pipe *pipes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void set_link(struct uv_pipe **at, struct uv_pipe *p)
{
	pthread_mutex_lock(&lock);
	*at = p;
	pthread_mutex_unlock(&lock);
}

int uv_pipe_add(dev_t dev, ino_t ino, enum uv_queue_kind kind)
{
	struct uv_pipe *p = malloc(sizeof(*p));

	if (!p)
		return -ENOMEM;
	*p = (struct uv_pipe){ .next = pipes, .dev = dev, .ino = ino, .kind = kind };
	set_link(&pipes, p);
	return 0;
}

bool uv_pipe_has_any(void)
{
	return __atomic_load_n(&pipes, __ATOMIC_RELAXED);
}

struct uv_pipe *uv_pipe_find(const struct stat *st)
{
	struct uv_pipe *p = S_ISFIFO(st->st_mode) ? pipes : NULL;

	while (p && (p->ino != st->st_ino || p->dev != st->st_dev))
		p = p->next;
	return p;
}

bool uv_pipe_exists(const struct stat *st)
{
	bool exists;

	if (!uv_pipe_has_any())
		return false;
	pthread_mutex_lock(&lock);
	exists = uv_pipe_find(st);
	pthread_mutex_unlock(&lock);
	return exists;
}

struct uv_pipe *uv_pipe_take_unused(void)
{
	struct uv_pipe **at = &pipes, *p;

	while (*at && uv_fds_find((*at)->dev, (*at)->ino, -1) >= 0)
		at = &(*at)->next;
	p = *at;
	if (p)
		set_link(at, p->next);
	return p;
}
