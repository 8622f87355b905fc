/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Matchers and flows.
 */
#include <infiniband/mlx5dv.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <stdio.h>
#include <string.h>

#include "probes.h"

enum {
	OUTER = PRM_MATCH_OUTER_HEADERS,
	MATCH_BYTES = sizeof(struct mlx5_ib_match_params),
	EGRESS = 1 << 2,
	DEFAULT_MISS = MLX5_IB_ATTR_CREATE_FLOW_FLAGS_DEFAULT_MISS,
	DROP = MLX5_IB_ATTR_CREATE_FLOW_FLAGS_DROP
};

/* ---- matchers --------------------------------------------------------------------------- */

/** struct match - mask of a matcher, or value of a flow */
struct match {
	struct prm_fte_match_param param;
	uint8_t more[MATCH_BYTES + 4 - sizeof(struct prm_fte_match_param)];
};

static const struct match everything;

static void add_flow_type(struct ask *a, uint8_t type, uint16_t priority)
{
	const bool normal = type == MLX5_IB_FLOW_TYPE_NORMAL;

	ask_in(a, "type", MLX5_IB_ATTR_FLOW_MATCHER_FLOW_TYPE, &priority,
	       normal ? sizeof(priority) : 0);
	a->attr[a->hdr.num_attrs - 1].attr_data.enum_data.elem_id = type;
}

static struct ask matcher_with(const struct match *mask, size_t bytes, uint8_t criteria,
			       uint8_t type, uint16_t priority)
{
	struct ask a = ask_of(MLX5_IB_OBJECT_FLOW_MATCHER, MLX5_IB_METHOD_FLOW_MATCHER_CREATE);

	ask_new(&a, "handle", MLX5_IB_ATTR_FLOW_MATCHER_CREATE_HANDLE);
	ask_in(&a, "mask", MLX5_IB_ATTR_FLOW_MATCHER_MATCH_MASK, mask, bytes);
	add_flow_type(&a, type, priority);
	ask_in(&a, "criteria", MLX5_IB_ATTR_FLOW_MATCHER_MATCH_CRITERIA, &criteria, 1);
	return a;
}

struct ask matcher_of(void)
{
	return matcher_with(&everything, sizeof(everything.param), 0, MLX5_IB_FLOW_TYPE_NORMAL, 0);
}

static void drop_matcher(int fd, uint32_t handle)
{
	ask_destroy(fd, MLX5_IB_OBJECT_FLOW_MATCHER, MLX5_IB_METHOD_FLOW_MATCHER_DESTROY,
		    MLX5_IB_ATTR_FLOW_MATCHER_DESTROY_HANDLE, handle);
}

static void drop_flow(int fd, uint32_t handle)
{
	ask_destroy(fd, UVERBS_OBJECT_FLOW, MLX5_IB_METHOD_DESTROY_FLOW,
		    MLX5_IB_ATTR_DESTROY_FLOW_HANDLE, handle);
}

struct ask flow_of(uint32_t matcher)
{
	struct ask a = ask_of(UVERBS_OBJECT_FLOW, MLX5_IB_METHOD_CREATE_FLOW);

	ask_new(&a, "handle", MLX5_IB_ATTR_CREATE_FLOW_HANDLE);
	ask_in(&a, "value", MLX5_IB_ATTR_CREATE_FLOW_MATCH_VALUE, &everything,
	       sizeof(everything.param));
	ask_obj(&a, "matcher", MLX5_IB_ATTR_CREATE_FLOW_MATCHER, matcher);
	ask_num(&a, "flags", MLX5_IB_ATTR_CREATE_FLOW_FLAGS, DROP);
	return a;
}

/* Creates a matcher and a flow: the kernel checks much of a matcher only when a flow uses it. */
static void probe_matcher(const struct world *w, struct ask *m, const char *name)
{
	const int fd = w->mine.fd, refused = ask_send(m, fd);
	struct ask f = flow_of(refused ? NO_HANDLE : ask_handle(m));
	const int error = ask_send(&f, fd);

	say_answer(refused, SAY_NO_STATUS, "matcher %s", name);
	say_answer(error, SAY_NO_STATUS, "matcher %s, flow", name);
	if (!error)
		drop_flow(fd, ask_handle(&f));
	if (!refused)
		drop_matcher(fd, ask_handle(m));
}

