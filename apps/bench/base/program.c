/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

void bench_program_find(const char *name, const char *folder, char *path, size_t bytes)
{
	char self[PATH_BYTES];
	const ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	if (slash)
		*slash = '\0';
	snprintf(path, bytes, "%s/%s", self, name);
	if (!access(path, X_OK))
		return;
	snprintf(path, bytes, "%s/../%s/%s", self, folder, name);
	if (access(path, X_OK))
		snprintf(path, bytes, "%s", name);
}
