/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_FILES_FILE_H
#define EMU_UVERBS_FILES_FILE_H

#include "emu/uverbs/base/types.h"

/* "Lock held": the caller holds uv_front_lock(). */

/** uv_file_open - open the uverbs file of a port. Lock held. Return: a descriptor, or -errno */
int uv_file_open(unsigned port, int flags);
/**
 * uv_file_add_remote - remember a uverbs file whose context another process has. Lock held
 *
 * Return: the file, also if it was known; NULL if @fd is not a uverbs file, or memory ran out
 */
struct uv_file *uv_file_add_remote(int fd);
/** uv_file_find - find the uverbs file of @fd. Lock held. Return: NULL if there is none */
struct uv_file *uv_file_find(int fd);
/**
 * uv_file_remove_device - remove a device from all files, as Linux does when it unloads the driver
 *
 * From then on every ioctl of these files fails with EIO. A later open finds the device again.
 * Lock held.
 */
void uv_file_remove_device(struct uv_dev *dev);
/**
 * uv_file_reap - free uverbs files that have no descriptor and no mapping in this process any more
 * @left: called for each of them whose context another process has; NULL: no call
 *
 * Lock held.
 */
void uv_file_reap(void (*left)(const struct uv_file *file));
/** uv_has_files - check whether a uverbs file is open. Takes no lock, so the answer is a hint */
bool uv_has_files(void);

/**
 * uv_context_open - create the user context of a file, for GET_CONTEXT
 * @devx: true: with a DEVX user id
 *
 * Return: 0 or -errno
 */
int uv_context_open(struct uv_file *file, bool devx);
/** uv_context_close - destroy what uv_context_open() created */
void uv_context_close(struct uv_file *file);

#endif
