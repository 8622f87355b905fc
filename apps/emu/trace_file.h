/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_TRACE_FILE_H
#define LAUNCHER_TRACE_FILE_H

/**
 * launcher_check_trace - check that FILE of --trace can be written; make it if it is missing
 * @path: "" or "-" (standard error) needs no file
 *
 * Return: 0 or exit code
 */
int launcher_check_trace(const char *path);

#endif
