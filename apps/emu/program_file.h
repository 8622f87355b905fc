/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_PROGRAM_FILE_H
#define LAUNCHER_PROGRAM_FILE_H

#include "launcher.h"

/**
 * launcher_check_program_file - read the program's ELF file before it runs
 *
 * Warns if the program is statically linked. If emu was built with AddressSanitizer, or the program
 * needs its runtime, sets l->runtime, so that the runtime is preloaded before libdevx-emu.so.
 * Prints nothing about a script, or about a file that it cannot read.
 */
void launcher_check_program_file(struct launcher *l);

#endif
