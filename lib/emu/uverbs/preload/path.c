/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/preload/path.h"

#include <stdio.h>
#include <string.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/device/process.h"

int uv_path_find_port(const char *path)
{
	unsigned major_no, n;
	char end;

	if (!path || strncmp(path, "/dev/", 5) || !uv_is_launched())
		return -1;
	if (sscanf(path, "/dev/infiniband/uverbs%u%c", &n, &end) == 1)
		return n < uv_front.shared->n_ports ? (int)n : -1;
	if (sscanf(path, "/dev/char/%u:%u%c", &major_no, &n, &end) == 2 &&
	    major_no == EMU_CDEV_MAJOR && n >= EMU_CDEV_MINOR)
		return n - EMU_CDEV_MINOR < uv_front.shared->n_ports ? (int)(n - EMU_CDEV_MINOR)
								     : -1;
	return -1;
}
