/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_REMOTE_PIPES_H
#define EMU_UVERBS_REMOTE_PIPES_H

#include <sys/stat.h>

#include "emu/uverbs/events/message_queue.h"

/**
 * DOC: Event files whose messages are in another process
 *
 * This process has a descriptor of the pipe (events/message_queue.h); the owner of the adapter has
 * the messages. The list has a lock of its own, so close() can search it without uv_front_lock().
 * Callers of all other functions hold uv_front_lock(): all but uv_pipe_exists() and
 * uv_pipe_has_any().
 */

/** struct uv_pipe - such an event file */
struct uv_pipe {
	struct uv_pipe *next;
	dev_t dev;
	ino_t ino;
	enum uv_queue_kind kind;
	bool told; /* the user has read the message that the device is lost */
};

/** uv_pipe_add - add an event file to the list. Return: 0 or -ENOMEM */
int uv_pipe_add(dev_t dev, ino_t ino, enum uv_queue_kind kind);
/** uv_pipe_find - find an event file by uv_real_fstat(). Return: NULL if it is not in the list */
struct uv_pipe *uv_pipe_find(const struct stat *st);
/** uv_pipe_exists - as uv_pipe_find(), from any thread */
bool uv_pipe_exists(const struct stat *st);
/** uv_pipe_has_any - check whether the list has entries; only a hint, because it takes no lock */
bool uv_pipe_has_any(void);
/** uv_pipe_take_unused - remove and return an event file without a descriptor here, or NULL */
struct uv_pipe *uv_pipe_take_unused(void);

#endif
