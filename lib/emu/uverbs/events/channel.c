/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/events/channel.h"

#include <errno.h>
#include <linux/sockios.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/base/object.h"

struct uv_channel *uv_channels;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void uv_event_lock(void)
{
	pthread_mutex_lock(&lock);
}
void uv_event_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

int uv_channel_open(struct uv_file *file, const struct uv_type *type, struct uv_channel **out,
		    int *user_fd)
{
	struct uv_channel *ch = uv_obj_alloc(file, type, sizeof(*ch));
	struct stat st;
	int pair[2], rc;

	if (!ch)
		return -ENOMEM;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		rc = -errno;
		free(ch);
		return rc;
	}
	uv_real_fstat(pair[1], &st);
	ch->fd = pair[0];
	ch->user_ino = st.st_ino;
	*user_fd = pair[1];
	*out = ch;
	uv_event_lock();
	ch->next = uv_channels;
	uv_channels = ch;
	uv_event_unlock();
	return 0;
}

void uv_channel_unlist(struct uv_channel *ch)
{
	for (struct uv_channel **at = &uv_channels; *at; at = &(*at)->next) {
		if (*at == ch) {
			*at = ch->next;
			return;
		}
	}
}

int uv_channel_find(struct uv_file *file, int fd, const struct uv_type *type, struct uv_obj **obj)
{
	struct stat st;

	*obj = NULL;
	if (uv_real_fstat(fd, &st) || !S_ISSOCK(st.st_mode))
		return -EBADF;
	uv_event_lock();
	for (struct uv_channel *ch = uv_channels; ch; ch = ch->next)
		if (ch->user_ino == st.st_ino && ch->obj.file == file &&
		    (!type || ch->obj.type == type))
			*obj = &ch->obj;
	uv_event_unlock();
	return *obj ? 0 : -EBADF;
}

/* ---- messages that the user has read -------------------------------------------- */

/*
 * SIOCOUTQ gives the socket memory of all unread messages. All messages of a tracked channel have
 * the same size. So that memory divided by the memory of one message is the number of unread
 * messages. The unread messages are the newest ones.
 */
void uv_channel_sync(struct uv_channel *ch)
{
	int held = 0;
	unsigned n_unread, n_read;

	if (!ch->n_sent || uv_real_ioctl(ch->fd, SIOCOUTQ, &held))
		return;
	n_unread = held && ch->cost ? (unsigned)held / ch->cost : held ? ch->n_sent : 0;
	n_read = n_unread < ch->n_sent ? ch->n_sent - n_unread : 0;
	for (unsigned i = 0; i < n_read; i++)
		if (ch->sent[i])
			++*ch->sent[i];
	ch->n_sent -= n_read;
	memmove(ch->sent, ch->sent + n_read, ch->n_sent * sizeof(*ch->sent));
}

bool uv_channel_has_unread(const struct uv_channel *ch, const uint32_t *n_read)
{
	for (unsigned i = 0; i < ch->n_sent; i++)
		if (ch->sent[i] == n_read)
			return true;
	return false;
}

void uv_channel_untrack(struct uv_channel *ch, const uint32_t *n_read)
{
	for (unsigned i = 0; i < ch->n_sent; i++)
		if (ch->sent[i] == n_read)
			ch->sent[i] = NULL;
}

int uv_channel_send(struct uv_channel *ch, const void *msg, size_t bytes)
{
	return send(ch->fd, msg, bytes, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -errno : 0;
}

int uv_channel_send_tracked(struct uv_channel *ch, uint32_t *n_read, const void *msg, size_t bytes)
{
	int held = 0, rc;

	if (ch->n_sent == ch->room) {
		const unsigned room = ch->room ? ch->room * 2 : 16;
		uint32_t **sent = realloc(ch->sent, room * sizeof(*ch->sent));

		if (!sent)
			return -ENOMEM;
		ch->sent = sent;
		ch->room = room;
	}
	rc = uv_channel_send(ch, msg, bytes);
	if (rc)
		return rc;
	if (!ch->cost && !ch->n_sent && !uv_real_ioctl(ch->fd, SIOCOUTQ, &held))
		ch->cost = (unsigned)held; /* 0: the user has read it already */
	ch->sent[ch->n_sent++] = n_read;
	return 0;
}

uint64_t uv_channel_count_unread(int user_fd)
{
	int bytes = 0;

	return uv_real_ioctl(user_fd, SIOCINQ, &bytes) ? 0 : (uint64_t)bytes;
}
