/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_MISTAKE_H
#define EMU_BASE_MISTAKE_H

#include "emu/mistake.h"

struct emu;

/** emu_count_mistake - count a protocol mistake; the first of its kind keeps its text */
void emu_count_mistake(struct emu *emu, enum emu_mistake m, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