static void probe_priorities(const struct world *w)
{
	static const uint16_t priorities[] = { 0, 1, 15, 16, 255, 65535 };

	for (size_t i = 0; i < sizeof(priorities) / sizeof(priorities[0]); i++) {
		struct ask m = matcher_with(&everything, sizeof(everything.param), 0,
					    MLX5_IB_FLOW_TYPE_NORMAL, priorities[i]);
		char name[32];

		snprintf(name, sizeof(name), "priority %u", priorities[i]);
		probe_matcher(w, &m, name);
	}
}

static void probe_types(const struct world *w)
{
	for (uint8_t type = 0; type <= MLX5_IB_FLOW_TYPE_MC_DEFAULT + 1; type++) {
		struct ask m = matcher_with(&everything, sizeof(everything.param), 0, type, 0);
		char name[32];

		snprintf(name, sizeof(name), "type %u", type);
		probe_matcher(w, &m, name);
	}
	for (uint64_t type = 0; type <= 11; type++) {
		struct ask m = matcher_of();
		char name[32] = "table-type too-wide";

		ask_num(&m, "ft_type", MLX5_IB_ATTR_FLOW_MATCHER_FT_TYPE,
			type <= 10 ? type : 1ull << 32);
		if (type <= 10)
			snprintf(name, sizeof(name), "table-type %u", (unsigned)type);
		probe_matcher(w, &m, name);
	}
}

static void probe_flags(const struct world *w)
{
	static const struct {
		const char *name;
		uint64_t flags;
	} rows[] = {
		{ "flags none", 0 },
		{ "flags dont-trap", 2 },
		{ "flags egress", EGRESS },
		{ "flags too-wide", 1ull << 32 },
	};
	struct ask m;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		m = matcher_of();
		ask_num(&m, "flags", MLX5_IB_ATTR_FLOW_MATCHER_FLOW_FLAGS, rows[i].flags);
		probe_matcher(w, &m, rows[i].name);
	}
	m = matcher_of();
	ask_num(&m, "flags", MLX5_IB_ATTR_FLOW_MATCHER_FLOW_FLAGS, 0);
	ask_num(&m, "ft_type", MLX5_IB_ATTR_FLOW_MATCHER_FT_TYPE, 0);
	probe_matcher(w, &m, "flags and-table-type");
}

/*
 * Creates a matcher without a flow. Linux accepts masks of MATCH_BYTES, and a flow would copy them
 * into the shorter prm_fte_match_param, which crashes the kernel.
 */
static void probe_matcher_alone(const struct world *w, struct ask *m, const char *name)
{
	const int error = ask_send(m, w->mine.fd);

	say_answer(error, SAY_NO_STATUS, "matcher %s", name);
	if (!error)
		drop_matcher(w->mine.fd, ask_handle(m));
}

static void probe_masks(const struct world *w)
{
	static const size_t lengths[] = { 1, 2, 4, 8, 9, 64, sizeof(struct prm_fte_match_param) };
	struct match mask = everything;
	struct ask m;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		char name[32];

		m = matcher_with(&mask, lengths[i], 0, MLX5_IB_FLOW_TYPE_NORMAL, 0);
		snprintf(name, sizeof(name), "mask of %zu", lengths[i]);
		probe_matcher(w, &m, name);
	}
	m = matcher_with(&mask, MATCH_BYTES, 0, MLX5_IB_FLOW_TYPE_NORMAL, 0);
	probe_matcher_alone(w, &m, "mask of-the-most");
	m = matcher_with(&mask, MATCH_BYTES + 4, 0, MLX5_IB_FLOW_TYPE_NORMAL, 0);
	probe_matcher_alone(w, &m, "mask of-more");
	mask.more[0] = 1;
	m = matcher_with(&mask, MATCH_BYTES, 0, MLX5_IB_FLOW_TYPE_NORMAL, 0);
	probe_matcher_alone(w, &m, "mask behind-the-last-part");
	mask = everything;
	prm_set(prm_sub(&mask.param, outer_headers), ethertype, 0xffff);
	m = matcher_with(&mask, sizeof(mask.param), 0, MLX5_IB_FLOW_TYPE_NORMAL, 0);
	probe_matcher(w, &m, "mask outside-criteria");
	m = matcher_with(&mask, sizeof(mask.param), OUTER, MLX5_IB_FLOW_TYPE_NORMAL, 0);
	probe_matcher(w, &m, "mask of-ethertype");
	m = matcher_with(&everything, sizeof(everything.param), OUTER, MLX5_IB_FLOW_TYPE_NORMAL, 0);
	probe_matcher(w, &m, "criteria of-nothing");
	m = matcher_with(&everything, sizeof(everything.param), 0xff, MLX5_IB_FLOW_TYPE_NORMAL, 0);
	probe_matcher(w, &m, "criteria all");
}

