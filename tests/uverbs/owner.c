/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opens the first RDMA device and runs another program, which then is not the first one to open it.
 *
 * Usage: owner PROGRAM ARGUMENTS. Exit status: that of the program; 125: something else failed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <infiniband/verbs.h>

enum { FAILED = 125 };

static int run_program(char **argv)
{
	const pid_t pid = vfork(); /* no handler of fork() connects the program beforehand */
	int status;

	if (!pid) {
		execvp(argv[0], argv);
		_exit(FAILED);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return FAILED;
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *ctx = list && list[0] ? ibv_open_device(list[0]) : NULL;
	int rc;

	if (argc < 2 || !ctx) {
		fprintf(stderr, "owner: %s\n", ctx ? "no program" : "cannot open an RDMA device");
		return FAILED;
	}
	ibv_free_device_list(list);
	setenv("DEVX_TEST_OTHER_OWNER", "yes", 1); /* tests/ct/needs_emu.h */
	rc = run_program(argv + 1);
	ibv_close_device(ctx);
	return rc;
}
