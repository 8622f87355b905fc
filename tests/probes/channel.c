/* SPDX-License-Identifier: BSD-3-Clause */
#include "channel.h"

#include <errno.h>
#include <poll.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <stdlib.h>
#include <unistd.h>

#include "prm/cqe.h"

enum { WAIT_MS = 5000 };

static int make_comp_channel(int fd)
{
	static const struct ib_uverbs_create_comp_channel cmd;
	struct ib_uverbs_create_comp_channel_resp resp;
	struct ask a = ask_of(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE);

	ask_in(&a, "in", UVERBS_ATTR_CORE_IN, &cmd, sizeof(cmd));
	ask_out(&a, "out", UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
	ask_num(&a, "cmd", UVERBS_ATTR_WRITE_CMD, IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL);
	return ask_send(&a, fd) ? -1 : (int)resp.fd;
}

int channel_make(enum channel_kind kind, int fd)
{
	struct ask a = cmd_fd_of();

	if (kind == CHANNEL_COMP)
		return make_comp_channel(fd);
	if (kind == CHANNEL_EVENT || kind == CHANNEL_OMIT)
		a = event_fd_of(kind == CHANNEL_OMIT ? MLX5_IB_UAPI_DEVX_CR_EV_CH_FLAGS_OMIT_DATA
						     : 0);
	if (kind == CHANNEL_ASYNC) {
		a = ask_of(UVERBS_OBJECT_ASYNC_EVENT, UVERBS_METHOD_ASYNC_EVENT_ALLOC);
		ask_new(&a, "fd", UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE);
	}
	return ask_send(&a, fd) ? -1 : (int)ask_handle(&a);
}

int channel_subscribe(const struct set *s, int channel, uint64_t cookie)
{
	const uint16_t event = PRM_EVENT_COMP;
	struct ask a = ask_of(MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_SUBSCRIBE_EVENT);

	ask_obj(&a, "channel", MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE, channel);
	ask_obj(&a, "obj", MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_OBJ_HANDLE,
		s->o[THING_create_cq].handle);
	ask_in(&a, "events", MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST, &event,
	       sizeof(event));
	ask_num(&a, "cookie", MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE, cookie);
	return ask_send(&a, s->fd);
}

int channel_wait(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, WAIT_MS) == 1 ? 0 : ETIMEDOUT;
}

/* ---- open ------------------------------------------------------------------------- */

static bool has_events(const struct channel *c)
{
	return c->kind == CHANNEL_EVENT || c->kind == CHANNEL_OMIT;
}

static size_t get_length(enum channel_kind kind)
{
	switch (kind) {
	case CHANNEL_COMMAND:
		return sizeof(struct mlx5_ib_uapi_devx_async_cmd_hdr) +
		       sizeof(struct prm_query_cq_out);
	case CHANNEL_EVENT:
		return sizeof(struct mlx5_ib_uapi_devx_async_event_hdr) + sizeof(struct prm_eqe);
	case CHANNEL_OMIT:
		return sizeof(struct mlx5_ib_uapi_devx_async_event_hdr);
	default:
		return 0;
	}
}

int channel_open(struct channel *c, const struct world *w, enum channel_kind kind)
{
	*c = (struct channel){ .kind = kind, .bytes = get_length(kind), .last = -1 };
	c->context = context_open_devx(w);
	if (c->context < 0 || world_make_set(w, &c->set, c->context))
		return -1;
	c->fd = channel_make(kind, c->context);
	if (c->fd < 0 || spark_open(&c->spark, &c->set))
		return -1;
	c->last = channel_make(has_events(c) ? CHANNEL_EVENT : CHANNEL_COMMAND, c->context);
	if (has_events(c) &&
	    (channel_subscribe(&c->set, c->fd, 1) || channel_subscribe(&c->set, c->last, 2)))
		return -1;
	return 0;
}

/* ---- messages --------------------------------------------------------------------- */

static struct command query_of(const struct channel *c, uint8_t *in)
{
	struct command cmd = { .by = BY_ASYNC,
			       .fd = c->context,
			       .handle = c->set.o[THING_create_cq].handle,
			       .in = in,
			       .out_bytes = sizeof(struct prm_query_cq_out) };

	cmd.in_bytes = recipe_make(recipe_of(BY_QUERY, PRM_OP_query_cq), PRM_OP_query_cq, in, NULL,
				   &c->set);
	return cmd;
}

void channel_query_async(const struct channel *c, int fd)
{
	uint8_t in[COMMAND_BYTES];
	struct command cmd = query_of(c, in);
	struct ask a;

	cmd.cmd_fd = fd;
	a = command_ask(&cmd, NULL);
	if (ask_send(&a, c->context))
		abort();
}

/*
 * The file c->last gets a message after each message of c->fd: the last subscription, or the reply
 * to the last query. So all messages have arrived when c->last is readable.
 */
void channel_fill(struct channel *c, unsigned n)
{
	static uint8_t buf[CHANNEL_ROOM];

	for (unsigned i = 0; i < n; i++) {
		if (has_events(c)) {
			spark_raise(&c->spark);
		} else {
			channel_query_async(c, c->fd);
			channel_query_async(c, c->last);
		}
		if (channel_wait(c->last) || read(c->last, buf, sizeof(buf)) < 0)
			abort();
	}
}

struct reply channel_query(const struct channel *c)
{
	uint8_t in[COMMAND_BYTES];
	struct command cmd = query_of(c, in);

	cmd.by = BY_QUERY;
	return command_run(&cmd);
}

/* ---- close ------------------------------------------------------------------------ */

int channel_destroy_objects(struct channel *c)
{
	int error = 0;

	/* in reverse order, because objects refer to older ones only */
	for (int i = N_THINGS - 1; !error && i >= THING_create_cq; i--)
		if (c->set.o[i].made)
			error = command_destroy(c->context, c->set.o[i].handle);
	return error;
}

void channel_close_context(struct channel *c)
{
	spark_close(&c->spark);
	if (c->context >= 0)
		close(c->context);
	c->context = -1;
}

void channel_close(struct channel *c)
{
	channel_close_context(c);
	if (c->fd >= 0)
		close(c->fd);
	if (c->last >= 0)
		close(c->last);
	free(c->set.mem);
	c->fd = c->last = -1;
	c->set.mem = NULL;
}
