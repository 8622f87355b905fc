/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_PRELOAD_PATH_H
#define EMU_UVERBS_PRELOAD_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Paths of the device
 *
 *     the program's name                          the file
 *     /dev/infiniband/uverbs0                     DIR/dev/infiniband/uverbs0
 *     /sys/class/infiniband/mlx5_0/node_guid      DIR/sys/class/infiniband/mlx5_0/node_guid
 *
 * The launcher makes a device file and a sysfs in its directory DIR. An interposed function gives
 * libc the file's path in place of the program's (looks.def). So libc and the kernel answer, also
 * for a listing, a relative path and a link. A function that returns a path removes DIR from it.
 *
 * Nothing opens the device file: open.c finds it by its inode and opens the emulated device.
 */

enum { UV_PATH_BYTES = 4096 };
/** struct uv_path - a path that a program gave to libc */
struct uv_path {
	const char *file; /* path of the file; the program's path, if that is not the device's */
	bool is_sysfs;    /* the device's sysfs, which a program only reads */
	char text[UV_PATH_BYTES];
};

/** uv_path_translate - find the file that the program names @path. Return: uv_path.file */
const char *uv_path_translate(struct uv_path *room, const char *path);
/** uv_path_find_node - find the port of a device file by st_dev and st_ino. Return: port, or -1 */
int uv_path_find_node(uint64_t fs, uint64_t inode);
/**
 * uv_path_find_port - find the port whose device file a translated path names
 * @dir, @flags: as for fstatat()
 *
 * Return: the port, or -1. Keeps errno
 */
int uv_path_find_port(int dir, const char *path, int flags);
/**
 * uv_path_restore - turn a path that the kernel returned into the program's name of the file
 * @path: @bytes bytes, not terminated by 0; changed in place
 *
 * Return: length of the name
 */
size_t uv_path_restore(char *path, size_t bytes);

#endif
