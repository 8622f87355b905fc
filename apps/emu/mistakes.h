/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_MISTAKES_H
#define LAUNCHER_MISTAKES_H

#include "emu/uverbs/shared.h"

/** launcher_report_mistakes - print the protocol mistakes. Return: their number */
uint64_t launcher_report_mistakes(const struct emu_shared *shared);

#endif
