/* SPDX-License-Identifier: BSD-3-Clause */
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <string.h>

#include "probes.h"

static const char *const thing_names[N_THINGS] = {
#define THING(name) [THING_##name] = #name,
#include "things.def"
};

static const char *const verbs[N_ENTRIES] = {
	[BY_CREATE] = "create", [BY_MODIFY] = "modify", [BY_QUERY] = "query"
};

enum { NO_NUMBER = 0xffffff };

/* ---- handles and numbers of other objects ---------------------------------------------- */

static void probe_subject(const struct world *w, const struct recipe *r, int64_t handle,
			  uint32_t number, const char *what)
{
	uint8_t in[COMMAND_BYTES];
	struct command c = { .by = r->by, .fd = w->mine.fd, .handle = handle, .in = in };
	struct reply reply;

	c.in_bytes = recipe_make(r, r->opcode, in, w, &w->mine);
	c.out_bytes = prm_command_of(r->opcode)->out->bytes + r->out_tail;
	recipe_name_subject(r, in, number);
	reply = command_run(&c);
	say_answer(reply.error, reply.status, "%s %s %s", verbs[r->by],
		   prm_command_of(r->opcode)->name, what);
}

static void probe_subjects_of(const struct world *w, const struct recipe *r)
{
	const struct object *mine = &w->mine.o[r->subject], *twin = &w->twin.o[r->subject],
			    *theirs = &w->theirs.o[r->subject];

	if (!mine->made)
		return;
	probe_subject(w, r, mine->handle, twin->number, "number-of-twin");
	probe_subject(w, r, twin->handle, mine->number, "handle-of-twin");
	probe_subject(w, r, mine->handle, theirs->number, "number-of-theirs");
	probe_subject(w, r, theirs->handle, theirs->number, "handle-and-number-of-theirs");
	probe_subject(w, r, mine->handle, NO_NUMBER, "number-of-nothing");
	probe_subject(w, r, NO_HANDLE, mine->number, "handle-of-nothing");
	probe_subject(w, r, -1, mine->number, "handle-negative");
	probe_subject(w, r, 1ll << 32 | mine->handle, mine->number, "handle-too-wide");
	probe_subject(w, r, w->mine.pd->handle, mine->number, "handle-of-verbs-pd");
	probe_subject(w, r, w->mine.mr->handle, mine->number, "handle-of-verbs-mr");
	probe_subject(w, r, w->mine.cq->handle, mine->number, "handle-of-verbs-cq");
	probe_subject(w, r, w->mine.cq->handle, w->mine.cqn, "handle-and-number-of-verbs-cq");
}

static void probe_kinds(const struct world *w, const struct recipe *r)
{
	for (int i = 0; i < N_THINGS; i++) {
		char what[64] = "handle-of-";

		strcat(what, thing_names[i]);
		if (w->mine.o[i].made)
			probe_subject(w, r, w->mine.o[i].handle, w->mine.o[r->subject].number,
				      what);
	}
}

void probe_subjects(const struct world *w)
{
	probe_kinds(w, recipe_of(BY_QUERY, PRM_OP_query_cq));
	probe_kinds(w, recipe_of(BY_MODIFY, PRM_OP_modify_sq));
#define CMD(opcode, name)                                                                          \
	if (recipe_of(BY_MODIFY, opcode))                                                          \
		probe_subjects_of(w, recipe_of(BY_MODIFY, opcode));                                \
	if (recipe_of(BY_QUERY, opcode))                                                           \
		probe_subjects_of(w, recipe_of(BY_QUERY, opcode));
#include "prm/commands.def"
}

/* ---- objects that a create command refers to --------------------------------------------- */

/*
 * Sends a create command with the number of one object replaced by that of @other; NULL: by
 * NO_NUMBER. Skips commands that do not name the object.
 */
static void probe_exchange(const struct world *w, uint16_t opcode, enum thing thing,
			   const struct set *other, const char *whose)
{
	const struct recipe *r = recipe_of(BY_CREATE, opcode);
	uint8_t good[COMMAND_BYTES], in[COMMAND_BYTES];
	struct command c = { .by = BY_CREATE, .fd = w->mine.fd, .in = in };
	struct set s = w->mine;
	struct reply reply;

	c.in_bytes = recipe_make(r, opcode, good, w, &s);
	c.out_bytes = prm_command_of(opcode)->out->bytes;
	s.o[thing].number = other ? other->o[thing].number : NO_NUMBER;
	recipe_make(r, opcode, in, w, &s);
	if (!memcmp(good, in, sizeof(in)))
		return;
	reply = command_run(&c);
	say_answer(reply.error, reply.status, "create %s on %s %s", prm_command_of(opcode)->name,
		   whose, thing_names[thing]);
}

static void probe_exchanges(const struct world *w, uint16_t opcode)
{
	if (!recipe_of(BY_CREATE, opcode) || !recipe_of(BY_CREATE, opcode)->fill)
		return;
	for (int thing = 0; thing < N_THINGS; thing++) {
		probe_exchange(w, opcode, (enum thing)thing, &w->twin, "its-twin");
		probe_exchange(w, opcode, (enum thing)thing, &w->theirs, "their");
		probe_exchange(w, opcode, (enum thing)thing, NULL, "no");
	}
}

