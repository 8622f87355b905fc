/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OPEN_FILES_H
#define OPEN_FILES_H

#include <dirent.h>

/** count_open_files - number of descriptors of this process; compare two results of it */
static inline unsigned count_open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

#endif
