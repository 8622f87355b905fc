/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/remote/owner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/remote/rpc.h"
#include "emu/uverbs/shared.h"

#define SOCKET_NAME "adapter"
#define LOCK_NAME "adapter.lock"

/* A socket address may be too short for the path of this directory, but not for /proc/self/fd/N. */
static int open_directory(void)
{
	const char *shared = getenv(EMU_SHARED_ENV), *end = shared ? strrchr(shared, '/') : NULL;
	char path[512];

	if (!end || (size_t)(end - shared) >= sizeof(path))
		return -ENOENT;
	memcpy(path, shared, (size_t)(end - shared));
	path[end - shared] = '\0';
	const int fd = uv_real_open(path, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);

	return fd < 0 ? -errno : fd;
}

int uv_place_lock(void)
{
	const int dir = open_directory();
	char path[64];
	int fd, rc = 0;

	if (dir < 0)
		return dir;
	snprintf(path, sizeof(path), "/proc/self/fd/%d/" LOCK_NAME, dir);
	fd = uv_real_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0 || flock(fd, LOCK_EX))
		rc = -errno;
	uv_real_close(dir);
	if (rc && fd >= 0)
		uv_real_close(fd);
	return rc ? rc : fd;
}

/* Unlocks explicitly: a child of fork that inherited the descriptor would keep the lock. */
void uv_place_unlock(int fd)
{
	if (fd < 0)
		return;
	flock(fd, LOCK_UN);
	uv_real_close(fd);
}

/* Creates a socket and calls @use with the owner's address. Return: the socket or -errno */
static int use_socket(int (*use)(int sock, const struct sockaddr_un *address))
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int dir = open_directory();
	int sock, rc;

	if (dir < 0)
		return dir;
	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/" SOCKET_NAME, dir);
	sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	rc = sock < 0 ? -errno : use(sock, &address);
	uv_real_close(dir);
	if (!rc)
		return uv_rpc_raise_fd(sock);
	if (sock >= 0)
		uv_real_close(sock);
	return rc;
}

static int listen_at(int sock, const struct sockaddr_un *address)
{
	enum { BACKLOG = 64 };

	unlink(address->sun_path);
	return bind(sock, (const struct sockaddr *)address, sizeof(*address)) ||
			       listen(sock, BACKLOG)
		       ? -errno
		       : 0;
}

static int connect_to(int sock, const struct sockaddr_un *address)
{
	return connect(sock, (const struct sockaddr *)address, sizeof(*address)) ? -errno : 0;
}

int uv_place_listen(void)
{
	return use_socket(listen_at);
}

int uv_place_connect(void)
{
	return use_socket(connect_to);
}

int uv_place_check(int sock)
{
	struct ucred peer;
	socklen_t bytes = sizeof(peer);

	if (getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &peer, &bytes))
		return -errno;
	return peer.uid && peer.uid != geteuid() ? -EPERM : 0;
}
