/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_EVENTS_MESSAGE_QUEUE_H
#define EMU_UVERBS_EVENTS_MESSAGE_QUEUE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/**
 * DOC: Message queues of event files
 *
 *     uv_queue_push -> list of messages -> uv_queue_read -> read() of the user
 *                      pipe: holds one byte while the list has a message
 *
 * The user's descriptor is the read end of a pipe. So the host kernel itself serves poll, epoll,
 * O_NONBLOCK, F_GETFL and dup, and refuses write(). The preload serves read() with uv_queue_read().
 *
 * A queue exists until its event file is destroyed (uv_queue_close) and the process has no
 * descriptor of the pipe any more (uv_queue_reap).
 */

/** enum uv_queue_kind - the read() functions of Linux, which differ in their errors */
enum uv_queue_kind {
	UV_QUEUE_ASYNC,   /* uverbs_main.c, ib_uverbs_event_read */
	UV_QUEUE_COMP,    /* the same; unlike ASYNC it ends when its event file is destroyed */
	UV_QUEUE_COMMAND, /* devx.c, devx_async_cmd_event_read */
	UV_QUEUE_EVENT,   /* devx.c, devx_async_event_read */
};

struct uv_message;

/** struct uv_queue - messages for the user */
struct uv_queue {
	struct uv_queue *next; /* list of all queues of the process */
	enum uv_queue_kind kind;
	void *owner;    /* the event file, or NULL: it is destroyed */
	int fd;         /* both ends of the pipe, non-blocking; -1: closed */
	int wake;       /* eventfd on which readers block, or -1 */
	dev_t pipe_dev; /* device and inode of the pipe */
	ino_t pipe_ino;
	bool has_byte;      /* the pipe holds its byte */
	bool overflow;      /* an event was lost because memory ran out; read() reports it once */
	bool gone;          /* the process has no descriptor of the user's end any more */
	unsigned n_readers; /* threads in uv_queue_read() */
	unsigned n_blocked; /* those that wait on @wake */
	uint64_t in_use;    /* sum of the weights of all messages */
	struct uv_message *head, **tail;
};

/*
 * The event lock protects all state of this folder. Code that holds it takes no other lock. fork()
 * takes it, so that the child finds no half-delivered event.
 */
void uv_event_lock(void);
void uv_event_unlock(void);

/** uv_queue_open - create a queue for @owner. @user_fd receives the user's end. 0 or -errno */
int uv_queue_open(enum uv_queue_kind kind, void *owner, struct uv_queue **q, int *user_fd);

/**
 * uv_queue_read - read one message into the user's buffer; waits for one unless O_NONBLOCK is set
 * @st: result of uv_real_fstat() of @fd
 * @may_wait: false: -EAGAIN instead of waiting, also without O_NONBLOCK
 * @buf: user's buffer of @bytes bytes
 *
 * Return: length of the message; -ENOTTY: @fd is not an event file; else -errno of Linux' read()
 */
ssize_t uv_queue_read(int fd, const struct stat *st, bool may_wait, void *buf, size_t bytes);

/**
 * uv_queue_reap - find event files whose user has closed his last descriptor; frees closed queues
 *
 * Return: the owner of such a queue, which the caller must destroy; NULL: no such owner
 */
void *uv_queue_reap(void);
/** uv_queue_get_kind - kind of the queue of a descriptor. Return: -1 if it is not an event file */
int uv_queue_get_kind(const struct stat *st);
/** uv_queue_exists - check whether a descriptor is the user's end of a queue */
bool uv_queue_exists(const struct stat *st);
/** uv_queue_has_any - check whether a queue exists. Takes no lock, so the answer is a hint */
bool uv_queue_has_any(void);

/* ---- the caller holds the event lock ------------------------------------------------ */

/** uv_queue_find - owner of the queue of @st; NULL if it is not an event file, or is destroyed */
void *uv_queue_find(const struct stat *st);
/**
 * uv_queue_push - add a message
 * @n_read: counter that a read() of this message increments, or NULL
 * @weight: what the message adds to q->in_use
 *
 * Return: 0 or -ENOMEM; then q->overflow is set
 */
int uv_queue_push(struct uv_queue *q, uint32_t *n_read, const void *data, size_t bytes,
		  uint64_t weight);
/** uv_queue_has_unread - check whether an unread message counts in @n_read */
bool uv_queue_has_unread(const struct uv_queue *q, const uint32_t *n_read);
/** uv_queue_forget - stop counting in @n_read; @drop: remove the messages that count there */
void uv_queue_forget(struct uv_queue *q, const uint32_t *n_read, bool drop);
/**
 * uv_queue_forget_all - free all queues, in a child of fork: its parent process has the messages
 * @left: called for each pipe of which the child may have a descriptor
 */
void uv_queue_forget_all(void (*left)(dev_t dev, ino_t ino, enum uv_queue_kind kind));
/**
 * uv_queue_close - forget the owner, because the event file is destroyed
 *
 * Drops all messages and wakes the readers, except for UV_QUEUE_ASYNC, whose user can still read
 * what is there.
 */
void uv_queue_close(struct uv_queue *q);

/** struct uv_message - an unread message */
struct uv_message {
	struct uv_message *next;
	uint32_t *n_read; /* counter of read messages, or NULL */
	uint64_t weight;
	size_t bytes;
	uint8_t data[];
};

/* The caller holds the event lock, except for uv_message_deliver(). */

/** uv_message_set_readable - put the byte into the pipe, or take it out */
void uv_message_set_readable(struct uv_queue *q, bool readable);
/** uv_message_wake_readers - wake the threads that wait in uv_queue_read() */
void uv_message_wake_readers(struct uv_queue *q);
/**
 * uv_message_take - take the oldest message, which must exist, out of the queue
 * @room: size of the user's buffer
 *
 * Return: 0; -ENOSPC or -EINVAL, by the kind of the queue: the message is longer, and stays
 */
int uv_message_take(struct uv_queue *q, size_t room, struct uv_message **m);
/** uv_message_deliver - copy a taken message to the user and free it. Return: length or -EFAULT */
ssize_t uv_message_deliver(struct uv_message *m, void *buf);
/** uv_message_find_queue - queue of a descriptor; NULL if it is not an event file */
struct uv_queue *uv_message_find_queue(const struct stat *st);
/** uv_message_free_queue - free a queue that has no owner, descriptor and reader; or do nothing */
void uv_message_free_queue(struct uv_queue *q);
/** uv_message_drop_all - free all messages */
void uv_message_drop_all(struct uv_queue *q);

#endif
