/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_FDS_H
#define EMU_UVERBS_BASE_FDS_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * uv_fds_walk - call @take for each open descriptor of this process, until a call returns nonzero
 *
 * Return: the result of the last call
 */
int uv_fds_walk(int (*take)(int fd, void *arg), void *arg);
/**
 * uv_fds_find - find a descriptor of the file with @dev and @ino
 * @except: a descriptor to skip, or -1
 *
 * Return: the descriptor, or -1 if not found
 */
int uv_fds_find(dev_t dev, ino_t ino, int except);

/**
 * DOC: Marked descriptors
 *
 * A descriptor that may refer to a file of the front has a mark: a bit for its number. The
 * interposed read() and write() look for the file only if the bit is set. For all other descriptors
 * they cost one load of memory, and a signal handler may call them.
 *
 * The interposed functions set the mark of each new descriptor and of its duplicates, and remove it
 * at close. If the program closes a descriptor in another way, the mark may remain.
 */

/** uv_fd_mark - mark @fd; does nothing if @fd is negative */
void uv_fd_mark(int fd);
void uv_fd_unmark(int fd);
/** uv_fd_is_marked - check whether @fd has a mark; also true for numbers beyond the bitmap */
bool uv_fd_is_marked(int fd);

#endif
