/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Malformed ioctls.
 */
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <rdma/rdma_user_ioctl.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "prm/cqe.h"
#include "probes.h"

/* ---- the header --------------------------------------------------------------------------- */

static void probe_frame(const struct world *w, struct ask *a, const char *name)
{
	say_answer(ask_send(a, w->mine.fd), SAY_NO_STATUS, "frame %s", name);
}

static void probe_headers(const struct world *w)
{
	uint32_t eqn;
	const struct ask good = eqn_of(0, &eqn);
	struct ask a;

#define FRAME(name, ...)                                                                           \
	do {                                                                                       \
		a = good;                                                                          \
		a.hdr.length = sizeof(a.hdr) + 2 * sizeof(a.attr[0]);                              \
		__VA_ARGS__;                                                                       \
		probe_frame(w, &a, name);                                                          \
	} while (0)
	FRAME("good");
	FRAME("length more", a.hdr.length++);
	FRAME("length less", a.hdr.length--);
	FRAME("length of-a-header", a.hdr.length = sizeof(a.hdr));
	FRAME("length over-a-page", a.hdr.length = 0x1018, a.hdr.num_attrs = 0x100);
	FRAME("attributes more", a.hdr.num_attrs++);
	FRAME("attributes none", a.hdr.num_attrs = 0, a.hdr.length = sizeof(a.hdr));
	FRAME("reserved1", a.hdr.reserved1 = 1);
	FRAME("reserved2", a.hdr.reserved2 = 1);
	FRAME("driver of-mlx4", a.hdr.driver_id = RDMA_DRIVER_MLX4);
	FRAME("driver unknown", a.hdr.driver_id = 0);
	FRAME("object unknown", a.hdr.object_id = 0x1fff);
	FRAME("method unknown", a.hdr.method_id = 0x1fff);
	FRAME("attribute unknown", ask_num(&a, "?", 0x1abc, 0), a.attr[2].flags = 0,
	      a.hdr.length += sizeof(a.attr[0]));
	FRAME("attribute unknown, mandatory", ask_num(&a, "?", 0x1abc, 0),
	      a.hdr.length += sizeof(a.attr[0]));
	FRAME("flags unknown", a.attr[0].flags = 0x80);
#undef FRAME
	say_answer(ioctl(w->mine.fd, RDMA_VERBS_IOCTL, ask_nowhere()) ? errno : 0, SAY_NO_STATUS,
		   "frame nowhere");
	say_answer(ioctl(w->mine.fd, RDMA_VERBS_IOCTL + 1, &a.hdr) ? errno : 0, SAY_NO_STATUS,
		   "frame of-another-ioctl");
	a = good;
	say_answer(ask_send(&a, w->no_context), SAY_NO_STATUS, "frame without-a-context");
}

/* ---- each attribute of each method, made invalid -------------------------------------------- */

/** struct ending - the method that destroys the object of a successful call */
struct ending {
	/* object 0: none to destroy; UINT16_MAX: close a descriptor */
	uint16_t object, method, attr;
};

/** struct methodic - a method and a valid call of it */
struct methodic {
	const char *name;
	const struct world *w;
	struct ask good;
	struct ending ending;
	const char *kept; /* attribute that no probe may leave out, or NULL */
};

static void probe_spoilt(const struct methodic *m, struct ask *a, const char *attr, const char *how)
{
	const int fd = m->w->mine.fd, error = ask_send(a, fd);

	say_answer(error, SAY_NO_STATUS, "%s %s %s", m->name, attr, how);
	if (error || !m->ending.object)
		return;
	if (m->ending.object == UINT16_MAX)
		close((int)ask_handle(a));
	else
		ask_destroy(fd, m->ending.object, m->ending.method, m->ending.attr, ask_handle(a));
}

static void spoil_number(const struct methodic *m, unsigned i)
{
	const unsigned len = m->good.attr[i].len;
	const struct {
		const char *how;
		unsigned len;
	} rows[] = {
		{ "longer", len + 1 },       { "shorter", len - 1 }, { "twice-as-long", 2 * len },
		{ "half-as-long", len / 2 }, { "empty", 0 },
	};
	struct ask a;

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		a = m->good;
		a.attr[i].len = (uint16_t)rows[n].len;
		probe_spoilt(m, &a, a.name[i], rows[n].how);
	}
	if (m->good.kind[i] == ASK_OUT || len > sizeof(a.attr[i].data)) {
		a = m->good;
		a.attr[i].data = (uintptr_t)ask_nowhere();
		probe_spoilt(m, &a, a.name[i], "nowhere");
	}
}

static void spoil_object(const struct methodic *m, unsigned i)
{
	struct ask a = m->good;

	a.attr[i].len = 4;
	probe_spoilt(m, &a, a.name[i], "with-a-length");
	if (m->good.kind[i] == ASK_NEW)
		return;
	a = m->good;
	a.attr[i].data_s64 = NO_HANDLE;
	probe_spoilt(m, &a, a.name[i], "of-nothing");
	a = m->good;
	a.attr[i].data_s64 = -1;
	probe_spoilt(m, &a, a.name[i], "negative");
	a = m->good;
	a.attr[i].data_s64 |= 1ll << 32;
	probe_spoilt(m, &a, a.name[i], "too-wide");
	a = m->good;
	a.attr[i].data_s64 = m->w->mine.pd->handle;
	probe_spoilt(m, &a, a.name[i], "of-a-verbs-pd");
}

