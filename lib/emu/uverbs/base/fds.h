/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_FDS_H
#define EMU_UVERBS_BASE_FDS_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * uv_fds_walk - call @take for each open descriptor of this process, until it returns not 0
 *
 * Return: its last result
 */
int uv_fds_walk(int (*take)(int fd, void *arg), void *arg);
/**
 * uv_fds_find - find a descriptor of the file with @dev and @ino
 * @except: a number that does not count, or -1
 *
 * Return: the descriptor, or -1 if there is none
 */
int uv_fds_find(dev_t dev, ino_t ino, int except);

/**
 * DOC: Marked descriptors
 *
 * A descriptor that may refer to a file of the front has a mark: a bit for its number. The
 * interposed read() and write() test the mark, and ask for the file only behind it. So they cost
 * all other descriptors one load of memory, and a signal handler may call them.
 *
 * The interposed functions set the mark of each new descriptor and of its duplicates, and remove
 * it at close. A mark may remain when the program closes a descriptor in another way.
 */

/** uv_fd_mark - mark @fd; does nothing if @fd is negative */
void uv_fd_mark(int fd);
/** uv_fd_unmark - remove the mark of @fd */
void uv_fd_unmark(int fd);
/** uv_fd_is_marked - check whether @fd has a mark; true for numbers that are too large for a bit */
bool uv_fd_is_marked(int fd);

#endif
