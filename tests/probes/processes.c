/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A second process that uses a context: a child of fork, and a program that got the descriptor.
 */
#include <errno.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "channel.h"
#include "probes.h"
#include "process.h"

static const char *const entry_names[N_ENTRIES] = {
	[BY_CREATE] = "create", [BY_MODIFY] = "modify",   [BY_QUERY] = "query",
	[BY_ASYNC] = "async",   [BY_GENERAL] = "general",
};

/* ---- commands --------------------------------------------------------------------- */

/* @cmd_fd: BY_ASYNC: file of the reply. @keep: receives the handle of a new object, or NULL */
static struct reply send_valid(const struct process *p, enum entry by, uint16_t opcode, int cmd_fd,
			       uint32_t *keep)
{
	const struct world *w = &p->world;
	const struct recipe *r = recipe_of(by, opcode);
	uint8_t in[COMMAND_BYTES];
	struct command c = { .by = by,
			     .fd = p->context,
			     .cmd_fd = cmd_fd,
			     .in = in,
			     .handle = w->mine.o[r->subject].handle,
			     .keep = keep };
	struct reply reply;

	c.in_bytes = recipe_make(r, opcode, in, w, &w->mine);
	c.out_bytes = prm_command_of(opcode)->out->bytes + r->out_tail;
	reply = command_run(&c);
	if (keep)
		*keep = reply.handle;
	return reply;
}

static void probe_command(const struct process *p, enum entry by, uint16_t opcode, int cmd_fd)
{
	struct reply reply;

	if (!recipe_of(by, opcode))
		return;
	reply = send_valid(p, by, opcode, cmd_fd, NULL);
	say_answer(reply.error, reply.status, "%s %s %s", p->name, entry_names[by],
		   prm_command_of(opcode)->name);
}

static void probe_each_command(const struct process *p)
{
	const int cmd_fd = channel_make(CHANNEL_COMMAND, p->context);

	for (int by = 0; by < N_ENTRIES; by++) {
#define CMD(opcode, name) probe_command(p, (enum entry)by, opcode, cmd_fd);
#include "prm/commands.def"
	}
	close(cmd_fd);
}

/* ---- UARs and memory --------------------------------------------------------------- */

static void *map_uar(const struct process *p, uint64_t offset)
{
	return mmap(NULL, PAGE, PROT_WRITE, MAP_SHARED, p->context, (off_t)offset);
}

static void say_map(const struct process *p, uint64_t offset, const char *what)
{
	void *at = map_uar(p, offset);

	say_answer(at == MAP_FAILED ? errno : 0, SAY_NO_STATUS, "%s map %s", p->name, what);
	if (at != MAP_FAILED)
		munmap(at, PAGE);
}

static uint32_t probe_uar(const struct process *p, const char *what, uint64_t *offset)
{
	uint32_t bytes, page_id;
	struct ask a = uar_of(MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC, offset, &bytes, &page_id);

	say_answer(ask_send(&a, p->context), SAY_NO_STATUS, "%s uar %s", p->name, what);
	return ask_handle(&a);
}

static void probe_uars(const struct process *p)
{
	uint64_t offset = 0;
	const uint32_t handle = probe_uar(p, "plain", &offset);

	say_map(p, offset, "of its own UAR");
	say_answer(ask_destroy(p->context, MLX5_IB_OBJECT_UAR, MLX5_IB_METHOD_UAR_OBJ_DESTROY,
			       MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE, handle),
		   SAY_NO_STATUS, "%s uar destroy", p->name);
	say_map(p, offset, "of its destroyed UAR");
	say_map(p, p->world.mine.uar_offset, "of a UAR of its parent");
}

/* Only shared memory: emu cannot see private memory of a second process. */
static struct object register_memory(const struct process *p, const char *what)
{
	struct object o;
	struct ask a = umem_of(p->shared->other, SET_BYTES, &o.number);

	/* queues begin at page offsets inside the umem */
	ask_num(&a, "pgsz_bitmap", MLX5_IB_ATTR_DEVX_UMEM_REG_PGSZ_BITMAP, PAGE);
	say_answer(ask_send(&a, p->context), SAY_NO_STATUS, "%s umem %s", p->name, what);
	o.handle = ask_handle(&a);
	return o;
}

static int deregister_memory(const struct process *p, uint32_t handle)
{
	return ask_destroy(p->context, MLX5_IB_OBJECT_DEVX_UMEM, MLX5_IB_METHOD_DEVX_UMEM_DEREG,
			   MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE, handle);
}

/* ---- doorbells and events ------------------------------------------------------------ */

/* @uar: the mapping whose register the process writes */
static void probe_doorbell(const struct process *p, uint8_t *uar, const char *what)
{
	struct spark k = { .set = &p->world.mine, .uar = uar, .n_posted = p->shared->n_posted };

	spark_raise(&k);
	p->shared->n_posted = k.n_posted;
	say_answer(spark_wait(&k), SAY_NO_STATUS, "%s doorbell %s", p->name, what);
}

static void probe_doorbells(const struct process *p)
{
	uint8_t *own = map_uar(p, p->world.mine.uar_offset);

	if (p->spark.uar != MAP_FAILED)
		probe_doorbell(p, p->spark.uar, "by the mapping of its parent");
	if (own == MAP_FAILED)
		return;
	probe_doorbell(p, own, "by its own mapping");
	munmap(own, PAGE);
}

