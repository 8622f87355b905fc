/* SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devx/core/sysfs_physfn.h"

/* Finds the link device/physfn/virtfnN that names the device itself. */
static bool find_number(const char *ibdev_path, uint32_t *vf)
{
	enum { N_VFS_MAX = 1024 };
	char path[PATH_MAX], own[PATH_MAX], other[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s/device", ibdev_path) >= sizeof(path) ||
	    !realpath(path, own))
		return false;
	for (uint32_t i = 0; i < N_VFS_MAX; i++) {
		if ((size_t)snprintf(path, sizeof(path), "%s/device/physfn/virtfn%u", ibdev_path,
				     i) >= sizeof(path) ||
		    !realpath(path, other))
			return false;
		if (strcmp(own, other))
			continue;
		*vf = i;
		return true;
	}
	return false;
}

bool devx_sysfs_read_physfn(const char *ibdev_path, unsigned index,
			    struct devx_netdev_physfn *physfn)
{
	char path[PATH_MAX];
	struct dirent *entry;
	bool found = false;
	uint32_t vf;
	DIR *dir;

	if (!find_number(ibdev_path, &vf) ||
	    (size_t)snprintf(path, sizeof(path), "%s/device/physfn/net", ibdev_path) >=
		    sizeof(path))
		return false;
	dir = opendir(path);
	while (dir && !found && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || strlen(entry->d_name) >= sizeof(physfn->netdev) ||
		    index--)
			continue;
		memcpy(physfn->netdev, entry->d_name, strlen(entry->d_name) + 1);
		physfn->vf = vf;
		found = true;
	}
	if (dir)
		closedir(dir);
	return found;
}