static void leave_out(const struct methodic *m, unsigned i)
{
	struct ask a = m->good;

	for (unsigned k = i; k + 1 < a.hdr.num_attrs; k++) {
		a.attr[k] = a.attr[k + 1];
		a.kind[k] = a.kind[k + 1];
	}
	a.hdr.num_attrs--;
	probe_spoilt(m, &a, m->good.name[i], "missing");
}

static void spoil_attribute(const struct methodic *m, unsigned i)
{
	const bool object = m->good.kind[i] == ASK_OBJ || m->good.kind[i] == ASK_NEW;
	struct ask a = m->good;

	if (!m->kept || strcmp(m->kept, m->good.name[i]))
		leave_out(m, i);
	a.attr[i].attr_data.reserved = 1;
	probe_spoilt(m, &a, a.name[i], "reserved");
	a = m->good;
	a.attr[i].attr_data.enum_data.elem_id = 0x55;
	probe_spoilt(m, &a, a.name[i], "with-a-selector");
	a = m->good;
	a.attr[a.hdr.num_attrs] = a.attr[i];
	a.kind[a.hdr.num_attrs++] = ASK_IN;
	probe_spoilt(m, &a, a.name[i], "twice");
	(object ? spoil_object : spoil_number)(m, i);
}

static void spoil_attributes(const struct methodic *m)
{
	struct ask a = m->good;

	probe_spoilt(m, &a, "as-it", "should-be");
	a = m->good;
	say_answer(ask_send(&a, m->w->no_context), SAY_NO_STATUS, "%s without-a-context", m->name);
	for (unsigned i = 0; i < m->good.hdr.num_attrs; i++)
		spoil_attribute(m, i);
}

/* ---- the methods ---------------------------------------------------------------------------- */

/* clang-format off */
#define DESTROY_DEVX                                                                        \
	{ MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_DESTROY,                          \
	  MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE }
/* clang-format on */

static void probe_entries(const struct world *w)
{
	static uint8_t out[ASK_ROOM];
	uint8_t in[COMMAND_BYTES];
	struct ask fd = cmd_fd_of();
	struct command c = { .fd = w->mine.fd,
			     .in = in,
			     .handle = w->mine.o[THING_create_tis].handle };
	const struct {
		enum entry by;
		const char *name;
		uint16_t opcode;
		struct ending end;
	} rows[] = {
		{ BY_CREATE, "devx-create", PRM_OP_alloc_pd, DESTROY_DEVX },
		{ BY_MODIFY, "devx-modify", PRM_OP_modify_tis, { 0 } },
		{ BY_QUERY, "devx-query", PRM_OP_query_tis, { 0 } },
		{ BY_ASYNC, "devx-async", PRM_OP_query_tis, { 0 } },
		{ BY_GENERAL, "devx-general", PRM_OP_nop, { 0 } },
	};

	if (ask_send(&fd, w->mine.fd))
		return;
	c.cmd_fd = (int)ask_handle(&fd);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct methodic m = { rows[i].name, w, .ending = rows[i].end };

		c.by = rows[i].by;
		c.in_bytes = recipe_make(recipe_of(c.by, rows[i].opcode), rows[i].opcode, in, w,
					 &w->mine);
		c.out_bytes = prm_command_of(rows[i].opcode)->out->bytes;
		m.good = command_ask(&c, out);
		spoil_attributes(&m);
	}
	close(c.cmd_fd);
}

/* Verbs methods of PDs and MRs. */
static void probe_verbs_methods(const struct world *w)
{
	static uint8_t room[ASK_ROOM];
	static const struct ib_uverbs_alloc_pd cmd;
	struct methodic rows[] = {
		{ "pd-alloc", w, ask_of(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE), { 0 } },
		{ "pd-query", w, ask_of(UVERBS_OBJECT_PD, MLX5_IB_METHOD_PD_QUERY), { 0 } },
		{ "mr-query", w, ask_of(UVERBS_OBJECT_MR, UVERBS_METHOD_QUERY_MR), { 0 } },
	};

	ask_in(&rows[0].good, "in", UVERBS_ATTR_CORE_IN, &cmd, sizeof(cmd));
	ask_out(&rows[0].good, "out", UVERBS_ATTR_CORE_OUT, room,
		sizeof(struct ib_uverbs_alloc_pd_resp));
	ask_num(&rows[0].good, "cmd", UVERBS_ATTR_WRITE_CMD, IB_USER_VERBS_CMD_ALLOC_PD);
	ask_out(&rows[0].good, "pdn", UVERBS_ATTR_UHW_OUT, room, sizeof(uint32_t));
	ask_obj(&rows[1].good, "pd", MLX5_IB_ATTR_QUERY_PD_HANDLE, w->mine.pd->handle);
	ask_out(&rows[1].good, "pdn", MLX5_IB_ATTR_QUERY_PD_RESP_PDN, room, sizeof(uint32_t));
	ask_obj(&rows[2].good, "mr", UVERBS_ATTR_QUERY_MR_HANDLE, w->mine.mr->handle);
	ask_out(&rows[2].good, "lkey", UVERBS_ATTR_QUERY_MR_RESP_LKEY, room, sizeof(uint32_t));
	ask_out(&rows[2].good, "rkey", UVERBS_ATTR_QUERY_MR_RESP_RKEY, room, sizeof(uint32_t));
	ask_out(&rows[2].good, "length", UVERBS_ATTR_QUERY_MR_RESP_LENGTH, room, sizeof(uint64_t));
	ask_out(&rows[2].good, "iova", UVERBS_ATTR_QUERY_MR_RESP_IOVA, room, sizeof(uint64_t));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		spoil_attributes(&rows[i]);
}

