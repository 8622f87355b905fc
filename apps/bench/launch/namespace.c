/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/namespace.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int write_text(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	int rc = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		rc = -errno;
	close(fd);
	return rc;
}

/* Maps root of the new user namespace to the user that made it (user_namespaces(7)). */
static int map_root(uid_t uid, gid_t gid)
{
	char map[64];
	int rc;

	snprintf(map, sizeof(map), "0 %u 1", (unsigned)uid);
	rc = write_text("/proc/self/uid_map", map);
	/* the kernel accepts a gid map from an ordinary user only after this */
	if (!rc)
		rc = write_text("/proc/self/setgroups", "deny");
	snprintf(map, sizeof(map), "0 %u 1", (unsigned)gid);
	return rc ? rc : write_text("/proc/self/gid_map", map);
}

int namespace_make(char *why, size_t bytes)
{
	const uid_t uid = getuid();
	const gid_t gid = getgid();
	int rc;

	why[0] = '\0';
	if (unshare(CLONE_NEWUSER | CLONE_NEWNET)) {
		snprintf(why, bytes, "this user may not create user and network namespaces (%s)",
			 strerror(errno));
		return 0;
	}
	rc = map_root(uid, gid);
	if (rc)
		snprintf(why, bytes, "cannot map user %u to root: %s", (unsigned)uid,
			 strerror(-rc));
	return rc;
}
