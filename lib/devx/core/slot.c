/* SPDX-License-Identifier: BSD-3-Clause */
#include <infiniband/verbs.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "devx/slot.h"

void devx_slot_find(struct devx_slot *slot, const struct devx_dev *dev)
{
	char link[PATH_MAX], path[PATH_MAX];
	size_t bytes;

	slot->path[0] = '\0';
	bytes = (size_t)snprintf(link, sizeof(link), "%s/device", dev->ctx->device->ibdev_path);
	if (bytes >= sizeof(link) || !realpath(link, path))
		return;
	bytes = strlen(path) + 1;
	if (bytes <= sizeof(slot->path))
		memcpy(slot->path, path, bytes);
	if (!dev->pci[0] && devx_slot_read(slot) != DEVX_SLOT_BOUND)
		slot->path[0] = '\0';
}

enum devx_slot_state devx_slot_read(const struct devx_slot *slot)
{
	char driver[DEVX_SLOT_PATH_BYTES + sizeof("/driver")];
	struct stat st;

	if (!slot->path[0])
		return DEVX_SLOT_BOUND;
	snprintf(driver, sizeof(driver), "%s/driver", slot->path);
	if (!lstat(driver, &st))
		return DEVX_SLOT_BOUND;
	return stat(slot->path, &st) ? DEVX_SLOT_GONE : DEVX_SLOT_UNBOUND;
}
