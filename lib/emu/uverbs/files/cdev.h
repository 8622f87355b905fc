/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_FILES_CDEV_H
#define EMU_UVERBS_FILES_CDEV_H

#include <sys/stat.h>
#include <sys/types.h>

/* The memory file of port N has 2^37 + N * 4096 bytes. */
enum { UV_CDEV_LOG_BYTES = 37 };
/* The memory file is named UV_CDEV_NAME "uverbsN". */
#define UV_CDEV_NAME "devx-emu:"

/**
 * uv_cdev_make - create the memory file that emulates the character device of a port
 * @flags: flags of open(); only O_CLOEXEC and O_NONBLOCK have an effect
 * @st: receives the uv_real_fstat() result of the memory file
 *
 * Return: a descriptor, or -errno
 */
int uv_cdev_make(unsigned port, int flags, struct stat *st);

/**
 * uv_cdev_find_port - recognize an emulated uverbs file by the size of its memory file
 * @st: result of uv_real_fstat()
 *
 * Works in every process that has a descriptor of the file.
 *
 * Return: the port of the file, or -1 if @st is of another file
 */
int uv_cdev_find_port(const struct stat *st);

#endif
