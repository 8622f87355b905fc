/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_PRELOAD_PATH_H
#define EMU_UVERBS_PRELOAD_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Paths of the device
 *
 *     path in the program                         file
 *     /dev/infiniband/uverbs0                     DIR/dev/infiniband/uverbs0
 *     /sys/class/infiniband/mlx5_0/node_guid      DIR/sys/class/infiniband/mlx5_0/node_guid
 *
 * The launcher creates a device file and a sysfs in its directory DIR. An interposed function
 * passes the translated path to libc (looks.def). So libc and the kernel do the rest, including
 * directory listings, relative paths and links. A function that returns a path removes DIR from it.
 *
 * Nobody opens the device file itself: open.c recognizes its inode and opens the emulated device.
 */

enum { UV_PATH_BYTES = 4096 };
/** struct uv_path - a translated path */
struct uv_path {
	const char *file; /* @text, or the program's path if it does not belong to the device */
	bool is_sysfs;    /* in the device's sysfs, which is read-only */
	char text[UV_PATH_BYTES];
};

/** uv_path_translate - translate a path of the program. Return: room->file */
const char *uv_path_translate(struct uv_path *room, const char *path);
/** uv_path_find_node - find the port of a device file by st_dev and st_ino. Return: port, or -1 */
int uv_path_find_node(uint64_t fs, uint64_t inode);
/**
 * uv_path_find_port - find the port of the device file at a translated path
 * @dir, @flags: as for fstatat()
 *
 * Return: the port, or -1. Preserves errno
 */
int uv_path_find_port(int dir, const char *path, int flags);
/**
 * uv_path_restore - translate a path from the kernel back to the program's path, in place
 * @path: @bytes bytes without a terminating 0
 *
 * Return: the new length
 */
size_t uv_path_restore(char *path, size_t bytes);

#endif
