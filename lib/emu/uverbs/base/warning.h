/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_BASE_WARNING_H
#define EMU_UVERBS_BASE_WARNING_H

#include "emu/uverbs/shared.h"

/**
 * uv_warn - leave one line for the launcher, which prints it after the program has ended
 *
 * "process PID (NAME): " is put before the line. Only the first call with @which writes a line,
 * among all processes of a launch. The calling process must have been launched by devx-emu.
 */
void uv_warn(enum emu_warning which, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
