/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/events/channel.h"

#include <errno.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/fds.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/base/object.h"

struct uv_channel *uv_channels;

int uv_channel_open(struct uv_file *file, const struct uv_type *type, enum uv_queue_kind kind,
		    struct uv_channel **out, int *user_fd)
{
	struct uv_channel *ch = uv_obj_alloc(file, type, sizeof(*ch));
	int rc;

	if (!ch)
		return -ENOMEM;
	rc = uv_queue_open(kind, ch, &ch->queue, user_fd);
	if (rc) {
		uv_obj_free(&ch->obj);
		return rc;
	}
	uv_event_lock();
	ch->next = uv_channels;
	uv_channels = ch;
	uv_event_unlock();
	if (uv_caller)
		uv_caller->new_fd = *user_fd;
	*out = ch;
	return 0;
}

void uv_channel_discard(struct uv_channel *ch, int user_fd)
{
	uv_fd_unmark(user_fd);
	uv_real_close(user_fd);
	if (uv_caller)
		uv_caller->new_fd = -1;
	uv_event_lock();
	ch->queue->gone = true;
	uv_event_unlock();
	uv_obj_destroy(&ch->obj);
}

/* A completion channel in use by a CQ remains until its uverbs file is closed. */
void uv_channel_reap(void)
{
	struct uv_channel *ch;

	while (uv_front.adapter && (ch = uv_queue_reap()))
		uv_obj_destroy(&ch->obj);
}

void uv_channel_unlist(struct uv_channel *ch)
{
	struct uv_channel **at = &uv_channels;

	while (*at != ch)
		at = &(*at)->next;
	*at = ch->next;
	uv_queue_close(ch->queue);
}

int uv_channel_find(struct uv_file *file, int fd, const struct uv_type *type, struct uv_obj **obj)
{
	struct uv_channel *ch;
	struct stat st;

	*obj = NULL;
	if (uv_real_fstat(fd, &st))
		return -EBADF;
	uv_event_lock();
	ch = uv_queue_find(&st);
	if (ch && ch->obj.file == file && (!type || ch->obj.type == type))
		*obj = &ch->obj;
	uv_event_unlock();
	return *obj ? 0 : -EBADF;
}

int uv_channel_send(struct uv_channel *ch, const void *msg, size_t bytes, uint64_t weight)
{
	int rc;

	uv_event_lock();
	rc = uv_queue_push(ch->queue, NULL, msg, bytes, weight);
	uv_event_unlock();
	return rc;
}

uint64_t uv_channel_get_in_use(const struct uv_channel *ch)
{
	uint64_t n;

	uv_event_lock();
	n = ch->queue->in_use;
	uv_event_unlock();
	return n;
}