/* ---- flows --------------------------------------------------------------------------------- */

/** struct route - destination and actions of a flow */
struct route {
	const char *name;
	int64_t dest;  /* < 0: no destination */
	int64_t flags; /* < 0: no flags */
	int64_t counter, tag;
	int64_t offset; /* index in a bulk of counters; 0: not given */
};

static void probe_route(const struct world *w, uint32_t m, const char *table, const struct route *r)
{
	struct ask a = ask_of(UVERBS_OBJECT_FLOW, MLX5_IB_METHOD_CREATE_FLOW);
	const uint32_t counter = (uint32_t)r->counter;
	int error;

	ask_new(&a, "handle", MLX5_IB_ATTR_CREATE_FLOW_HANDLE);
	ask_in(&a, "value", MLX5_IB_ATTR_CREATE_FLOW_MATCH_VALUE, &everything,
	       sizeof(everything.param));
	ask_obj(&a, "matcher", MLX5_IB_ATTR_CREATE_FLOW_MATCHER, m);
	if (r->dest >= 0)
		ask_obj(&a, "dest", MLX5_IB_ATTR_CREATE_FLOW_DEST_DEVX, r->dest);
	if (r->flags >= 0)
		ask_num(&a, "flags", MLX5_IB_ATTR_CREATE_FLOW_FLAGS, (uint64_t)r->flags);
	if (r->counter)
		ask_in(&a, "counter", MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX, &counter,
		       sizeof(counter));
	if (r->offset)
		ask_num32(&a, "offset", MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX_OFFSET,
			  (uint32_t)r->offset);
	if (r->tag)
		ask_num32(&a, "tag", MLX5_IB_ATTR_CREATE_FLOW_TAG, (uint32_t)r->tag);
	error = ask_send(&a, w->mine.fd);
	say_answer(error, SAY_NO_STATUS, "flow %s %s", table, r->name);
	if (!error)
		drop_flow(w->mine.fd, ask_handle(&a));
}