static void probe_makers(const struct world *w)
{
	static uint8_t room[ASK_ROOM];
	enum { RATE_BYTES = 20 }; /* half of it is not inline */
	/* a longer context has a reserved bit */
	static const uint8_t rate[2 * RATE_BYTES] = { [2] = 1, [RATE_BYTES] = 1 };
	struct ask m = matcher_of();
	struct methodic rows[] = {
		{ "umem-reg",
		  w,
		  umem_of(w->mine.mem, PAGE, (void *)room),
		  { MLX5_IB_OBJECT_DEVX_UMEM, MLX5_IB_METHOD_DEVX_UMEM_DEREG,
		    MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE } },
		{ "uar-alloc",
		  w,
		  uar_of(MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC, (void *)room, (void *)room, (void *)room),
		  { MLX5_IB_OBJECT_UAR, MLX5_IB_METHOD_UAR_OBJ_DESTROY,
		    MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE } },
		{ "pp-alloc",
		  w,
		  pp_of(rate, RATE_BYTES, 0, (void *)room),
		  { MLX5_IB_OBJECT_PP, MLX5_IB_METHOD_PP_OBJ_DESTROY,
		    MLX5_IB_ATTR_PP_OBJ_DESTROY_HANDLE } },
		{ "cmd-fd", w, cmd_fd_of(), { UINT16_MAX, 0, 0 } },
		{ "event-fd", w, event_fd_of(0), { UINT16_MAX, 0, 0 } },
		{ "eqn", w, eqn_of(0, (void *)room), { 0 } },
		{ "matcher-create",
		  w,
		  matcher_of(),
		  { MLX5_IB_OBJECT_FLOW_MATCHER, MLX5_IB_METHOD_FLOW_MATCHER_DESTROY,
		    MLX5_IB_ATTR_FLOW_MATCHER_DESTROY_HANDLE } },
		{ "flow-create",
		  w,
		  ask_of(0, 0),
		  { UVERBS_OBJECT_FLOW, MLX5_IB_METHOD_DESTROY_FLOW,
		    MLX5_IB_ATTR_DESTROY_FLOW_HANDLE },
		  .kept = "flags" },
	};
	enum { N = sizeof(rows) / sizeof(rows[0]) };

	/* outputs go to `room`, which also holds outputs that are too long */
	ask_num(&rows[0].good, "pgsz_bitmap", MLX5_IB_ATTR_DEVX_UMEM_REG_PGSZ_BITMAP, PAGE);
	if (ask_send(&m, w->mine.fd))
		return;
	rows[N - 1].good = flow_of(ask_handle(&m));
	rows[N - 1].good.attr[1].len = 64; /* flows.c says which lengths crash Linux */
	for (int i = 0; i < N; i++)
		spoil_attributes(&rows[i]);
	ask_destroy(w->mine.fd, MLX5_IB_OBJECT_FLOW_MATCHER, MLX5_IB_METHOD_FLOW_MATCHER_DESTROY,
		    MLX5_IB_ATTR_FLOW_MATCHER_DESTROY_HANDLE, ask_handle(&m));
}

static void probe_subscribing(const struct world *w)
{
	enum { N = 8, MORE = 2 * N };
	static uint16_t events[MORE];
	struct ask fd = event_fd_of(0);
	struct methodic m = { .name = "subscribe-event", .w = w };

	if (ask_send(&fd, w->mine.fd))
		return;
	m.good = ask_of(MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_SUBSCRIBE_EVENT);
	for (int i = 0; i < MORE; i++)
		events[i] = PRM_EVENT_WQ_CATAS_ERROR;
	ask_obj(&m.good, "channel", MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE, ask_handle(&fd));
	ask_obj(&m.good, "obj", MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_OBJ_HANDLE,
		w->mine.o[THING_create_cq].handle);
	ask_in(&m.good, "events", MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST, events,
	       N * sizeof(events[0]));
	ask_num(&m.good, "cookie", MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE, 7);
	spoil_attributes(&m);
	close((int)ask_handle(&fd));
}

void probe_frames(const struct world *w)
{
	probe_headers(w);
	probe_entries(w);
	probe_makers(w);
	probe_verbs_methods(w);
	probe_subscribing(w);
}
