/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Descriptors of event files: read, poll and other calls, with and without a message, and after the
 * context is closed.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "channel.h"
#include "probes.h"

static const char *const names[N_CHANNELS] = {
	[CHANNEL_COMMAND] = "command", [CHANNEL_EVENT] = "event", [CHANNEL_OMIT] = "omit",
	[CHANNEL_ASYNC] = "async",     [CHANNEL_COMP] = "comp",
};

static void say_bytes(ssize_t n, int kind, const char *what)
{
	char text[32];

	snprintf(text, sizeof(text), "%zd-bytes", n);
	say_text(n < 0 ? strerrorname_np(errno) : text, "channel %s %s", names[kind], what);
}

/*
 * Linux reports the end of a file as POLLRDHUP or POLLERR. On emu the file is a pipe, which reports
 * POLLHUP.
 */
static void probe_poll(int fd, int kind, const char *what)
{
	enum { END = POLLERR | POLLHUP | POLLRDHUP };
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLOUT | POLLPRI | POLLRDHUP };
	char answer[16];

	poll(&p, 1, 0);
	snprintf(answer, sizeof(answer), "%s%s%s", p.revents & POLLIN ? "-in" : "",
		 p.revents & (POLLOUT | POLLPRI) ? "-out" : "", p.revents & END ? "-end" : "");
	say_text(*answer ? answer + 1 : "none", "channel %s poll %s", names[kind], what);
}

static void probe_read(int fd, int kind, void *buf, size_t bytes, const char *what)
{
	say_bytes(read(fd, buf, bytes), kind, what);
}

/* ---- an empty file ---------------------------------------------------------------- */

static void probe_flags(int fd, int kind)
{
	const int flags = fcntl(fd, F_GETFL);

	say_text((flags & O_ACCMODE) == O_RDONLY ? "read-only" : "writable", "channel %s access",
		 names[kind]);
	say_text(flags & O_NONBLOCK ? "non-blocking" : "blocking", "channel %s mode", names[kind]);
	say_text(fcntl(fd, F_GETFD) & FD_CLOEXEC ? "close-on-exec" : "open", "channel %s exec",
		 names[kind]);
}

static void probe_empty(const struct channel *c)
{
	const int fd = c->fd, kind = (int)c->kind, copy = dup(fd);
	static uint8_t buf[CHANNEL_ROOM];
	struct iovec iov = { buf, sizeof(buf) };
	void *at;

	probe_flags(fd, kind);
	probe_poll(fd, kind, "empty");
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	probe_read(fd, kind, buf, sizeof(buf), "read empty");
	probe_read(fd, kind, buf, 0, "read nothing, empty");
	probe_read(fd, kind, ask_nowhere(), sizeof(buf), "read nowhere, empty");
	say_bytes(readv(fd, &iov, 1), kind, "readv empty");
	probe_read(copy, kind, buf, sizeof(buf), "read empty, by a duplicate");
	close(copy);
	say_bytes(write(fd, buf, 8), kind, "write");
	say_bytes(pread(fd, buf, sizeof(buf), 0), kind, "pread");
	say_answer(lseek(fd, 0, SEEK_SET) < 0 ? errno : 0, SAY_NO_STATUS, "channel %s seek",
		   names[kind]);
	at = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
	say_answer(at == MAP_FAILED ? errno : 0, SAY_NO_STATUS, "channel %s map", names[kind]);
}

/* ---- messages --------------------------------------------------------------------- */

static void probe_short_reads(struct channel *c)
{
	static uint8_t buf[CHANNEL_ROOM];
	const int fd = c->fd, kind = (int)c->kind;
	const size_t half = c->bytes / 2;
	struct iovec halves[2] = { { buf, half }, { buf + half, c->bytes - half } };

	channel_fill(c, 1);
	probe_poll(fd, kind, "one");
	probe_read(fd, kind, buf, 0, "read nothing, one");
	probe_read(fd, kind, buf, 4, "read 4, one");
	probe_read(fd, kind, buf, c->bytes - 1, "read one less a byte");
	say_bytes(readv(fd, halves, 2), kind, "readv one in halves");
	probe_poll(fd, kind, "one, still there");
	probe_read(fd, kind, buf, c->bytes, "read one");
	probe_poll(fd, kind, "one, read");
	probe_read(fd, kind, buf, c->bytes, "read one, again");
	channel_fill(c, 1);
	probe_read(fd, kind, ask_nowhere(), c->bytes, "read one nowhere");
	probe_read(fd, kind, buf, c->bytes, "read one nowhere, again");
}

