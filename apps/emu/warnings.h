/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_WARNINGS_H
#define LAUNCHER_WARNINGS_H

#include "emu/uverbs/shared.h"

/** launcher_report_warnings - print the warnings that the front left in the shared file */
void launcher_report_warnings(const struct emu_shared *shared);

#endif
