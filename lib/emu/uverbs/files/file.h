/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_FILES_FILE_H
#define EMU_UVERBS_FILES_FILE_H

#include "emu/uverbs/base/types.h"

/* "Lock held": the caller holds uv_front_lock(). */

/** uv_file_open - open the uverbs file of a port. Lock held. Return: a descriptor, or -errno */
int uv_file_open(unsigned port, int flags);
/**
 * uv_file_add_remote - register a uverbs file whose context is in another process. Lock held
 *
 * Return: the file, new or already registered; NULL: @fd is not a uverbs file, or no memory
 */
struct uv_file *uv_file_add_remote(int fd);
/** uv_file_find - find the uverbs file of @fd. Lock held. Return: NULL if there is none */
struct uv_file *uv_file_find(int fd);
/**
 * uv_file_remove_device - remove a device from all files, as Linux does when it unloads the driver
 *
 * Later ioctls of these files fail with EIO. A new open finds the device again. Lock held.
 */
void uv_file_remove_device(struct uv_dev *dev);
/**
 * uv_file_reap - free uverbs files without a descriptor or mapping in this process. Lock held
 * @left: called for each of them whose context is in another process; or NULL
 */
void uv_file_reap(void (*left)(const struct uv_file *file));
/** uv_has_files - check whether a uverbs file is open; only a hint, because it takes no lock */
bool uv_has_files(void);

/**
 * uv_context_open - create the user context of a file, for GET_CONTEXT
 * @devx: whether the context gets a DEVX user id
 *
 * Return: 0 or -errno
 */
int uv_context_open(struct uv_file *file, bool devx);
void uv_context_close(struct uv_file *file);

#endif
