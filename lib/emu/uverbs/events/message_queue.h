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
 *                      pipe: contains one byte while the list has a message
 *
 * The user's descriptor is the read end of a pipe. The host kernel therefore serves poll, epoll,
 * O_NONBLOCK, F_GETFL and dup, and refuses write(). The preload serves read() with uv_queue_read().
 *
 * A queue exists until its event file is destroyed (uv_queue_close) and the process has closed
 * every descriptor of the pipe (uv_queue_reap).
 */

/** enum uv_queue_kind - which read() function of Linux serves the file; their errors differ */
enum uv_queue_kind {
	UV_QUEUE_ASYNC,   /* uverbs_main.c, ib_uverbs_event_read */
	UV_QUEUE_COMP,    /* the same; but reads end when the event file is destroyed */
	UV_QUEUE_COMMAND, /* devx.c, devx_async_cmd_event_read */
	UV_QUEUE_EVENT,   /* devx.c, devx_async_event_read */
};

struct uv_message;

/** struct uv_queue - messages for the user */
struct uv_queue {
	struct uv_queue *next; /* list of all queues of the process */
	enum uv_queue_kind kind;
	void *owner;    /* the event file; NULL: destroyed */
	int fd;         /* both ends of the pipe, non-blocking; -1: closed */
	int wake;       /* eventfd on which readers block, or -1 */
	dev_t pipe_dev; /* device and inode of the pipe */
	ino_t pipe_ino;
	bool has_byte;      /* the byte is in the pipe */
	bool overflow;      /* an event was lost because memory ran out; read() reports it once */
	bool gone;          /* the process has closed every descriptor of the user's end */
	unsigned n_readers; /* threads in uv_queue_read() */
	unsigned n_blocked; /* threads that wait on @wake */
	uint64_t in_use;    /* sum of the weights of all messages */
	struct uv_message *head, **tail;
};

/*
 * The event lock protects all state in this folder. Code that holds it takes no other lock. fork()
 * takes the lock, so that the child does not find a half-delivered event.
 */
void uv_event_lock(void);
void uv_event_unlock(void);

/** uv_queue_open - create a queue. @user_fd: receives the user's end. Return: 0 or -errno */
int uv_queue_open(enum uv_queue_kind kind, void *owner, struct uv_queue **q, int *user_fd);

/**
 * uv_queue_read - read one message into the user's buffer; waits for one unless O_NONBLOCK is set
 * @st: result of uv_real_fstat() of @fd
 * @may_wait: false: fail with -EAGAIN instead of waiting, even without O_NONBLOCK
 * @buf: user's buffer of @bytes bytes
 *
 * Return: length of the message; -ENOTTY: @fd is not an event file; else -errno of Linux' read()
 */
ssize_t uv_queue_read(int fd, const struct stat *st, bool may_wait, void *buf, size_t bytes);

/**
 * uv_queue_reap - find an event file whose last descriptor is closed; free queues without owner
 *
 * Return: the event file, which the caller must destroy; NULL if there are no more
 */
void *uv_queue_reap(void);
/** uv_queue_get_kind - kind of the queue of a descriptor. Return: -1 if it is not an event file */
int uv_queue_get_kind(const struct stat *st);
/** uv_queue_exists - check whether a descriptor is the user's end of a queue */
bool uv_queue_exists(const struct stat *st);
/** uv_queue_has_any - check whether a queue exists. Takes no lock, so the answer is a hint */
bool uv_queue_has_any(void);

/* ---- the caller holds the event lock ------------------------------------------------ */

/** uv_queue_find - owner of the queue of @st; NULL: not an event file, or destroyed */
void *uv_queue_find(const struct stat *st);
/**
 * uv_queue_push - add a message
 * @n_read: counter that a read() of this message increments, or NULL
 * @weight: added to q->in_use while the message is unread
 *
 * Return: 0, or -ENOMEM with q->overflow set
 */
int uv_queue_push(struct uv_queue *q, uint32_t *n_read, const void *data, size_t bytes,
		  uint64_t weight);
/** uv_queue_has_unread - check whether the queue has a message with the counter @n_read */
bool uv_queue_has_unread(const struct uv_queue *q, const uint32_t *n_read);
/** uv_queue_forget - detach messages from the counter @n_read, or with @drop remove them */
void uv_queue_forget(struct uv_queue *q, const uint32_t *n_read, bool drop);
/**
 * uv_queue_forget_all - in a child of fork(): free all queues; the messages belong to the parent
 * @left: called for each pipe of which the child may have a descriptor
 */
void uv_queue_forget_all(void (*left)(dev_t dev, ino_t ino, enum uv_queue_kind kind));
/**
 * uv_queue_close - detach the queue from its event file, which is being destroyed
 *
 * Drops all messages and wakes the readers, except for UV_QUEUE_ASYNC, whose user can still read
 * the messages.
 */
void uv_queue_close(struct uv_queue *q);

struct uv_message {
	struct uv_message *next;
	uint32_t *n_read; /* counter of read messages, or NULL */
	uint64_t weight;
	size_t bytes;
	uint8_t data[];
};

/* The caller holds the event lock, except for uv_message_deliver(). */

/** uv_message_set_readable - write the byte to the pipe, or remove it */
void uv_message_set_readable(struct uv_queue *q, bool readable);
/** uv_message_wake_readers - wake the threads that wait in uv_queue_read() */
void uv_message_wake_readers(struct uv_queue *q);
/**
 * uv_message_take - remove the oldest message, which must exist, from the queue
 * @room: size of the user's buffer
 *
 * Return: 0; -ENOSPC or -EINVAL, depending on the kind of queue: the message is longer, and stays
 */
int uv_message_take(struct uv_queue *q, size_t room, struct uv_message **m);
/** uv_message_deliver - copy a taken message to the user and free it. Return: length or -EFAULT */
ssize_t uv_message_deliver(struct uv_message *m, void *buf);
/** uv_message_find_queue - queue of a descriptor; NULL if it is not an event file */
struct uv_queue *uv_message_find_queue(const struct stat *st);
/** uv_message_free_queue - free a queue if it has no owner, no descriptor and no reader */
void uv_message_free_queue(struct uv_queue *q);
void uv_message_drop_all(struct uv_queue *q);

#endif
