/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	PATH_BYTES = 4096,
	MAX_TMPDIR_BYTES = 180,
	UNMAPPED_USER = 65534, /* owns root's folders in a user namespace that does not map root */
};

bool files_is_shared(const char *folder)
{
	struct stat st;

	if (stat(folder, &st))
		return false; /* nobody can create a file there */
	return st.st_mode & S_IWOTH || (st.st_mode & S_IWGRP && st.st_gid != getegid()) ||
	       (st.st_uid && st.st_uid != geteuid() && st.st_uid != UNMAPPED_USER);
}

void files_format_folder(char *folder, size_t bytes, const char *path)
{
	const char *slash = strrchr(path, '/');

	snprintf(folder, bytes, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
}

static bool is_in_shared_folder(const char *path)
{
	char folder[PATH_BYTES];

	files_format_folder(folder, sizeof(folder), path);
	return files_is_shared(folder);
}

int files_create(const char *path, int flags)
{
	const int follow = is_in_shared_folder(path) ? O_NOFOLLOW : 0;
	const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags | follow, 0666);

	if (fd >= 0)
		return fd;
	/* With O_NOFOLLOW, ELOOP means a link; without it, a loop of links. */
	return errno == ELOOP && follow ? -EMLINK : -errno;
}

const char *files_explain(int error)
{
	return error == EMLINK
		       ? "it is a link in a folder that others can write (valid: the file itself)"
		       : strerror(error);
}

void files_format_temporary(char *path, size_t bytes, const char *name)
{
	const char *folder = getenv("TMPDIR");
	const bool usable = folder && *folder == '/' && strlen(folder) < MAX_TMPDIR_BYTES;

	snprintf(path, bytes, "%s/%s", usable ? folder : "/tmp", name);
}
