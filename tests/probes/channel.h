/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PROBES_CHANNEL_H
#define TESTS_PROBES_CHANNEL_H

#include "command.h"
#include "spark.h"

/** enum channel_kind - kinds of event files */
enum channel_kind {
	CHANNEL_COMMAND, /* replies to asynchronous queries */
	CHANNEL_EVENT,   /* DEVX events */
	CHANNEL_OMIT,    /* DEVX events without data */
	CHANNEL_ASYNC,   /* asynchronous events of verbs */
	CHANNEL_COMP,    /* completion events of verbs */
	N_CHANNELS,
};

enum { CHANNEL_ROOM = 1024 };

/** struct channel - an event file in a context of its own, and a source of messages */
struct channel {
	enum channel_kind kind;
	int fd, context;
	int last;     /* event file of the same kind, which gets each message last */
	size_t bytes; /* length of each message; 0: the probes cannot cause one */
	struct set set;
	struct spark spark; /* CHANNEL_EVENT, CHANNEL_OMIT */
};

/** channel_make - create an event file in the context of @fd. Return: a descriptor, or -1 */
int channel_make(enum channel_kind kind, int fd);
/** channel_subscribe - subscribe @channel to completions of the CQ. Return: 0 or errno */
int channel_subscribe(const struct set *s, int channel, uint64_t cookie);
/** channel_wait - wait up to 5 seconds until @fd is readable. Return: 0 or ETIMEDOUT */
int channel_wait(int fd);

/** channel_open - open a context, create the objects and the event file. Return: 0 or -1 */
int channel_open(struct channel *c, const struct world *w, enum channel_kind kind);
/** channel_fill - cause @n messages, and wait for them; CHANNEL_OMIT keeps only the first */
void channel_fill(struct channel *c, unsigned n);
/** channel_query_async - query the CQ of @c->set; the reply goes to file @fd */
void channel_query_async(const struct channel *c, int fd);
/** channel_query - query the CQ synchronously */
struct reply channel_query(const struct channel *c);
/** channel_destroy_objects - destroy the CQ and all objects that are younger. Return: 0 or errno */
int channel_destroy_objects(struct channel *c);
/** channel_close_context - close the uverbs file, and unmap its UAR */
void channel_close_context(struct channel *c);
/** channel_close - close what is still open */
void channel_close(struct channel *c);

#endif
