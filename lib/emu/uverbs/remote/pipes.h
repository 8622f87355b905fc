/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_REMOTE_PIPES_H
#define EMU_UVERBS_REMOTE_PIPES_H

#include <sys/stat.h>

#include "emu/uverbs/events/message_queue.h"

/**
 * DOC: Event files whose messages another process has
 *
 * This process has a descriptor of the pipe (events/message_queue.h); the owner of the adapter has
 * the messages. The list has a lock of its own, so that close() may ask without uv_front_lock().
 * All functions but uv_pipe_exists() and uv_pipe_has_any() also need uv_front_lock().
 */

/** struct uv_pipe - such an event file */
struct uv_pipe {
	struct uv_pipe *next;
	dev_t dev;
	ino_t ino;
	enum uv_queue_kind kind;
	bool told; /* the user has read that the device is lost */
};

/** uv_pipe_add - remember an event file. Return: 0 or -ENOMEM */
int uv_pipe_add(dev_t dev, ino_t ino, enum uv_queue_kind kind);
/** uv_pipe_find - find the event file of a descriptor. Return: NULL if there is none */
struct uv_pipe *uv_pipe_find(const struct stat *st);
/** uv_pipe_exists - check whether a descriptor is of such an event file */
bool uv_pipe_exists(const struct stat *st);
/** uv_pipe_has_any - check whether there are event files. Takes no lock, so the answer is a hint */
bool uv_pipe_has_any(void);
/** uv_pipe_take_unused - remove an event file without a descriptor in this process, or NULL */
struct uv_pipe *uv_pipe_take_unused(void);

#endif
