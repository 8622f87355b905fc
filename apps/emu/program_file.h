/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_PROGRAM_FILE_H
#define LAUNCHER_PROGRAM_FILE_H

#include "launcher.h"

/**
 * launcher_check_program_file - read the program's ELF file before it runs
 *
 * Warns if the program is statically linked, or if Linux starts it in secure mode: the loader
 * ignores LD_PRELOAD there. If emu was built with AddressSanitizer, or the program
 * needs its runtime, sets l->runtime, so that the runtime is preloaded before libdevx-emu.so.
 * For a script, it checks only the rights of the interpreter. It prints nothing about a file that
 * it cannot read.
 */
void launcher_check_program_file(struct launcher *l);

#endif
