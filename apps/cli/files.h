/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <stdbool.h>
#include <stddef.h>

/**
 * DOC: Files that a program writes
 *
 * In a folder that others can write, such as /tmp, somebody may have placed a link under the name
 * of an output. If the program followed the link, it could overwrite any file of its user. So it
 * refuses links there, and follows links in other folders.
 */

/**
 * files_is_shared - check whether a user outside this user's group can put a link into @folder
 *
 * Also true for a folder of another user. Trusts root, and this user's own group (umask 002).
 */
bool files_is_shared(const char *folder);

/** files_format_folder - format the folder of a file: "." if @path has none */
void files_format_folder(char *folder, size_t bytes, const char *path);

/**
 * files_create - open an output file, and create it if it does not exist
 * @flags: for open(2), in addition to O_WRONLY, O_CREAT and O_CLOEXEC
 *
 * Return: a descriptor, or -errno; -EMLINK: a link in a shared folder
 */
int files_create(const char *path, int flags);

/** files_explain - describe an errno of files_create(); @error is positive */
const char *files_explain(int error);

/**
 * files_format_temporary - format the path of a temporary file, in $TMPDIR or /tmp
 * @path: receives the path. @bytes: size of @path, at least 256
 * @name: at most 64 bytes, such as "devx-bench.XXXXXX" for mkstemp(3)
 */
void files_format_temporary(char *path, size_t bytes, const char *name);

#endif