void probe_strangers(const struct world *w)
{
#define CMD(opcode, name) probe_exchanges(w, opcode);
#include "prm/commands.def"
}

/* ---- destroy ----------------------------------------------------------------------------- */

/** struct destroyer - a method that only destroys an object */
static const struct destroyer {
	const char *name;
	uint16_t object, method, attr;
} destroyers[] = {
	{ "devx", MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_DESTROY,
	  MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE },
	{ "umem", MLX5_IB_OBJECT_DEVX_UMEM, MLX5_IB_METHOD_DEVX_UMEM_DEREG,
	  MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE },
	{ "uar", MLX5_IB_OBJECT_UAR, MLX5_IB_METHOD_UAR_OBJ_DESTROY,
	  MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE },
	{ "matcher", MLX5_IB_OBJECT_FLOW_MATCHER, MLX5_IB_METHOD_FLOW_MATCHER_DESTROY,
	  MLX5_IB_ATTR_FLOW_MATCHER_DESTROY_HANDLE },
	{ "flow", UVERBS_OBJECT_FLOW, MLX5_IB_METHOD_DESTROY_FLOW,
	  MLX5_IB_ATTR_DESTROY_FLOW_HANDLE },
	{ "pd", UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY, UVERBS_ATTR_DESTROY_PD_HANDLE },
	{ "mr", UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY, UVERBS_ATTR_DESTROY_MR_HANDLE },
};

static int destroy_handle(const struct world *w, const struct destroyer *d, int64_t handle)
{
	return ask_destroy(w->mine.fd, d->object, d->method, d->attr, handle);
}

static void probe_wrong_kinds(const struct world *w, const struct destroyer *d)
{
	const bool devx = d->object == MLX5_IB_OBJECT_DEVX_OBJ;
	const bool umem = d->object == MLX5_IB_OBJECT_DEVX_UMEM;
	const bool uar = d->object == MLX5_IB_OBJECT_UAR;
	const struct object *o = w->mine.o;

	if (!devx)
		say_answer(destroy_handle(w, d, o[THING_create_tir].handle), SAY_NO_STATUS,
			   "destroy-%s devx-object", d->name);
	if (!umem)
		say_answer(destroy_handle(w, d, o[THING_umem].handle), SAY_NO_STATUS,
			   "destroy-%s umem", d->name);
	if (!uar)
		say_answer(destroy_handle(w, d, o[THING_uar].handle), SAY_NO_STATUS,
			   "destroy-%s uar", d->name);
	say_answer(destroy_handle(w, d, w->mine.cq->handle), SAY_NO_STATUS, "destroy-%s verbs-cq",
		   d->name);
	say_answer(destroy_handle(w, d, NO_HANDLE), SAY_NO_STATUS, "destroy-%s nothing", d->name);
	say_answer(destroy_handle(w, d, -1), SAY_NO_STATUS, "destroy-%s negative", d->name);
	say_answer(destroy_handle(w, d, 1ll << 32), SAY_NO_STATUS, "destroy-%s too-wide", d->name);
}

/*
 * Tries to destroy objects that others refer to: firmware or the kernel refuses. Leaves out UARs:
 * the kernel drops the handle of a UAR in use, and nobody could free the UAR afterwards.
 */
static void probe_in_use(const struct world *w)
{
	static const enum thing used[] = { THING_alloc_pd,          THING_alloc_transport_domain,
					   THING_create_cq,         THING_create_tis,
					   THING_create_rq,         THING_create_tir,
					   THING_create_flow_table, THING_create_flow_group };

	for (size_t i = 0; i < sizeof(used) / sizeof(used[0]); i++)
		say_answer(destroy_handle(w, &destroyers[0], w->mine.o[used[i]].handle),
			   SAY_NO_STATUS, "destroy-devx %s in-use", thing_names[used[i]]);
	say_answer(destroy_handle(w, &destroyers[1], w->mine.o[THING_umem].handle), SAY_NO_STATUS,
		   "destroy-umem in-use");
	say_answer(destroy_handle(w, &destroyers[5], w->mine.pd->handle), SAY_NO_STATUS,
		   "destroy-pd in-use");
}

static void probe_twice(const struct world *w)
{
	uint8_t in[COMMAND_BYTES];
	struct command c = { .by = BY_CREATE,
			     .fd = w->mine.fd,
			     .in = in,
			     .keep = true,
			     .out_bytes = sizeof(struct prm_alloc_pd_out) };
	uint32_t handle;

	c.in_bytes = recipe_make(NULL, PRM_OP_alloc_pd, in, w, &w->mine);
	handle = command_run(&c).handle;
	say_answer(destroy_handle(w, &destroyers[0], handle), SAY_NO_STATUS, "destroy-devx once");
	say_answer(destroy_handle(w, &destroyers[0], handle), SAY_NO_STATUS, "destroy-devx twice");
}

void probe_destroy(const struct world *w)
{
	for (size_t i = 0; i < sizeof(destroyers) / sizeof(destroyers[0]); i++)
		probe_wrong_kinds(w, &destroyers[i]);
	probe_in_use(w);
	probe_twice(w);
}
