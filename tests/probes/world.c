/* SPDX-License-Identifier: BSD-3-Clause */
#include "world.h"

#include <fcntl.h>
#include <infiniband/mlx5dv.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "recipe.h"

struct ask umem_of(void *addr, uint64_t bytes, uint32_t *id)
{
	struct ask a = ask_of(MLX5_IB_OBJECT_DEVX_UMEM, MLX5_IB_METHOD_DEVX_UMEM_REG);

	ask_new(&a, "handle", MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE);
	ask_num(&a, "addr", MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR, (uintptr_t)addr);
	ask_num(&a, "len", MLX5_IB_ATTR_DEVX_UMEM_REG_LEN, bytes);
	ask_num(&a, "access", MLX5_IB_ATTR_DEVX_UMEM_REG_ACCESS, IBV_ACCESS_LOCAL_WRITE);
	ask_out(&a, "id", MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID, id, sizeof(*id));
	return a;
}

/* ---- a set ------------------------------------------------------------------------- */

static void make_umem(struct set *s)
{
	struct object *o = &s->o[THING_umem];
	struct ask a = umem_of(s->mem, SET_BYTES, &o->number);

	/* queues begin at page offsets inside the umem */
	ask_num(&a, "pgsz_bitmap", MLX5_IB_ATTR_DEVX_UMEM_REG_PGSZ_BITMAP, PAGE);
	o->made = !ask_send(&a, s->fd);
	o->handle = ask_handle(&a);
}

static void make_uar(struct set *s)
{
	struct object *o = &s->o[THING_uar];
	uint32_t bytes;
	struct ask a = uar_of(MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC, &s->uar_offset, &bytes, &o->number);

	o->made = !ask_send(&a, s->fd);
	o->handle = ask_handle(&a);
}

static void make_object(const struct world *w, struct set *s, enum thing thing, uint16_t opcode,
			uint32_t (*number)(const void *out))
{
	uint8_t in[COMMAND_BYTES];
	struct command c = { .by = BY_CREATE, .fd = s->fd, .in = in, .keep = true };
	const struct recipe *r = recipe_of(BY_CREATE, opcode);
	struct reply reply;

	c.in_bytes = recipe_make(r, opcode, in, w, s);
	c.out_bytes = prm_command_of(opcode)->out->bytes;
	reply = command_run(&c);
	s->o[thing] = (struct object){ .made = !reply.error,
				       .handle = reply.handle,
				       .number = reply.error ? 0 : number(reply.out) };
}

#define THING(name)
#define COMMAND(name, field)                                                                       \
	static uint32_t number_of_##name(const void *out)                                          \
	{                                                                                          \
		return (uint32_t)prm_get((const struct prm_##name##_out *)out, field);             \
	}
#define PLACED(name)                                                                               \
	static uint32_t number_of_##name(__attribute__((unused)) const void *out)                  \
	{                                                                                          \
		return 0;                                                                          \
	}
#include "things.def"

static void make_all(const struct world *w, struct set *s)
{
#define THING(name)
#define COMMAND(name, field) make_object(w, s, THING_##name, PRM_OP_##name, number_of_##name);
#define PLACED(name) COMMAND(name, _)
	make_umem(s);
	make_uar(s);
#include "things.def"
}

static int alloc_mem(struct set *s, int fd)
{
	s->fd = fd;
	if (!s->mem)
		s->mem = aligned_alloc(PAGE, SET_BYTES);
	if (!s->mem)
		return -1;
	memset(s->mem, 0, SET_BYTES);
	return 0;
}

int world_make_set(const struct world *w, struct set *s, int fd)
{
	if (alloc_mem(s, fd))
		return -1;
	make_all(w, s);
	return 0;
}

static const char *set_open(const struct world *w, struct set *s, struct ibv_context *ctx)
{
	struct mlx5dv_cq cq;
	struct mlx5dv_obj obj = { .cq.out = &cq };

	if (alloc_mem(s, ctx->cmd_fd))
		return "out of memory";
	s->pd = ibv_alloc_pd(ctx);
	s->cq = ibv_create_cq(ctx, 16, NULL, NULL, 0);
	if (!s->pd || !s->cq)
		return "cannot create a PD and a CQ by verbs";
	obj.cq.in = s->cq;
	mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ);
	s->cqn = cq.cqn;
	s->mr = ibv_reg_mr(s->pd, s->mem + AT_DATA, PAGE, 0);
	if (!s->mr)
		return "cannot register an MR";
	make_all(w, s);
	return NULL;
}

static void set_close(struct set *s)
{
	/* destroys in reverse order, because objects refer to older ones only */
	for (int i = N_THINGS - 1; i > THING_uar; i--)
		if (s->o[i].made)
			command_destroy(s->fd, s->o[i].handle);
	if (s->mr)
		ibv_dereg_mr(s->mr);
	if (s->cq)
		ibv_destroy_cq(s->cq);
	if (s->pd)
		ibv_dealloc_pd(s->pd);
}

/* ---- contexts ------------------------------------------------------------------------ */

static struct ibv_context *open_devx(struct ibv_device *dev)
{
	struct mlx5dv_context_attr attr = { .flags = MLX5DV_CONTEXT_FLAGS_DEVX };

	return mlx5dv_open_device(dev, &attr);
}

/* Opens a context without DEVX. libmlx5 cannot: it asks for DEVX even if its caller does not. */
static int open_plain(const char *path)
{
	struct ask a = context_of(NULL, 0);
	const int fd = open(path, O_RDWR | O_CLOEXEC);

	return fd < 0 || ask_send(&a, fd) ? -1 : fd;
}

static const char *open_contexts(struct world *w)
{
	struct ibv_device **list = ibv_get_device_list(NULL);

	if (!list || !list[0])
		return "no RDMA device found";
	snprintf(w->path, sizeof(w->path), "/dev/infiniband/%s", list[0]->dev_name);
	w->a = open_devx(list[0]);
	w->b = open_devx(list[0]);
	ibv_free_device_list(list);
	w->no_devx = open_plain(w->path);
	w->no_context = open(w->path, O_RDWR | O_CLOEXEC);
	if (!w->a || !w->b || w->no_devx < 0 || w->no_context < 0)
		return "cannot open two DEVX contexts, a context without DEVX and a uverbs file";
	return NULL;
}

const char *world_open(struct world *w)
{
	const char *why = open_contexts(w);
	struct ask a = eqn_of(0, &w->eqn);

	if (why)
		return why;
	if (ask_send(&a, w->a->cmd_fd))
		return "cannot query the number of an EQ";
	why = set_open(w, &w->mine, w->a);
	if (!why)
		why = set_open(w, &w->twin, w->a);
	return why ? why : set_open(w, &w->theirs, w->b);
}

void world_close(struct world *w)
{
	set_close(&w->twin);
	set_close(&w->mine);
	set_close(&w->theirs);
	close(w->no_devx);
	close(w->no_context);
	ibv_close_device(w->a);
	ibv_close_device(w->b);
	free(w->mine.mem);
	free(w->twin.mem);
	free(w->theirs.mem);
}
