/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that runs into the limits of the uverbs front, for tests/scripts/emu-limits.sh. Its
 * first argument says what it does (main()). Exits with 0 if the device answered as expected.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>

#include "pass_fd.h"

static struct ibv_context *open_port(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *ctx = list && list[0] ? ibv_open_device(list[0]) : NULL;

	if (list)
		ibv_free_device_list(list);
	return ctx;
}

/* Return: 0, or an errno */
static int query_port(struct ibv_context *ctx)
{
	struct ibv_port_attr port;

	return ibv_query_port(ctx, 1, &port);
}

static int wait_for(pid_t pid)
{
	int status;

	return pid < 0 || waitpid(pid, &status, 0) != pid || status;
}

/* Queries the port in a child. Return: 0 if it answered */
static int fork_and_query(struct ibv_context *ctx)
{
	const pid_t pid = fork();

	if (!pid)
		_exit(query_port(ctx));
	return wait_for(pid);
}

/* Registers memory of the stack in a child, which emu cannot share. Return: 0 if it was refused */
static int fork_and_register(struct ibv_context *ctx)
{
	const pid_t pid = fork();
	char memory[4096];

	if (!pid)
		_exit(mlx5dv_devx_umem_reg(ctx, memory, sizeof(memory), 0) || errno != EOPNOTSUPP);
	return wait_for(pid);
}

/* Runs this program again, as a child that also opens an adapter. */
static int run_second(const char *self)
{
	const pid_t pid = fork();

	if (!pid) {
		execl(self, self, "open", (char *)NULL);
		_exit(127);
	}
	return wait_for(pid);
}

/*
 * Executes this program again in place of this process or of a child, to use uverbs file @fd. The
 * first one leaves no process that owns the adapter.
 */
static int exec_with_file(const char *self, int fd, const char *how, bool in_child)
{
	const pid_t pid = in_child ? fork() : 0;
	char number[16];

	if (pid)
		return wait_for(pid);
	snprintf(number, sizeof(number), "%d", fd);
	fcntl(fd, F_SETFD, 0);
	execl(self, self, how, number, (char *)NULL);
	_exit(127);
}

/* Return: 0 if a program that has the descriptor can use the context */
static int import_and_query(int fd)
{
	struct ibv_context *ctx = ibv_import_device(fd);

	return !ctx || query_port(ctx) || ibv_close_device(ctx);
}

/* ---- the process that opened the device first ends -------------------------------------- */

static int open_and_send(int sock)
{
	struct ibv_context *ctx = open_port();

	if (!ctx || pass_fd_send(sock, ctx->cmd_fd))
		return 1;
	for (;;)
		pause();
}

/* Return: 0 if the context in this process behaves as one whose device was removed */
static int expect_loss(struct ibv_context *ctx)
{
	struct pollfd p = { .fd = ctx->async_fd, .events = POLLIN };
	struct ibv_async_event event;

	if (query_port(ctx) != EIO || poll(&p, 1, 20000) != 1)
		return 1;
	if (ibv_get_async_event(ctx, &event) || event.event_type != IBV_EVENT_DEVICE_FATAL)
		return 2;
	return !ibv_get_async_event(ctx, &event) || errno != EIO ? 3 : 0;
}

static int outlive_owner(void)
{
	struct ibv_context *ctx, *own;
	int sock[2], rc;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, sock))
		return 1;
	pid = fork();
	if (!pid)
		_exit(open_and_send(sock[1]));
	ctx = ibv_import_device(pass_fd_receive(sock[0]));
	rc = ctx ? query_port(ctx) : 1;
	kill(pid, SIGKILL);
	wait_for(pid);
	if (!rc)
		rc = expect_loss(ctx);
	own = open_port(); /* a new adapter, of this process; the old context stays lost */
	if (rc || !own || query_port(own) || query_port(ctx) != EIO)
		return 1;
	return ibv_close_device(ctx) || query_port(own) || ibv_close_device(own);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "open";
	struct ibv_context *ctx;
	int rc;

	if (!strcmp(how, "use"))
		return import_and_query(atoi(argv[2]));
	if (!strcmp(how, "lose"))
		return !import_and_query(atoi(argv[2]));
	if (!strcmp(how, "orphan"))
		return outlive_owner();
	ctx = open_port();
	if (!ctx || query_port(ctx))
		return 1;
	rc = 0;
	if (!strcmp(how, "fork"))
		rc = fork_and_query(ctx);
	else if (!strcmp(how, "private"))
		rc = fork_and_register(ctx);
	else if (!strcmp(how, "second"))
		rc = run_second(argv[0]);
	else if (!strcmp(how, "pass"))
		rc = exec_with_file(argv[0], ctx->cmd_fd, "use", true);
	else if (!strcmp(how, "replace"))
		rc = exec_with_file(argv[0], ctx->cmd_fd, "lose", false);
	ibv_close_device(ctx);
	return rc;
}
