/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Delivery of events and replies: which files get them, how often and in which order.
 */
#include <errno.h>
#include <fcntl.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "channel.h"
#include "prm/cqe.h"
#include "probes.h"

enum { MAX_TEXT = 64 };

/* Prints the cookies or request ids of all messages of @fd, such as "1-2-2", or "none". */
static void say_messages(int fd, const char *name)
{
	char text[MAX_TEXT] = "";
	uint64_t buf[CHANNEL_ROOM / sizeof(uint64_t)];

	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	while (read(fd, buf, sizeof(buf)) > 0) {
		const size_t used = strlen(text);

		snprintf(text + used, sizeof(text) - used, "%s%u", used ? "-" : "",
			 (unsigned)buf[0]);
	}
	say_text(*text ? text : "none", "deliver %s", name);
}

static void open_or_abort(struct channel *c, const struct world *w, enum channel_kind kind)
{
	if (channel_open(c, w, kind))
		abort();
}

/* Removes the subscription of c->last, and makes it the youngest one again. */
static void renew_last(struct channel *c)
{
	close(c->last);
	c->last = channel_make(CHANNEL_EVENT, c->context);
	if (c->last < 0 || channel_subscribe(&c->set, c->last, 99))
		abort();
}

static int subscribe_list(const struct channel *c, const uint16_t *events, size_t bytes,
			  const int *redirect)
{
	struct ask a = ask_of(MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_SUBSCRIBE_EVENT);

	ask_obj(&a, "channel", MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE, c->fd);
	ask_obj(&a, "obj", MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_OBJ_HANDLE,
		c->set.o[THING_create_cq].handle);
	ask_in(&a, "events", MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST, events, bytes);
	if (redirect)
		ask_num32(&a, "eventfd", MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_NUM,
			  (uint32_t)*redirect);
	else
		ask_num(&a, "cookie", MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE, 5);
	return ask_send(&a, c->context);
}

/* ---- one event, several subscriptions --------------------------------------------- */

static void probe_order(const struct world *w, enum channel_kind kind, const char *name)
{
	static const uint16_t twice[2] = { PRM_EVENT_COMP, PRM_EVENT_COMP };
	static const uint16_t others[2] = { PRM_EVENT_CQ_ERROR, PRM_EVENT_COMP };
	struct channel c;
	char text[MAX_TEXT];

	open_or_abort(&c, w, kind);
	channel_fill(&c, 3);
	snprintf(text, sizeof(text), "%s, three events", name);
	say_messages(c.fd, text);
	channel_subscribe(&c.set, c.fd, 3);
	channel_subscribe(&c.set, c.fd, 2);
	renew_last(&c);
	channel_fill(&c, 1);
	snprintf(text, sizeof(text), "%s, three subscriptions", name);
	say_messages(c.fd, text);
	channel_fill(&c, 2);
	snprintf(text, sizeof(text), "%s, three subscriptions, two events", name);
	say_messages(c.fd, text);
	say_answer(subscribe_list(&c, twice, sizeof(twice), NULL), SAY_NO_STATUS,
		   "deliver %s, subscribe to the same event twice", name);
	renew_last(&c);
	channel_fill(&c, 1);
	snprintf(text, sizeof(text), "%s, the same event twice", name);
	say_messages(c.fd, text);
	subscribe_list(&c, others, sizeof(others), NULL);
	renew_last(&c);
	channel_fill(&c, 1);
	snprintf(text, sizeof(text), "%s, two events in a list", name);
	say_messages(c.fd, text);
	channel_close(&c);
}

static void probe_two_channels(const struct world *w)
{
	struct channel c;
	int other;

	open_or_abort(&c, w, CHANNEL_EVENT);
	other = channel_make(CHANNEL_OMIT, c.context);
	channel_subscribe(&c.set, other, 7);
	renew_last(&c);
	channel_fill(&c, 2);
	say_messages(c.fd, "two channels, first");
	say_messages(other, "two channels, without data");
	close(other);
	channel_fill(&c, 1);
	say_messages(c.fd, "two channels, other closed");
	channel_close(&c);
}

/* ---- eventfds --------------------------------------------------------------------- */

