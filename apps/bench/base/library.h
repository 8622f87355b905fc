/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_LIBRARY_H
#define BENCH_LIBRARY_H

#include <stddef.h>

/**
 * library_describe - name the file and the build ID of a library that this process has loaded
 * @name: its file name, without a folder
 * @text: receives "/path/NAME (build ID 0123...)"; "" if no such library is loaded
 *
 * The build ID (ld's --build-id) is that of the file in memory. A path from a search in a relative
 * folder is made absolute.
 */
void library_describe(const char *name, char *text, size_t bytes);

#endif
