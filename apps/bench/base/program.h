/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_PROGRAM_H
#define BENCH_PROGRAM_H

#include <stddef.h>

/**
 * bench_program_find - find another program of this project
 * @name: its name, "devx-emu"
 * @folder: its folder in a build tree, "emu"
 * @path: receives the file next to this program or in its build tree; else @name, for PATH
 * @bytes: size of @path
 */
void bench_program_find(const char *name, const char *folder, char *path, size_t bytes);

#endif