static void say_read(const struct process *p, int fd, const char *what)
{
	static uint8_t buf[CHANNEL_ROOM];

	say_answer(channel_wait(fd)                 ? ETIMEDOUT
		   : read(fd, buf, sizeof(buf)) < 0 ? errno
						    : 0,
		   SAY_NO_STATUS, "%s read %s", p->name, what);
}

static void probe_channels_of_its_own(const struct process *p)
{
	const int events = channel_make(CHANNEL_EVENT, p->context);

	say_answer(channel_subscribe(&p->world.mine, events, 7), SAY_NO_STATUS, "%s subscribe",
		   p->name);
	process_ask(p, ACT_RAISE);
	say_read(p, events, "event of its parent's doorbell");
	close(events);
}

/* A program that only got the command descriptor has no event file of its parent. */
static void probe_inherited_channels(const struct process *p)
{
	const struct channel c = { .context = p->context, .set = p->world.mine };

	say_read(p, p->commands, "reply that its parent asked for");
	channel_query_async(&c, p->commands);
	say_read(p, p->commands, "reply from the file of its parent");
}

/* ---- files ------------------------------------------------------------------------- */

static void probe_files(const struct process *p)
{
	struct ask a = context_of(NULL, 0);
	uint8_t zero[64] = { 0 };

	say_answer(ask_send(&a, p->context), SAY_NO_STATUS, "%s context twice", p->name);
	say_answer(ask_send(&a, p->bare), SAY_NO_STATUS, "%s context in the file of its parent",
		   p->name);
	say_answer(read(p->context, zero, sizeof(zero)) < 0 ? errno : 0, SAY_NO_STATUS,
		   "%s file read", p->name);
	say_answer(write(p->context, zero, 4) < 0 ? errno : 0, SAY_NO_STATUS, "%s file write 4",
		   p->name);
	say_answer(write(p->context, zero, sizeof(zero)) < 0 ? errno : 0, SAY_NO_STATUS,
		   "%s file write 64", p->name);
}

/* ---- objects of both ----------------------------------------------------------------- */

static void leave_objects(const struct process *p)
{
	struct process_shared *s = p->shared;

	send_valid(p, BY_CREATE, PRM_OP_alloc_pd, -1, &s->kept_pd);
	probe_uar(p, "to leave", &s->kept_uar_offset);
	s->kept_umem = register_memory(p, "to leave");
	/* last, so that no other object gets the handle */
	say_answer(command_destroy(p->context, s->pd), SAY_NO_STATUS,
		   "%s destroy of an object of its parent", p->name);
}

static void probe_last(const struct process *p)
{
	struct reply reply;

	process_ask(p, ACT_CLOSE);
	reply = send_valid(p, BY_QUERY, PRM_OP_query_cq, -1, NULL);
	say_answer(reply.error, reply.status, "%s query", p->name);
	reply = send_valid(p, BY_CREATE, PRM_OP_create_cq, -1, NULL);
	say_answer(reply.error, reply.status, "%s create_cq", p->name);
	probe_doorbells(p);
}

void probe_process(struct process *p)
{
	struct object umem;

	if (p->shared->last) {
		probe_last(p);
		return;
	}
	umem = register_memory(p, "plain");
	say_answer(deregister_memory(p, umem.handle), SAY_NO_STATUS, "%s umem destroy", p->name);
	probe_each_command(p);
	probe_uars(p);
	probe_doorbells(p);
	probe_channels_of_its_own(p);
	if (p->commands >= 0)
		probe_inherited_channels(p);
	probe_files(p);
	leave_objects(p);
}

/* ---- the parent, after the end of the other process --------------------------------------- */

static void probe_afterwards(struct process *p)
{
	struct process_shared *s = p->shared;
	struct ask a = context_of(NULL, 0);
	struct reply reply = send_valid(p, BY_QUERY, PRM_OP_query_cq, -1, NULL);

	say_answer(reply.error, reply.status, "%s afterwards query", p->name);
	say_answer(command_destroy(p->context, s->pd), SAY_NO_STATUS, "%s afterwards destroy again",
		   p->name);
	say_answer(command_destroy(p->context, s->kept_pd), SAY_NO_STATUS,
		   "%s afterwards destroy of its object", p->name);
	say_map(p, s->kept_uar_offset, "afterwards of its UAR");
	p->world.mine.o[THING_umem] = s->kept_umem;
	reply = send_valid(p, BY_CREATE, PRM_OP_create_cq, -1, NULL);
	say_answer(reply.error, reply.status, "%s afterwards create_cq on its umem", p->name);
	say_answer(deregister_memory(p, s->kept_umem.handle), SAY_NO_STATUS,
		   "%s afterwards destroy of its umem", p->name);
	say_answer(ask_send(&a, p->bare), SAY_NO_STATUS, "%s afterwards context twice", p->name);
	probe_uar(&(struct process){ .name = p->name, .context = p->bare },
		  "afterwards in its context", &s->kept_uar_offset);
}

static void probe_second_process(const struct world *w, const char *name, bool by_exec, bool last)
{
	struct process p;
	char status[16];

	process_open(&p, w, name, last);
	snprintf(status, sizeof(status), "%d", process_run(&p, by_exec));
	say_text(status, "%s status", name);
	if (!last)
		probe_afterwards(&p);
	process_close(&p);
}

void probe_processes(const struct world *w)
{
	probe_second_process(w, "forked", false, false);
	probe_second_process(w, "executed", true, false);
	probe_second_process(w, "forked-last", false, true);
	probe_second_process(w, "executed-last", true, true);
}
