/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/remote/peer.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "emu/uverbs/base/fds.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/base/mapping.h"
#include "emu/uverbs/events/channel.h"
#include "emu/uverbs/files/cdev.h"
#include "emu/uverbs/files/file.h"

static unsigned n_held; /* holds of all processes */

bool uv_peer_may_hold(const struct stat *st)
{
	return uv_cdev_find_port(st) >= 0 || uv_queue_get_kind(st) >= 0;
}

/* Limits a peer to a quarter of this process' descriptors, and all peers together to half. */
static bool has_room(const struct uv_peer *peer)
{
	const long limit = sysconf(_SC_OPEN_MAX);

	return peer->inherits || (peer->n_holds < limit / 4 && n_held < limit / 2);
}

static struct uv_hold *find_hold(struct uv_peer *peer, dev_t dev, ino_t ino)
{
	for (unsigned i = 0; i < peer->n_holds; i++)
		if (peer->hold[i].ino == ino && peer->hold[i].dev == dev)
			return &peer->hold[i];
	return NULL;
}

int uv_peer_hold(struct uv_peer *peer, int fd)
{
	struct uv_hold *more;
	struct stat st;

	if (uv_real_fstat(fd, &st) || !uv_peer_may_hold(&st) ||
	    find_hold(peer, st.st_dev, st.st_ino))
		return -EEXIST;
	if (!has_room(peer))
		return -EMFILE;
	more = realloc(peer->hold, (peer->n_holds + 1) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	peer->hold = more;
	more[peer->n_holds++] = (struct uv_hold){ st.st_dev, st.st_ino, fd };
	n_held++;
	return 0;
}

/*
 * Destroys the files whose descriptors are all closed. Needs no RELEASE messages: remote files of
 * this process belonged to an earlier owner, which has ended.
 */
static void reap_files(void)
{
	uv_channel_reap();
	uv_file_reap(NULL);
}

int uv_peer_keep(struct uv_peer *peer, int fd)
{
	const int rc = uv_peer_hold(peer, fd);

	if (!rc)
		return fd;
	uv_real_close(fd);
	reap_files();
	return rc;
}

void uv_peer_release(struct uv_peer *peer, dev_t dev, ino_t ino)
{
	struct uv_hold *h = find_hold(peer, dev, ino);

	if (!h)
		return;
	uv_fd_unmark(h->fd);
	uv_real_close(h->fd);
	*h = peer->hold[--peer->n_holds];
	n_held--;
	reap_files();
}

void uv_peer_drop_holds(struct uv_peer *peer)
{
	for (unsigned i = 0; i < peer->n_holds; i++) {
		uv_fd_unmark(peer->hold[i].fd);
		uv_real_close(peer->hold[i].fd);
	}
	n_held -= peer->n_holds;
	peer->n_holds = 0;
}

void uv_peer_end(struct uv_peer *peer)
{
	uv_mapping_remove_all_of(peer);
	uv_peer_drop_holds(peer);
	free(peer->hold);
	peer->hold = NULL;
	reap_files();
}