static void probe_routes(const struct world *w, uint32_t m, const char *table)
{
	const struct object *o = w->mine.o;
	const uint32_t tir = o[THING_create_tir].handle, cq = o[THING_create_cq].handle,
		       count = o[THING_alloc_flow_counter].handle,
		       ft = o[THING_create_flow_table].handle;
	/* Each row has a destination or flags: without both, Linux prints a WARN. */
	const struct route rows[] = {
		{ "dropped", -1, DROP },
		{ "to the-default", -1, DEFAULT_MISS },
		{ "dropped and to the-default", -1, DROP | DEFAULT_MISS },
		{ "flags unknown", -1, 4 },
		{ "flags too-wide", -1, 1ll << 32 },
		{ "to a-tir", tir, -1 },
		{ "to a-tir, flags none", tir, 0 },
		{ "to a-tir, dropped", tir, DROP },
		{ "to a-tir, default", tir, DEFAULT_MISS },
		{ "to a-table", ft, -1 },
		{ "to a-table, dropped", ft, DROP },
		{ "to a-table, default", ft, DEFAULT_MISS },
		{ "to a-cq", cq, -1 },
		{ "to a-umem", o[THING_umem].handle, -1 },
		{ "to nothing", NO_HANDLE, -1 },
		{ "counted to a-tir", tir, -1, .counter = count },
		{ "counted, dropped", -1, DROP, .counter = count },
		{ "counted by a-cq", tir, -1, .counter = cq },
		{ "counted by nothing", tir, -1, .counter = NO_HANDLE },
		{ "counted at an-offset", tir, -1, .counter = count, .offset = 1 },
		{ "offset without a-counter", tir, -1, .offset = 1 },
		{ "tag 1", tir, -1, .tag = 1 },
		{ "tag highest", tir, -1, .tag = 0xffffff },
		{ "tag too-wide", tir, -1, .tag = 0x1000000 },
		{ "tag of-dropped", -1, DROP, .tag = 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		probe_route(w, m, table, &rows[i]);
}

static void probe_flow_values(const struct world *w)
{
	static const size_t lengths[] = { 1, 8, 9, 64, sizeof(struct prm_fte_match_param) };
	struct ask m = matcher_of();
	struct match value = everything;

	if (ask_send(&m, w->mine.fd))
		return;
	prm_set(prm_sub(&value.param, outer_headers), ethertype, 0x800);
	for (size_t i = 0; i <= sizeof(lengths) / sizeof(lengths[0]); i++) {
		const bool outside = i == sizeof(lengths) / sizeof(lengths[0]);
		struct ask f = flow_of(ask_handle(&m));
		char name[32] = "value outside-the-mask";
		int error;

		f.attr[1].data = (uintptr_t)(outside ? &value : &everything);
		f.attr[1].len = (uint16_t)(outside ? sizeof(value.param) : lengths[i]);
		if (f.attr[1].len <= sizeof(f.attr[1].data))
			f.attr[1].data = 0;
		if (!outside)
			snprintf(name, sizeof(name), "value of %zu", lengths[i]);
		error = ask_send(&f, w->mine.fd);
		say_answer(error, SAY_NO_STATUS, "flow %s", name);
		if (!error)
			drop_flow(w->mine.fd, ask_handle(&f));
	}
	drop_matcher(w->mine.fd, ask_handle(&m));
}

/* A matcher that has a flow cannot be destroyed. Two equal flows share a flow table entry. */
static void probe_flow_uses(const struct world *w)
{
	const int fd = w->mine.fd;
	struct ask m = matcher_of(), f, again;

	if (ask_send(&m, fd))
		return;
	f = flow_of(ask_handle(&m));
	again = f;
	say_answer(ask_send(&f, fd), SAY_NO_STATUS, "flow first");
	say_answer(ask_send(&again, fd), SAY_NO_STATUS, "flow the-same-again");
	say_answer(ask_destroy(fd, MLX5_IB_OBJECT_FLOW_MATCHER, MLX5_IB_METHOD_FLOW_MATCHER_DESTROY,
			       MLX5_IB_ATTR_FLOW_MATCHER_DESTROY_HANDLE, ask_handle(&m)),
		   SAY_NO_STATUS, "destroy-matcher in-use");
	drop_flow(fd, ask_handle(&f));
	drop_flow(fd, ask_handle(&again));
	drop_matcher(fd, ask_handle(&m));
}

void probe_flows(const struct world *w)
{
	struct ask rx = matcher_of(), tx = matcher_of();

	probe_priorities(w);
	probe_types(w);
	probe_flags(w);
	probe_masks(w);
	if (!ask_send(&rx, w->mine.fd)) {
		probe_routes(w, ask_handle(&rx), "rx");
		drop_matcher(w->mine.fd, ask_handle(&rx));
	}
	ask_num(&tx, "ft_type", MLX5_IB_ATTR_FLOW_MATCHER_FT_TYPE,
		MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_TX);
	if (!ask_send(&tx, w->mine.fd)) {
		probe_routes(w, ask_handle(&tx), "tx");
		drop_matcher(w->mine.fd, ask_handle(&tx));
	}
	probe_flow_values(w);
	probe_flow_uses(w);
}
