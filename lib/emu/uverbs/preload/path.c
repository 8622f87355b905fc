/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/uverbs/preload/path.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "emu/uverbs/base/front.h"
#include "emu/uverbs/base/libc.h"
#include "emu/uverbs/device/dev.h"
#include "emu/uverbs/files/cdev.h"

#define MAJOR EMU_CDEV_MAJOR_TEXT ":"

/* Paths that belong to the device: whole directories (is_dir), or prefixes of names. */
static const struct {
	const char *begin;
	bool is_dir;
} names[] = {
	{ "/dev/infiniband", true },
	{ "/dev/char/" MAJOR, false },
	{ "/sys/class/infiniband", true },
	{ "/sys/class/infiniband_verbs", true },
	{ "/sys/devices/" EMU_PCI_ROOT, true },
	{ "/sys/bus/auxiliary", true },
	{ "/sys/bus/pci/devices/" EMU_PCI_SLOT, false },
	{ "/sys/bus/pci/drivers/mlx5_core", true },
	{ "/sys/dev/char/" MAJOR, false },
};

static const char *skip_slashes(const char *path)
{
	while (*path == '/' || (path[0] == '.' && path[1] == '/'))
		path++;
	return path;
}

/* Returns the part of @path after prefix @begin, or NULL. "//" and "/./" count as one slash. */
static const char *skip_begin(const char *path, const char *begin)
{
	for (; *begin; begin++) {
		if (*path != *begin)
			return NULL;
		path = *begin == '/' ? skip_slashes(path) : path + 1;
	}
	return path;
}

const char *uv_path_translate(struct uv_path *room, const char *path)
{
	room->file = path;
	room->is_sysfs = false;
	if (!path || *path != '/' || !uv_is_launched())
		return path;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *rest = skip_begin(path, names[i].begin);
		int bytes;

		if (!rest || (names[i].is_dir && *rest && *rest != '/'))
			continue;
		bytes = snprintf(room->text, sizeof(room->text), "%s%s%s", uv_front.shared->dir,
				 names[i].begin, rest);
		if (bytes >= (int)sizeof(room->text))
			break;
		room->is_sysfs = names[i].begin[1] == 's';
		return room->file = room->text;
	}
	return path;
}

/* Returns the part of @path after the launcher's directory, or NULL. */
static const char *skip_dir(const char *path, size_t bytes)
{
	const size_t n = uv_is_launched() ? strlen(uv_front.shared->dir) : 0;

	return n && bytes > n && !strncmp(path, uv_front.shared->dir, n) && path[n] == '/'
		       ? path + n
		       : NULL;
}

int uv_path_find_node(uint64_t fs, uint64_t inode)
{
	if (!uv_is_launched())
		return -1;
	for (uint32_t i = 0; i < uv_front.shared->n_ports; i++)
		if (uv_front.shared->port[i].node_inode == inode &&
		    uv_front.shared->port[i].node_fs == fs)
			return (int)i;
	return -1;
}

int uv_path_find_port(int dir, const char *path, int flags)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	const char *name = slash ? slash + 1 : path;
	const int saved = errno;
	struct stat st;
	int port = -1;

	/* Pays for the system call only if the name could be the device file or a link to it. */
	if (!name || (strncmp(name, "uverbs", 6) && strncmp(name, MAJOR, sizeof(MAJOR) - 1)) ||
	    !uv_is_launched())
		return -1;
	if (!uv_real_fstatat(dir, path, &st, flags))
		port = uv_path_find_node(st.st_dev, st.st_ino);
	errno = saved;
	return port;
}

size_t uv_path_restore(char *path, size_t bytes)
{
	static const char memfd[] = "/memfd:" UV_CDEV_NAME, dev[] = "/dev/infiniband/";
	const char *rest = skip_dir(path, bytes);

	static_assert(sizeof(dev) <= sizeof(memfd), "the restored name is not longer");
	static_assert(EMU_MAX_PORTS <= 10, "uverbsN has one digit");
	if (rest) {
		bytes -= (size_t)(rest - path);
		memmove(path, rest, bytes);
	} else if (bytes >= sizeof(memfd) + strlen("uverbsN") - 1 &&
		   !strncmp(path, memfd, sizeof(memfd) - 1) && uv_is_launched()) {
		/* "/memfd:devx-emu:uverbs0 (deleted)": the link of a descriptor in /proc */
		bytes = sizeof(dev) - 1 + strlen("uverbsN");
		memmove(&path[sizeof(dev) - 1], &path[sizeof(memfd) - 1], strlen("uverbsN"));
		memcpy(path, dev, sizeof(dev) - 1);
	}
	return bytes;
}