static void say_count(int event, const char *name)
{
	char text[MAX_TEXT];
	uint64_t n = 0;

	if (read(event, &n, sizeof(n)) < 0)
		n = 0;
	snprintf(text, sizeof(text), "%u", (unsigned)n);
	say_text(text, "deliver %s", name);
}

static void probe_eventfds(const struct world *w)
{
	static const uint16_t events[1] = { PRM_EVENT_COMP };
	struct channel c;
	const int event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	open_or_abort(&c, w, CHANNEL_EVENT);
	close(c.fd);
	c.fd = channel_make(CHANNEL_EVENT, c.context);
	subscribe_list(&c, events, sizeof(events), &event);
	renew_last(&c);
	channel_fill(&c, 3);
	say_count(event, "eventfd, three events");
	say_messages(c.fd, "eventfd, the channel");
	close(c.fd);
	c.fd = -1;
	channel_fill(&c, 1);
	say_count(event, "eventfd, channel closed");
	close(event);
	channel_close(&c);
}

/* ---- objects that are gone -------------------------------------------------------- */

static void probe_gone(const struct world *w)
{
	static uint64_t buf[CHANNEL_ROOM / sizeof(uint64_t)];
	struct channel c;

	open_or_abort(&c, w, CHANNEL_EVENT);
	channel_fill(&c, 1);
	channel_destroy_objects(&c);
	say_answer(channel_subscribe(&c.set, c.fd, 8), SAY_NO_STATUS,
		   "deliver subscribe to a destroyed CQ");
	say_messages(c.fd, "destroyed CQ");
	say_answer(read(c.fd, buf, sizeof(buf)) < 0 ? errno : 0, SAY_NO_STATUS,
		   "deliver destroyed CQ, again");
	channel_close(&c);
}

/* ---- unread replies --------------------------------------------------------------- */

static int query_cq(const struct channel *c, size_t out_bytes)
{
	uint8_t in[COMMAND_BYTES];
	struct command cmd = { .by = BY_ASYNC,
			       .fd = c->context,
			       .cmd_fd = c->fd,
			       .handle = c->set.o[THING_create_cq].handle,
			       .in = in,
			       .out_bytes = out_bytes };
	struct ask a;

	cmd.in_bytes = recipe_make(recipe_of(BY_QUERY, PRM_OP_query_cq), PRM_OP_query_cq, in, NULL,
				   &c->set);
	a = command_ask(&cmd, NULL);
	return ask_send(&a, c->context);
}

/* Sends queries until one fails, at most 100. Return: number of those that succeeded */
static unsigned fill_replies(const struct channel *c, size_t out_bytes, int *error)
{
	unsigned n = 0;

	do
		*error = query_cq(c, out_bytes);
	while (!*error && ++n < 100);
	return n;
}

static void probe_unread(const struct world *w)
{
	enum { BIG = 32768, MIB = 1 << 20 };
	static uint8_t buf[MIB];
	struct channel c;
	char text[MAX_TEXT];
	int error;

	open_or_abort(&c, w, CHANNEL_COMMAND);
	snprintf(text, sizeof(text), "%u", fill_replies(&c, BIG, &error));
	say_text(text, "deliver unread replies of 32 KiB");
	say_answer(error, SAY_NO_STATUS, "deliver unread replies, one more");
	say_answer(query_cq(&c, sizeof(struct prm_query_cq_out)), SAY_NO_STATUS,
		   "deliver unread replies, a small one more");
	say_answer(query_cq(&c, 0), SAY_NO_STATUS, "deliver unread replies, an empty one more");
	if (channel_wait(c.fd) || read(c.fd, buf, sizeof(buf)) < 0)
		abort();
	say_answer(query_cq(&c, BIG), SAY_NO_STATUS, "deliver unread replies, one read");
	say_answer(query_cq(&c, BIG), SAY_NO_STATUS, "deliver unread replies, one read, one more");
	channel_close(&c);
}

void probe_deliveries(const struct world *w)
{
	probe_order(w, CHANNEL_EVENT, "with data");
	probe_order(w, CHANNEL_OMIT, "without data");
	probe_two_channels(w);
	probe_eventfds(w);
	probe_gone(w);
	probe_unread(w);
}
