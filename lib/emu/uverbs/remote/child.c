/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/remote/child.h"

#include <stdbool.h>
#include <sys/stat.h>

#include "emu/uverbs/base/fds.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/files/cdev.h"
#include "emu/uverbs/remote/pipes.h"
#include "emu/uverbs/remote/place.h"
#include "emu/uverbs/remote/rpc.h"

static bool is_remote(int fd)
{
	struct stat st;

	return !uv_real_fstat(fd, &st) && (uv_cdev_find_port(&st) >= 0 || uv_pipe_exists(&st));
}

/* Tells the owner of a descriptor that the child will have. Return: 0 or -errno */
static int hold_file(int fd, void *arg)
{
	const struct uv_rpc m = { .kind = UV_RPC_HOLD, .n_fds = 1, .fd = { fd } };
	const int *sock = arg;
	struct uv_rpc answer;
	int rc;

	if (!is_remote(fd))
		return 0;
	rc = uv_rpc_send(*sock, &m);
	if (!rc)
		rc = uv_rpc_receive(*sock, &answer);
	if (!rc)
		uv_rpc_clear(&answer);
	return rc;
}

int uv_child_connect(void)
{
	int sock = uv_place_connect();

	if (sock < 0)
		return -1;
	if (!uv_fds_walk(hold_file, &sock))
		return sock;
	uv_real_close(sock);
	return -1;
}
