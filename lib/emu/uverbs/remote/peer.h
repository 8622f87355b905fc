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
	struct uv_hold *hold; /* descriptors of files that the process uses */
	unsigned n_holds;
	bool inherits; /* a new child of fork: it gets the files of this process, without a limit */
};

/** struct uv_hold - a file that a process uses, and a descriptor of it in this process */
struct uv_hold {
	dev_t dev;
	ino_t ino;
	int fd;
};

/*
 * All functions need uv_front_lock().
 */

/** uv_peer_may_hold - check whether a file is a uverbs file or an event file, which peers use */
bool uv_peer_may_hold(const struct stat *st);
/**
 * uv_peer_hold - keep @fd
 *
 * Return: 0; -EEXIST: the process has a hold of the file, or may hold no such file; -EMFILE: it
 * holds too many files, or all processes together; -ENOMEM. After a failure @fd is the caller's
 */
int uv_peer_hold(struct uv_peer *peer, int fd);
/** uv_peer_keep - hold a new file, or close it and destroy its object. Return: @fd or -errno */
int uv_peer_keep(struct uv_peer *peer, int fd);
/** uv_peer_release - close the descriptor of a file that the process does not use any more */
void uv_peer_release(struct uv_peer *peer, dev_t dev, ino_t ino);
/** uv_peer_drop_holds - close the descriptors that are kept for the process, and destroy nothing */
void uv_peer_drop_holds(struct uv_peer *peer);
/** uv_peer_end - drop all that the process used, which has ended; does nothing the second time */
void uv_peer_end(struct uv_peer *peer);

/**
 * uv_peer_serve_next - receive the next request and answer it. Takes uv_front_lock() itself
 *
 * Return: false if the process has ended, or sent something other than a request
 */
bool uv_peer_serve_next(struct uv_peer *peer);
/** uv_peer_map_memory - map memory of the process, for uv_caller.map_memory */
int uv_peer_map_memory(struct uv_caller *caller, uint64_t addr, uint64_t bytes, bool write,
		       struct uv_area *area);

#endif
