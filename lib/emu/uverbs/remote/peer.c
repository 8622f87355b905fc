/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Holds keep the files that another process uses of the adapter in this one.
 */
#include "emu/uverbs/remote/peer.h"

#include <stdlib.h>

#include "emu/uverbs/base/fd_marks.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/base/mapping.h"
#include "emu/uverbs/events/channel.h"
#include "emu/uverbs/files/file.h"

static struct uv_hold *find_hold(struct uv_peer *peer, dev_t dev, ino_t ino)
{
	for (unsigned i = 0; i < peer->n_holds; i++)
		if (peer->hold[i].ino == ino && peer->hold[i].dev == dev)
			return &peer->hold[i];
	return NULL;
}

bool uv_peer_hold(struct uv_peer *peer, int fd)
{
	struct uv_hold *more;
	struct stat st;

	if (uv_real_fstat(fd, &st) || find_hold(peer, st.st_dev, st.st_ino))
		return false;
	more = realloc(peer->hold, (peer->n_holds + 1) * sizeof(*more));
	if (!more)
		return false;
	peer->hold = more;
	more[peer->n_holds++] = (struct uv_hold){ st.st_dev, st.st_ino, fd };
	return true;
}

/*
 * Destroys what has no descriptor any more. Remote files of this process are of an owner that has
 * ended, so nobody needs to hear of their end.
 */
static void reap_files(void)
{
	uv_channel_reap();
	uv_file_reap(NULL);
}

void uv_peer_release(struct uv_peer *peer, dev_t dev, ino_t ino)
{
	struct uv_hold *h = find_hold(peer, dev, ino);

	if (!h)
		return;
	uv_fd_unmark(h->fd);
	uv_real_close(h->fd);
	*h = peer->hold[--peer->n_holds];
	reap_files();
}

void uv_peer_end(struct uv_peer *peer)
{
	uv_mapping_remove_all_of(peer);
	for (unsigned i = 0; i < peer->n_holds; i++) {
		uv_fd_unmark(peer->hold[i].fd);
		uv_real_close(peer->hold[i].fd);
	}
	free(peer->hold);
	peer->hold = NULL;
	peer->n_holds = 0;
	reap_files();
}