static void probe_many_reads(struct channel *c)
{
	static uint8_t buf[CHANNEL_ROOM];
	const int fd = c->fd, kind = (int)c->kind, copy = dup(fd);
	struct iovec both[2] = { { buf, c->bytes }, { buf + c->bytes, c->bytes } };

	channel_fill(c, 2);
	probe_read(fd, kind, buf, sizeof(buf), "read two");
	probe_poll(fd, kind, "two, one read");
	probe_read(copy, kind, buf, sizeof(buf), "read two, by a duplicate");
	probe_poll(fd, kind, "two, both read");
	channel_fill(c, 2);
	say_bytes(readv(fd, both, 2), kind, "readv two");
	probe_read(fd, kind, buf, sizeof(buf), "readv two, again");
	close(copy);
}

/* ---- the end ---------------------------------------------------------------------- */

/* Closes the context while the channel is open. The queues hold no mapping any more. */
static void probe_closed(const struct world *w, enum channel_kind kind, bool filled)
{
	static uint8_t buf[CHANNEL_ROOM];
	const char *const how = filled ? "closed with a message" : "closed";
	char what[64];
	struct channel c;

	if (channel_open(&c, w, kind))
		abort();
	if (filled)
		channel_fill(&c, 1);
	channel_close_context(&c);
	snprintf(what, sizeof(what), "%s", how);
	probe_poll(c.fd, (int)kind, what);
	if (kind != CHANNEL_ASYNC) { /* its read() would wait without end */
		snprintf(what, sizeof(what), "read, %s", how);
		probe_read(c.fd, (int)kind, buf, sizeof(buf), what);
		snprintf(what, sizeof(what), "read 4, %s", how);
		probe_read(c.fd, (int)kind, buf, 4, what);
	}
	fcntl(c.fd, F_SETFL, fcntl(c.fd, F_GETFL) | O_NONBLOCK);
	snprintf(what, sizeof(what), "read non-blocking, %s", how);
	probe_read(c.fd, (int)kind, buf, sizeof(buf), what);
	channel_close(&c);
}

static void probe_query_still_works(const struct channel *c, const char *when)
{
	struct reply r = channel_query(c);

	say_answer(r.error, r.status, "channel %s query, %s", names[c->kind], when);
}

static void probe_closed_channel(const struct world *w, enum channel_kind kind)
{
	struct channel c;

	if (channel_open(&c, w, kind))
		abort();
	channel_fill(&c, 2);
	close(c.fd);
	c.fd = -1;
	probe_query_still_works(&c, "channel closed with messages");
	channel_close(&c);
}

/* The object of the messages is destroyed while they are unread. */
static void probe_destroyed_object(const struct world *w, enum channel_kind kind)
{
	static uint8_t buf[CHANNEL_ROOM];
	struct channel c;

	if (channel_open(&c, w, kind))
		abort();
	channel_fill(&c, 1);
	say_answer(channel_destroy_objects(&c), SAY_NO_STATUS, "channel %s destroy with a message",
		   names[kind]);
	probe_read(c.fd, (int)kind, buf, sizeof(buf), "read of a destroyed object");
	channel_close(&c);
}

void probe_channels(const struct world *w)
{
	for (int kind = 0; kind < N_CHANNELS; kind++) {
		struct channel c;

		if (channel_open(&c, w, (enum channel_kind)kind))
			abort();
		probe_empty(&c);
		if (c.bytes) {
			probe_short_reads(&c);
			probe_many_reads(&c);
		}
		channel_close(&c);
		probe_closed(w, (enum channel_kind)kind, false);
		if (!c.bytes)
			continue;
		probe_closed(w, (enum channel_kind)kind, true);
		probe_closed_channel(w, (enum channel_kind)kind);
		probe_destroyed_object(w, (enum channel_kind)kind);
	}
}
