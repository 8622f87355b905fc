/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "emu/pci/pci.h"

/* A socket file that nobody listens on is what a killed server left. */
static bool in_use(const struct sockaddr_un *addr)
{
	struct stat st;

	if (lstat(addr->sun_path, &st) || !S_ISSOCK(st.st_mode))
		return true;

	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const bool refused = connect(fd, (const struct sockaddr *)addr, sizeof(*addr)) &&
			     (errno == ECONNREFUSED || errno == ENOENT);

	close(fd);
	return !refused;
}

int emu_pci_listen(const char *path, char *why, size_t why_bytes)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd;

	if (!path[0] || strlen(path) >= sizeof(addr.sun_path)) {
		snprintf(why, why_bytes, "socket path of %zu bytes: 1 to %zu are allowed",
			 strlen(path), sizeof(addr.sun_path) - 1);
		return -1;
	}
	strcpy(addr.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0 && bind(fd, (struct sockaddr *)&addr, sizeof(addr)) == 0)
		goto bound;
	if (fd >= 0 && errno == EADDRINUSE) {
		if (in_use(&addr)) {
			snprintf(why, why_bytes,
				 "%s is taken: another server listens there, or it is "
				 "no socket",
				 path);
			close(fd);
			return -1;
		}
		unlink(path);
		if (bind(fd, (struct sockaddr *)&addr, sizeof(addr)) == 0)
			goto bound;
	}
	snprintf(why, why_bytes, "cannot make the socket %s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;

bound:
	if (listen(fd, 4)) {
		snprintf(why, why_bytes, "cannot listen on %s: %s", path, strerror(errno));
		close(fd);
		return -1;
	}
	return fd;
}
