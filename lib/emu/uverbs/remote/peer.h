/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_REMOTE_PEER_H
#define EMU_UVERBS_REMOTE_PEER_H

#include <sys/stat.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/remote/rpc.h"

/** struct uv_peer - a process that the owner of the adapter serves */
struct uv_peer {
	struct uv_caller caller;
	struct uv_peer *next;
	int sock;
	struct uv_hold *hold; /* files that the process uses */
	unsigned n_holds;
	bool inherits; /* a new child of fork, which inherits this process' files without a limit */
};

/** struct uv_hold - a descriptor that keeps a file open here while another process uses it */
struct uv_hold {
	dev_t dev;
	ino_t ino;
	int fd;
};

/* The caller of each function holds uv_front_lock(), except where noted. */

/** uv_peer_may_hold - check for a uverbs file or an event file: peers hold no others */
bool uv_peer_may_hold(const struct stat *st);
/**
 * uv_peer_hold - hold a file for the peer, and take over @fd on success
 *
 * Return: 0; -EEXIST: the peer already holds the file, or may not hold it; -EMFILE: this peer, or
 * all peers together, hold too many files; -ENOMEM
 */
int uv_peer_hold(struct uv_peer *peer, int fd);
/** uv_peer_keep - hold a new file; on failure close and destroy it. Return: @fd or -errno */
int uv_peer_keep(struct uv_peer *peer, int fd);
/** uv_peer_release - end the hold of a file that the peer no longer uses */
void uv_peer_release(struct uv_peer *peer, dev_t dev, ino_t ino);
/** uv_peer_drop_holds - close all descriptors held for the peer, but destroy no object */
void uv_peer_drop_holds(struct uv_peer *peer);
/** uv_peer_end - release everything of a peer that has ended; a second call does nothing */
void uv_peer_end(struct uv_peer *peer);

/**
 * uv_peer_serve_next - receive the next request and answer it; takes uv_front_lock() itself
 *
 * Return: false if the peer has ended, or sent something other than a request
 */
bool uv_peer_serve_next(struct uv_peer *peer);
/** uv_peer_map_memory - implementation of uv_caller.map_memory */
int uv_peer_map_memory(struct uv_caller *caller, uint64_t addr, uint64_t bytes, bool write,
		       struct uv_area *area);

#endif
