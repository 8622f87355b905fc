/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Several processes with one device: a process that receives the command descriptor imports the
 * context. Linux and emu answer alike.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <rdma/ib_user_verbs.h>

#include "pass_fd.h"
#include "quiet_fork.h"
#include "verbs_rig.h"
#include "wait_limit.h"

enum { PAGE = 4096, N_QUERIES = 1000 };

/* ---- a process of its own -------------------------------------------------------------- */

/* Begins before the device is open, so that fork() gives the process nothing of it. */
FIXTURE(process)
{
	int sock[2]; /* ends of this process and of the other */
	pid_t pid;
	struct ibv_context *ctx;
};

/* Tells the other process that a step is done, or waits until it says so. */
static void tell_other(int sock)
{
	(void)!write(sock, "", 1);
}
static void await_other(int sock)
{
	char data;

	(void)!read(sock, &data, 1);
}

/* @run: in the other process, with its socket. Returns its exit status, which is a step's number */
static void begin_process(struct ct_fix_process *self, int (*run)(int sock))
{
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, self->sock));
	self->pid = quiet_fork();
	if (!self->pid) {
		alarm(60);
		close(self->sock[0]);
		_exit(run(self->sock[1]));
	}
	close(self->sock[1]);
	self->ctx = verbs_rig_open(true);
	ASSERT_NE(NULL, self->ctx);
	ASSERT_EQ(0, pass_fd_send(self->sock[0], self->ctx->cmd_fd));
}

