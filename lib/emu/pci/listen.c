/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/pci/pci.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static bool is_socket(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISSOCK(st.st_mode);
}

/* Whether a process listens on the socket file, which remains after a server was killed. */
static bool has_listener(const struct sockaddr_un *addr)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const bool refused = connect(fd, (const struct sockaddr *)addr, sizeof(*addr)) &&
			     (errno == ECONNREFUSED || errno == ENOENT);

	close(fd);
	return !refused;
}

/* Creates the socket file with mode 0600, whatever the umask, because a client owns the adapter. */
static bool bind_for_user(int fd, const struct sockaddr_un *addr)
{
	const mode_t before = umask(0177);
	const bool bound = !bind(fd, (const struct sockaddr *)addr, sizeof(*addr));

	umask(before);
	return bound;
}

int emu_pci_listen(const char *path, char *why, size_t why_bytes)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd;

	if (!path[0] || strlen(path) >= sizeof(addr.sun_path)) {
		snprintf(why, why_bytes,
			 "socket path: %zu bytes (valid: 1 to %zu); choose another path",
			 strlen(path), sizeof(addr.sun_path) - 1);
		return -1;
	}
	strcpy(addr.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0 && bind_for_user(fd, &addr))
		goto bound;
	if (fd >= 0 && errno == EADDRINUSE) {
		if (!is_socket(path) || has_listener(&addr)) {
			snprintf(why, why_bytes,
				 is_socket(path)
					 ? "socket %s: another server listens; stop that "
					   "server or choose another path"
					 : "socket %s: the file exists and is not a socket; "
					   "remove it or choose another path",
				 path);
			close(fd);
			return -1;
		}
		unlink(path);
		if (bind_for_user(fd, &addr))
			goto bound;
	}
	snprintf(why, why_bytes, "socket %s: cannot create it: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;

bound:
	if (listen(fd, 4)) {
		snprintf(why, why_bytes, "socket %s: cannot listen: %s", path, strerror(errno));
		close(fd);
		return -1;
	}
	return fd;
}
