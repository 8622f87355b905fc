/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <stdbool.h>
#include <stddef.h>

/**
 * DOC: Files that a program writes
 *
 * In a folder that others can write, such as /tmp, somebody may have put a link with the name of an
 * output there: it leads to a file of the user, which the program would overwrite. Such a link is
 * not followed. Links in other folders are.
 */

/**
 * files_is_shared - can a user outside of this one's group put a link into @folder?
 *
 * Also true for a folder of another user. Root and the own group (umask 002) are trusted.
 */
bool files_is_shared(const char *folder);

/**
 * files_create - open an output, and make it if it does not exist
 * @flags: for open(2), besides O_WRONLY and O_CREAT
 *
 * Return: a descriptor, which programs that this one starts do not get; or -errno: -EMLINK for
 * a link that is not followed
 */
int files_create(const char *path, int flags);

/** files_explain - text for an errno of files_create() */
const char *files_explain(int error);

/**
 * files_format_temporary - write the path of a temporary file, in $TMPDIR or /tmp
 * @path: receives it. @bytes: size of @path, at least 256
 * @name: at most 64 bytes, as "devx-bench.XXXXXX" for mkstemp(3)
 */
void files_format_temporary(char *path, size_t bytes, const char *name);

#endif
