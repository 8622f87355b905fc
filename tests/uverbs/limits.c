/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that runs into the limits of the uverbs front, for tests/scripts/emu-limits.sh. Its
 * first argument is open (no limit), fork, second, pass or use. Exits with 0 if the device answered
 * as expected.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <sys/ioctl.h>

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

/* Queries the port twice in a child. Return: 0 if both queries failed with @expected */
static int fork_and_query(struct ibv_context *ctx, int expected)
{
	const pid_t pid = fork();
	int status;

	if (!pid)
		_exit(query_port(ctx) != expected || query_port(ctx) != expected);
	return pid < 0 || waitpid(pid, &status, 0) != pid || status;
}

/* Runs this program again, as a child that opens an adapter too. */
static int run_second(const char *self)
{
	const pid_t pid = fork();
	int status;

	if (!pid) {
		execl(self, self, "open", (char *)NULL);
		_exit(127);
	}
	return pid < 0 || waitpid(pid, &status, 0) != pid || status;
}

/* Executes this program again, to send an ioctl to uverbs file @fd, which stays open. */
static int exec_with_file(const char *self, int fd)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", fd);
	fcntl(fd, F_SETFD, 0);
	execl(self, self, "use", number, (char *)NULL);
	return 1;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "open";
	struct ib_uverbs_ioctl_hdr hdr = { .length = sizeof(hdr) };
	struct ibv_context *ctx;
	int rc;

	if (!strcmp(how, "use"))
		return !ioctl(atoi(argv[2]), RDMA_VERBS_IOCTL, &hdr) || errno != EIO;
	ctx = open_port();
	if (!ctx || query_port(ctx))
		return 1;
	rc = 0;
	if (!strcmp(how, "fork"))
		rc = fork_and_query(ctx, EIO);
	else if (!strcmp(how, "second"))
		rc = run_second(argv[0]);
	else if (!strcmp(how, "pass"))
		rc = exec_with_file(argv[0], ctx->cmd_fd);
	ibv_close_device(ctx);
	return rc;
}
