/* SPDX-License-Identifier: BSD-3-Clause
 *
 * round_trip NAME: measures how long a firmware command takes, from a program and back.
 *
 * Two commands through DEVX: QUERY_HCA_CAP with 16 bytes of input and 4112 bytes of output, and
 * QUERY_Q_COUNTER with 32 and 256 bytes. The second one also in an asynchronous way: the time until
 * the start returns, and the time until the program has the reply.
 */
#include <infiniband/mlx5dv.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "prm/prm.h"

enum { COMMANDS = 1000, WARM = 20 };

/* Durations in us of COMMANDS commands. */
struct samples {
	double us[COMMANDS];
};

struct recipe {
	struct ibv_context *ctx;
	struct mlx5dv_devx_obj *counter;
	uint32_t counter_id;
	struct mlx5dv_devx_cmd_comp *replies;
};

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts @s. Returns the median; @best receives the smallest. */
static double compute_median(struct samples *s, double *best)
{
	qsort(s->us, COMMANDS, sizeof(s->us[0]), by_size);
	*best = s->us[0];
	return s->us[COMMANDS / 2];
}

static int query_caps(const struct recipe *p)
{
	struct prm_query_hca_cap_in in = { 0 };
	static struct prm_query_hca_cap_out out;

	prm_set(&in, opcode, PRM_OP_query_hca_cap);
	prm_set(&in, op_mod, PRM_HCA_CAP_OP_MOD_CURRENT);
	return mlx5dv_devx_general_cmd(p->ctx, &in, sizeof(in), &out, sizeof(out));
}

static struct prm_query_q_counter_in build_counter_query(const struct recipe *p)
{
	struct prm_query_q_counter_in in = { 0 };

	prm_set(&in, opcode, PRM_OP_query_q_counter);
	prm_set(&in, counter_set_id, p->counter_id);
	return in;
}

static int query_counter(const struct recipe *p)
{
	const struct prm_query_q_counter_in in = build_counter_query(p);
	struct prm_query_q_counter_out out = { 0 };

	return mlx5dv_devx_obj_query(p->counter, &in, sizeof(in), &out, sizeof(out));
}

static int start_query(const struct recipe *p, uint64_t wr_id)
{
	const struct prm_query_q_counter_in in = build_counter_query(p);

	return mlx5dv_devx_obj_query_async(p->counter, &in, sizeof(in),
					   sizeof(struct prm_query_q_counter_out), wr_id,
					   p->replies);
}

static int take_reply(const struct recipe *p, uint64_t wr_id)
{
	struct pollfd reply_waits = { .fd = p->replies->fd, .events = POLLIN };
	union {
		struct mlx5dv_devx_async_cmd_hdr hdr;
		uint8_t bytes[sizeof(uint64_t) + sizeof(struct prm_query_q_counter_out)];
	} reply;

	if (poll(&reply_waits, 1, -1) != 1)
		return -1;
	if (mlx5dv_devx_get_async_cmd_comp(p->replies, &reply.hdr, sizeof(reply)))
		return -1;
	return reply.hdr.wr_id != wr_id || reply.hdr.out_data[0] != PRM_STATUS_OK;
}

static int open_program(struct recipe *p)
{
	struct mlx5dv_context_attr attr = { .flags = MLX5DV_CONTEXT_FLAGS_DEVX };
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct prm_alloc_q_counter_in in = { 0 };
	struct prm_alloc_q_counter_out out = { 0 };

	p->ctx = list && list[0] ? mlx5dv_open_device(list[0], &attr) : NULL;
	if (!p->ctx)
		return -1;
	prm_set(&in, opcode, PRM_OP_alloc_q_counter);
	p->counter = mlx5dv_devx_obj_create(p->ctx, &in, sizeof(in), &out, sizeof(out));
	p->counter_id = (uint32_t)prm_get(&out, counter_set_id);
	p->replies = mlx5dv_devx_create_cmd_comp(p->ctx);
	return p->counter && p->replies ? 0 : -1;
}

static int measure_waiting(const struct recipe *p, int (*query)(const struct recipe *),
			   struct samples *s)
{
	for (int i = -WARM; i < COMMANDS; i++) {
		const double began = now_us();

		if (query(p))
			return -1;
		if (i >= 0)
			s->us[i] = now_us() - began;
	}
	return 0;
}

static int measure_async(const struct recipe *p, struct samples *start, struct samples *reply)
{
	for (int i = -WARM; i < COMMANDS; i++) {
		const double began = now_us();

		if (start_query(p, (uint64_t)(i + WARM)))
			return -1;
		const double started = now_us();

		if (take_reply(p, (uint64_t)(i + WARM)))
			return -1;
		if (i >= 0) {
			start->us[i] = started - began;
			reply->us[i] = now_us() - began;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "here";
	static struct samples caps, counter, start, reply;
	struct recipe p = { 0 };
	double best, best_reply;

	if (open_program(&p)) {
		perror("no RDMA device with DEVX and queue counters");
		return 1;
	}
	if (measure_waiting(&p, query_caps, &caps) ||
	    measure_waiting(&p, query_counter, &counter) || measure_async(&p, &start, &reply)) {
		perror("a query failed");
		return 1;
	}
	const double caps_us = compute_median(&caps, &best);

	printf("FIGURE: %s: a firmware command takes %.1f us (median of %d), %.1f at best\n", name,
	       caps_us, COMMANDS, best);
	const double counter_us = compute_median(&counter, &best);

	printf("FIGURE: %s: a query of a counter takes %.1f us (median of %d), %.1f at best\n",
	       name, counter_us, COMMANDS, best);
	const double start_us = compute_median(&start, &best);
	const double reply_us = compute_median(&reply, &best_reply);

	printf("FIGURE: %s: the same query asynchronously: the start takes %.1f us (%.1f at best), "
	       "the reply comes after %.1f us (%.1f at best)\n",
	       name, start_us, best, reply_us, best_reply);
	mlx5dv_devx_destroy_cmd_comp(p.replies);
	return mlx5dv_devx_obj_destroy(p.counter) || ibv_close_device(p.ctx) ? 1 : 0;
}
