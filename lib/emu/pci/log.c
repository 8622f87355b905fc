/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/pci/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "emu/pci/state.h"

void pci_say(struct emu_pci *pci, const char *fmt, ...)
{
	char line[600];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (pci->say)
		pci->say(pci->arg, line);
}
