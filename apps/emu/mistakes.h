/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_MISTAKES_H
#define LAUNCHER_MISTAKES_H

#include "emu/uverbs/shared.h"

/** emu_report - print the protocol mistakes. Return: their number */
uint64_t emu_report(const struct emu_shared *shared);

#endif
