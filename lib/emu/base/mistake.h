/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_BASE_MISTAKE_H
#define EMU_BASE_MISTAKE_H

#include "emu/mistake.h"

struct emu;

/** emu_count_mistake - count a driver's mistake; keep the text of the first mistake of its kind */
void emu_count_mistake(struct emu *emu, enum emu_mistake m, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