static void expect_success(struct ct_fix_process *self)
{
	int status = -1;

	EXPECT_EQ(self->pid, waitpid(self->pid, &status, 0));
	EXPECT_EQ(0, WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
}

FIXTURE_SETUP(process)
{
	self->sock[0] = -1;
}
FIXTURE_TEARDOWN(process)
{
	if (self->ctx)
		EXPECT_EQ(0, ibv_close_device(self->ctx));
	close(self->sock[0]);
}

static struct ibv_context *import_context(int sock)
{
	return ibv_import_device(pass_fd_receive(sock));
}

static bool can_query(struct ibv_context *ctx)
{
	struct ibv_port_attr port = { .link_layer = IBV_LINK_LAYER_UNSPECIFIED };

	return !ibv_query_port(ctx, 1, &port) && port.link_layer == IBV_LINK_LAYER_ETHERNET;
}

/* ---- an imported context --------------------------------------------------------------- */

static int make_objects(int sock)
{
	struct ibv_context *ctx = import_context(sock);
	struct mlx5dv_devx_uar *uar;
	struct mlx5dv_devx_obj *td;
	uint32_t number;

	if (!ctx || !can_query(ctx))
		return 1;
	uar = mlx5dv_devx_alloc_uar(ctx, MLX5DV_UAR_ALLOC_TYPE_BF);
	if (!uar)
		return 2;
	*(volatile uint64_t *)uar->base_addr = 0; /* the page is there */
	td = verbs_rig_create_td(ctx, &number);
	if (!td || mlx5dv_devx_obj_destroy(td))
		return 3;
	mlx5dv_devx_free_uar(uar);
	return ibv_close_device(ctx) ? 4 : 0;
}

TEST_F(process, imported_context_creates_objects)
{
	begin_process(self, make_objects);
	expect_success(self);
	EXPECT_TRUE(can_query(self->ctx));
}

/* A completion reaches the memory of the other process: the device wrote it. */
static int make_queue(int sock)
{
	struct ibv_context *ctx = import_context(sock);
	struct verbs_rig_queue cq = { 0 };
	struct mlx5dv_devx_uar *uar = NULL;

	if (ctx)
		uar = mlx5dv_devx_alloc_uar(ctx, MLX5DV_UAR_ALLOC_TYPE_BF);
	if (!uar || verbs_rig_create_cq(ctx, &cq, uar->page_id))
		return 1;
	verbs_rig_close_queue(&cq);
	mlx5dv_devx_free_uar(uar);
	return ibv_close_device(ctx) ? 2 : 0;
}

TEST_F(process, imported_context_creates_a_queue_in_memory_of_its_process)
{
	begin_process(self, make_queue);
	expect_success(self);
}

static int register_memory(int sock)
{
	struct ibv_context *ctx = import_context(sock);
	struct ibv_pd *pd = ctx ? ibv_alloc_pd(ctx) : NULL;
	int fd;
	uint8_t *at = verbs_rig_map_shared(3 * PAGE, &fd);
	struct ibv_mr *mr;

	if (!pd || !at)
		return 1;
	mr = ibv_reg_mr(pd, at + 100, PAGE, IBV_ACCESS_LOCAL_WRITE);
	if (!mr || ibv_dereg_mr(mr))
		return 2;
	if (mprotect(at, PAGE, PROT_READ) || ibv_reg_mr(pd, at, PAGE, IBV_ACCESS_LOCAL_WRITE) ||
	    errno != EFAULT)
		return 3;
	mr = ibv_reg_mr(pd, at, PAGE, 0);
	if (!mr || ibv_dereg_mr(mr))
		return 4;
	munmap(at + PAGE, PAGE);
	if (ibv_reg_mr(pd, at, 3 * PAGE, 0) || errno != EFAULT)
		return 5;
	return ibv_dealloc_pd(pd) || ibv_close_device(ctx) ? 6 : 0;
}

TEST_F(process, imported_context_registers_memory_of_its_process)
{
	begin_process(self, register_memory);
	expect_success(self);
}

static int register_private_memory(int sock)
{
	struct ibv_context *ctx = import_context(sock);
	struct ibv_pd *pd = ctx ? ibv_alloc_pd(ctx) : NULL;
	static uint8_t memory[PAGE];

	return pd && !ibv_reg_mr(pd, memory, PAGE, IBV_ACCESS_LOCAL_WRITE) ? errno : 0;
}

TEST_F(process, private_memory_of_another_process_is_refused)
{
	int status = -1;

	NEEDS_EMU("because a kernel registers all memory");
	begin_process(self, register_private_memory);
	EXPECT_EQ(self->pid, waitpid(self->pid, &status, 0));
	EXPECT_EQ(EOPNOTSUPP, WEXITSTATUS(status));
}

/* ---- objects of both --------------------------------------------------------------------- */

static int use_pd(int sock)
{
	struct ibv_context *ctx = import_context(sock);
	uint32_t handle;
	struct ibv_pd *pd;

	if (!ctx || read(sock, &handle, sizeof(handle)) != sizeof(handle))
		return 1;
	pd = ibv_import_pd(ctx, handle);
	if (!pd || ibv_import_pd(ctx, handle + 1000))
		return 2;
	ibv_unimport_pd(pd); /* the other process destroys it */
	return ibv_close_device(ctx) ? 3 : 0;
}

TEST_F(process, pd_is_imported_by_its_handle)
{
	struct ibv_pd *pd;

	begin_process(self, use_pd);
	pd = ibv_alloc_pd(self->ctx);
	ASSERT_NE(NULL, pd);
	ASSERT_EQ(sizeof(pd->handle),
		  (size_t)write(self->sock[0], &pd->handle, sizeof(pd->handle)));
	expect_success(self);
	EXPECT_EQ(0, ibv_dealloc_pd(pd));
}

static int query_without_waiting(int sock)
{
	struct ibv_context *ctx = import_context(sock);
	struct mlx5dv_devx_cmd_comp *comp = ctx ? mlx5dv_devx_create_cmd_comp(ctx) : NULL;
	struct prm_alloc_q_counter_in alloc = { 0 };
	struct prm_alloc_q_counter_out alloc_out = { 0 };
	struct prm_query_q_counter_in in = { 0 };
	struct {
		struct mlx5dv_devx_async_cmd_hdr hdr;
		uint8_t out[sizeof(struct prm_query_q_counter_out)];
	} reply = { 0 };
	struct mlx5dv_devx_obj *counter;

	if (!comp)
		return 1;
	prm_set(&alloc, opcode, PRM_OP_alloc_q_counter);
	counter = VERBS_RIG_CREATE(ctx, alloc, alloc_out);
	if (!counter)
		return 2;
	prm_set(&in, opcode, PRM_OP_query_q_counter);
	prm_set(&in, counter_set_id, prm_get(&alloc_out, counter_set_id));
	if (mlx5dv_devx_obj_query_async(counter, &in, sizeof(in), sizeof(reply.out), 77, comp))
		return 3;
	if (mlx5dv_devx_get_async_cmd_comp(comp, (void *)&reply, sizeof(reply)) ||
	    reply.hdr.wr_id != 77 || prm_get((struct prm_query_q_counter_out *)reply.out, status))
		return 4;
	mlx5dv_devx_destroy_cmd_comp(comp);
	return mlx5dv_devx_obj_destroy(counter) || ibv_close_device(ctx) ? 5 : 0;
}

TEST_F(process, asynchronous_query_answers_the_process_that_asked)
{
	begin_process(self, query_without_waiting);
	expect_success(self);
}

/* ---- who keeps a context ------------------------------------------------------------------ */

static int outlive_parents_descriptor(int sock)
{
	struct ibv_context *ctx = import_context(sock);
	struct mlx5dv_devx_obj *td;
	uint32_t number;

	if (!ctx)
		return 1;
	tell_other(sock);
	await_other(sock); /* the other process has closed its context */
	td = can_query(ctx) ? verbs_rig_create_td(ctx, &number) : NULL;
	if (!td || mlx5dv_devx_obj_destroy(td))
		return 2;
	return ibv_close_device(ctx) ? 3 : 0;
}

TEST_F(process, context_exists_until_the_last_process_closes_it)
{
	const uint64_t before = verbs_rig_read_counters().contexts;

	begin_process(self, outlive_parents_descriptor);
	await_other(self->sock[0]);
	EXPECT_EQ(0, ibv_close_device(self->ctx));
	self->ctx = NULL;
	EXPECT_EQ_ON_EMU(before + 1, verbs_rig_read_counters().contexts);
	tell_other(self->sock[0]);
	expect_success(self);
	for (int i = 0; i < WAIT_LIMIT_MS / 10 && verbs_rig_read_counters().contexts != before; i++)
		usleep(10000);
	EXPECT_EQ(before, verbs_rig_read_counters().contexts);
}

static int be_killed(int sock)
{
	struct ibv_context *imported = import_context(sock), *own = verbs_rig_open(true);
	uint32_t number;

	if (!imported || !own || !verbs_rig_create_td(own, &number) ||
	    !mlx5dv_devx_alloc_uar(own, MLX5DV_UAR_ALLOC_TYPE_BF))
		return 1;
	tell_other(sock);
	await_other(sock);
	return 2;
}

TEST_F(process, killed_process_leaves_no_object)
{
	struct devx_emu_counters before, now = { 0 };
	int status = -1;

	begin_process(self, be_killed);
	await_other(self->sock[0]);
	before = verbs_rig_read_counters();
	kill(self->pid, SIGKILL);
	EXPECT_EQ(self->pid, waitpid(self->pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	for (int i = 0; i < WAIT_LIMIT_MS / 10 && (!i || now.contexts >= before.contexts); i++) {
		usleep(10000);
		now = verbs_rig_read_counters();
		if (!emu_if_any())
			break;
	}
	EXPECT_EQ_ON_EMU(before.contexts - 1, now.contexts);
	EXPECT_EQ_ON_EMU(before.objects[DEVX_EMU_TD] - 2, now.objects[DEVX_EMU_TD]);
	EXPECT_TRUE(can_query(self->ctx));
}

/* ---- time ------------------------------------------------------------------------------------ */

static double get_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Returns microseconds of one query. */
static double time_queries(struct ibv_context *ctx)
{
	const double before = get_us();

	for (int i = 0; i < N_QUERIES; i++)
		can_query(ctx);
	return (get_us() - before) / N_QUERIES;
}

static int print_time(int sock)
{
	struct ibv_context *ctx = import_context(sock);

	if (!ctx)
		return 1;
	printf("FIGURE: an ioctl of a second process takes %.1f us\n", time_queries(ctx));
	fflush(stdout);
	return ibv_close_device(ctx) ? 2 : 0;
}

TEST_F(process, ioctls_of_two_processes_are_timed)
{
	begin_process(self, print_time);
	expect_success(self);
	printf("FIGURE: an ioctl of the process that opened the device first takes %.1f us\n",
	       time_queries(self->ctx));
}
