/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/firmware/refuse.h"

#include <stdarg.h>
#include <stdio.h>

#include "emu/base/dev.h"

uint8_t emu_refuse(struct emu *emu, uint8_t status, uint32_t syndrome, const char *fmt, ...)
{
	va_list ap;

	emu->syndrome = syndrome;
	va_start(ap, fmt);
	vsnprintf(emu->detail, sizeof(emu->detail), fmt, ap);
	va_end(ap);
	return status;
}
