/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files.h"
#include "exit.h"
#include "message.h"

/* Opens regular files only: to open and close a FIFO would end it for its reader. */
static int find_trace_error(const char *path)
{
	struct stat st;
	int fd;

	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return EISDIR;
	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return access(path, W_OK) ? errno : 0;
	fd = files_create(path, O_APPEND);
	if (fd < 0)
		return -fd;
	close(fd);
	return 0;
}

int launcher_check_trace(const char *path)
{
	const int error = *path && strcmp(path, "-") ? find_trace_error(path) : 0;

	return error ? launcher_fail(LAUNCHER_EXIT_USAGE,
				     "--trace %s: %s; name a file that you may write, or - for "
				     "standard error",
				     path, files_explain(error))
		     : 0;
}
