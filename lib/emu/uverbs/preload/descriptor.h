/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_PRELOAD_DESCRIPTOR_H
#define EMU_UVERBS_PRELOAD_DESCRIPTOR_H

#include <stdbool.h>
#include <sys/stat.h>

/* For interposed functions, some of which core and engine call with locks held. */

/** uv_descriptor_is_uverbs - check whether @fd is a uverbs file. Takes no lock */
bool uv_descriptor_is_uverbs(int fd);
/**
 * uv_descriptor_drop - remove the mark of @fd, which the caller is about to close
 *
 * Return: true if @fd is a file of the front; the caller then calls uv_descriptor_reap() after the
 * close
 */
bool uv_descriptor_drop(int fd);
/** uv_descriptor_reap - free files of the front that have no descriptor left. Preserves errno */
void uv_descriptor_reap(void);

struct uv_path;

/**
 * uv_open_serve - open the device that a translated path names, or refuse to change sysfs
 * @dir, @flags: as for openat()
 * @fd: receives a descriptor, or -1 with errno
 *
 * Return: true if @fd is the result of the open; false: the caller calls libc's function
 */
bool uv_open_serve(int dir, const struct uv_path *path, int flags, int *fd);

/**
 * uv_stat_show - make a device file or an open uverbs file look as in Linux
 * @rc: result of libc's function
 * @st: its output; changed only for such a file
 *
 * Return: @rc
 */
int uv_stat_show(int rc, struct stat *st);

#endif
