/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_FD_MARKS_H
#define EMU_UVERBS_BASE_FD_MARKS_H

#include <stdbool.h>

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
/** uv_fd_is_marked - tell whether @fd has a mark; true for numbers that are too large for a bit */
bool uv_fd_is_marked(int fd);

#endif
