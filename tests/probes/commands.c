/* SPDX-License-Identifier: BSD-3-Clause */
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <stdio.h>
#include <string.h>

#include "probes.h"

static const char *const entry_names[N_ENTRIES] = {
	[BY_CREATE] = "create", [BY_MODIFY] = "modify",   [BY_QUERY] = "query",
	[BY_ASYNC] = "async",   [BY_GENERAL] = "general",
};

/** struct variant - a change to a valid command */
struct variant {
	const char *name;
	enum { AS_IT_IS, ADD, EXACTLY } in_how, out_how;
	int in, out;
	uint16_t tunnel, uid, op_mod;
	bool bad_in, bad_out;
};

static const struct variant plain = { .name = "plain" };

static const struct variant variants[] = {
	{ "short-in", ADD, .in = -4 },
	{ "long-in", ADD, .in = 4 },
	{ "odd-in", ADD, .in = 1 },
	{ "header-in", EXACTLY, .in = sizeof(struct prm_general_obj_in_cmd_hdr) },
	{ "stub-in", EXACTLY, .in = sizeof(struct prm_general_obj_in_cmd_hdr) - 4 },
	{ "empty-in", EXACTLY, .in = 0 },
	{ "huge-in", EXACTLY, .in = ASK_ROOM - 4 },
	{ "short-out", .out_how = ADD, .out = -4 },
	{ "long-out", .out_how = ADD, .out = 4 },
	{ "odd-out", .out_how = ADD, .out = 1 },
	{ "header-out", .out_how = EXACTLY, .out = sizeof(struct prm_general_obj_out_cmd_hdr) },
	{ "stub-out", .out_how = EXACTLY, .out = sizeof(struct prm_general_obj_out_cmd_hdr) - 4 },
	{ "empty-out", .out_how = EXACTLY, .out = 0 },
	{ "huge-out", .out_how = EXACTLY, .out = ASK_ROOM - 4 },
	{ "bad-in", .bad_in = true },
	{ "bad-out", .bad_out = true },
	{ "tunnel", .tunnel = 1 },
	{ "uid", .uid = 0x1234 },
	{ "op-mod", .op_mod = 0x77 },
};

/** struct scene - context and objects of a series of probes */
struct scene {
	const char *name; /* put before the name of every probe, or "" */
	const struct world *w;
	const struct set *set; /* the objects that the commands name */
	int fd, cmd_fd;
	uint32_t handle; /* handle for commands without a subject */
};

static size_t spoil_length(size_t good, int how, int n)
{
	return how == EXACTLY ? (size_t)n : good + (size_t)(how == ADD ? n : 0);
}

static void spoil_command(struct command *c, const struct variant *v)
{
	struct prm_general_obj_in_cmd_hdr *hdr = (void *)c->in;

	c->in_bytes = spoil_length(c->in_bytes, v->in_how, v->in);
	c->out_bytes = spoil_length(c->out_bytes, v->out_how, v->out);
	if (v->tunnel)
		prm_set(hdr, vhca_tunnel_id, v->tunnel);
	if (v->uid)
		prm_set(hdr, uid, v->uid);
	if (v->op_mod)
		prm_set(hdr, obj_type, v->op_mod); /* obj_type is at the place of op_mod */
	c->bad_out = v->bad_out;
	if (v->bad_in)
		c->in = ask_nowhere();
}

/*
 * Returns true if the kernel would read or write behind the end of the input. No probe may send
 * such a command: the answer would depend on random memory, and a write would corrupt the kernel.
 */
static bool reads_past(const struct recipe *r, const struct command *c)
{
	enum { HEADER = sizeof(struct prm_general_obj_in_cmd_hdr) };
	const size_t id_end = (r->id_bit + r->id_width + 7) / 8;

	return c->in_bytes >= HEADER && (c->in_bytes < r->touched || c->in_bytes < id_end);
}

static void probe_variant(const struct scene *sc, enum entry by, const struct prm_command *cmd,
			  const struct variant *v)
{
	static uint8_t in[ASK_ROOM];
	const struct recipe *r = recipe_of(by, cmd->opcode);
	const struct object *o = r && r->id_width ? &sc->set->o[r->subject] : NULL;
	struct command c = { .by = by,
			     .fd = sc->fd,
			     .cmd_fd = sc->cmd_fd,
			     .in = in,
			     .handle = o && o->made ? o->handle : sc->handle };
	struct reply reply;

	c.in_bytes = recipe_make(r, cmd->opcode, in, sc->w, sc->set);
	c.out_bytes = cmd->out->bytes + (r ? r->out_tail : 0);
	spoil_command(&c, v);
	if (!v->bad_in && r && reads_past(r, &c))
		return;
	reply = command_run(&c);
	say_answer(reply.error, reply.status, "%s%s %s %s", sc->name, entry_names[by], cmd->name,
		   v->name);
}

static void probe_all(const struct scene *sc)
{
	for (int by = 0; by < N_ENTRIES; by++) {
#define CMD(opcode, name) probe_variant(sc, (enum entry)by, prm_command_of(opcode), &plain);
#include "prm/commands.def"
	}
}

static void probe_variants(const struct scene *sc, uint16_t opcode)
{
	for (int by = 0; by < N_ENTRIES; by++)
		for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++)
			if (recipe_of((enum entry)by, opcode))
				probe_variant(sc, (enum entry)by, prm_command_of(opcode),
					      &variants[i]);
}

static int open_cmd_fd(int fd)
{
	struct ask a = cmd_fd_of();

	return ask_send(&a, fd) ? -1 : (int)ask_handle(&a);
}

void probe_commands(const struct world *w)
{
	const struct scene sc = { "",
				  w,
				  &w->mine,
				  w->mine.fd,
				  open_cmd_fd(w->mine.fd),
				  w->mine.o[THING_create_cq].handle };

	probe_all(&sc);
#define CMD(opcode, name) probe_variants(&sc, opcode);
#include "prm/commands.def"
}

/* Probes a context without DEVX. Its only object is a UAR, which needs no DEVX. */
void probe_no_devx(const struct world *w)
{
	static const struct set nothing;
	uint64_t offset;
	uint32_t bytes, page_id;
	struct ask a = uar_of(MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC, &offset, &bytes, &page_id);
	struct scene sc = { "no-devx ", w, &nothing, w->no_devx, open_cmd_fd(w->no_devx), 0 };

	say_answer(ask_send(&a, w->no_devx), SAY_NO_STATUS, "no-devx uar");
	sc.handle = ask_handle(&a);
	probe_all(&sc);
}

void probe_unprivileged(const struct world *w)
{
	const struct scene sc = { "no-net-raw ",
				  w,
				  &w->mine,
				  w->mine.fd,
				  open_cmd_fd(w->mine.fd),
				  w->mine.o[THING_create_cq].handle };
	struct ask m = matcher_of(), f;

	probe_all(&sc);
	say_answer(ask_send(&m, w->mine.fd), SAY_NO_STATUS, "no-net-raw matcher");
	f = flow_of(ask_handle(&m));
	say_answer(ask_send(&f, w->mine.fd), SAY_NO_STATUS, "no-net-raw flow");
}
