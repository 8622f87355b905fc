/* SPDX-License-Identifier: BSD-3-Clause */
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <stdio.h>
#include <unistd.h>

#include "probes.h"

static void probe_eqn(const struct world *w, const char *name, uint32_t vector)
{
	uint32_t eqn = 0;
	struct ask a = eqn_of(vector, &eqn);

	say_answer(ask_send(&a, w->mine.fd), SAY_NO_STATUS, "eqn %s", name);
}

static void probe_uar(const struct world *w, const char *name, uint64_t type)
{
	uint64_t offset;
	uint32_t bytes, page_id;
	struct ask a = uar_of(type, &offset, &bytes, &page_id);
	const int error = ask_send(&a, w->mine.fd);

	say_answer(error, SAY_NO_STATUS, "uar %s", name);
	if (!error)
		ask_destroy(w->mine.fd, MLX5_IB_OBJECT_UAR, MLX5_IB_METHOD_UAR_OBJ_DESTROY,
			    MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE, ask_handle(&a));
}

/* Asks for the UAR of a doorbell register. GET_CONTEXT gave this context no such registers. */
static void probe_query_uar(const struct world *w, const char *name, uint32_t index)
{
	uint32_t uar_index;
	struct ask a = ask_of(MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_QUERY_UAR);

	ask_num32(&a, "user_index", MLX5_IB_ATTR_DEVX_QUERY_UAR_USER_IDX, index);
	ask_out(&a, "index", MLX5_IB_ATTR_DEVX_QUERY_UAR_DEV_IDX, &uar_index, sizeof(uar_index));
	say_answer(ask_send(&a, w->mine.fd), SAY_NO_STATUS, "query-uar %s", name);
}

/* Probes the EQ number of CREATE_CQ, which the kernel looks up before it sends the command. */
static void probe_cq_on_eqn(const struct world *w, const char *name, uint32_t eqn)
{
	uint8_t in[COMMAND_BYTES];
	struct command c = { .by = BY_CREATE,
			     .fd = w->mine.fd,
			     .in = in,
			     .out_bytes = sizeof(struct prm_create_cq_out) };
	struct reply r;

	c.in_bytes = recipe_make(recipe_of(BY_CREATE, PRM_OP_create_cq), PRM_OP_create_cq, in, w,
				 &w->mine);
	prm_set(prm_sub((struct prm_create_cq_in *)in, cq_context), c_eqn_or_apu_element, eqn);
	r = command_run(&c);
	say_answer(r.error, r.status, "create create_cq on-eqn %s", name);
}

static void probe_async_out_len(const struct world *w, const char *name, uint64_t len)
{
	uint8_t in[COMMAND_BYTES];
	struct ask fd = cmd_fd_of(), a;
	struct command c = { .by = BY_ASYNC,
			     .fd = w->mine.fd,
			     .in = in,
			     .out_bytes = len,
			     .handle = w->mine.o[THING_create_cq].handle };

	if (ask_send(&fd, w->mine.fd))
		return;
	c.cmd_fd = (int)ask_handle(&fd);
	c.in_bytes =
		recipe_make(recipe_of(BY_QUERY, PRM_OP_query_cq), PRM_OP_query_cq, in, w, &w->mine);
	a = command_ask(&c, NULL);
	say_answer(ask_send(&a, c.fd), SAY_NO_STATUS, "async query_cq %s", name);
	close(c.cmd_fd);
}

/* Sends queries without reading the replies. Linux limits unread replies to 1 MiB. */
static void probe_async_unread(const struct world *w)
{
	enum { MIB = 1 << 20, BIG = 32768, FIT = MIB / BIG };
	uint8_t in[COMMAND_BYTES];
	struct ask fd = cmd_fd_of(), a;
	struct command c = { .by = BY_ASYNC,
			     .fd = w->mine.fd,
			     .in = in,
			     .out_bytes = BIG,
			     .handle = w->mine.o[THING_create_cq].handle };
	int error = ask_send(&fd, w->mine.fd);

	if (error)
		return;
	c.cmd_fd = (int)ask_handle(&fd);
	c.in_bytes =
		recipe_make(recipe_of(BY_QUERY, PRM_OP_query_cq), PRM_OP_query_cq, in, w, &w->mine);
	for (int i = 0; !error && i <= FIT; i++) {
		a = command_ask(&c, NULL);
		error = ask_send(&a, c.fd);
	}
	say_answer(error, SAY_NO_STATUS, "async query_cq unread, more-than-a-MiB");
	close(c.cmd_fd);
}

static void probe_event_fd(const struct world *w, const char *name, uint64_t flags)
{
	struct ask a = event_fd_of(flags);
	const int error = ask_send(&a, w->mine.fd);

	say_answer(error, SAY_NO_STATUS, "event-fd %s", name);
	if (!error)
		close((int)ask_handle(&a));
}

void probe_values(const struct world *w)
{
	probe_eqn(w, "first", 0);
	probe_eqn(w, "far-behind-the-last", 1000);
	probe_eqn(w, "65535", 65535);
	probe_eqn(w, "65536", 65536);
	probe_eqn(w, "negative", UINT32_MAX);
	probe_uar(w, "bf", MLX5_IB_UAPI_UAR_ALLOC_TYPE_BF);
	probe_uar(w, "nc", MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC);
	probe_uar(w, "of-no-type", 2);
	probe_uar(w, "of-a-type-too-wide", 1ull << 32);
	probe_uar(w, "of-a-negative-type", UINT64_MAX);
	probe_query_uar(w, "0", 0);
	probe_query_uar(w, "far-behind-the-last", 1000000);
	probe_cq_on_eqn(w, "none", 0xffff);
	probe_cq_on_eqn(w, "too-wide", 1u << 31);
	probe_async_out_len(w, "out-len 65535", 65535);
	probe_async_out_len(w, "out-len 65536", 65536);
	probe_async_out_len(w, "out-len negative", UINT64_MAX);
	probe_async_unread(w);
	probe_event_fd(w, "flags none", 0);
	probe_event_fd(w, "flags omit-data", 1);
	probe_event_fd(w, "flags 2", 2);
	probe_event_fd(w, "flags too-wide", 1ull << 32);
}
