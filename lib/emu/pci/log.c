/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/pci/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "emu/pci/state.h"

enum { MAX_LINES = 20, PERIOD_S = 60 };

static uint64_t read_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec;
}

void pci_say_rest(struct emu_pci *pci)
{
	char line[128];

	if (!pci->log.left_out)
		return;
	snprintf(line, sizeof(line), "%u more lines were left out (at most %d a minute)",
		 pci->log.left_out, MAX_LINES);
	pci->log.left_out = 0;
	if (pci->say)
		pci->say(pci->arg, line);
}

void pci_say(struct emu_pci *pci, const char *fmt, ...)
{
	struct pci_log *log = &pci->log;
	const uint64_t now = read_seconds();
	char line[600];
	va_list ap;

	if (now >= log->since + PERIOD_S) {
		pci_say_rest(pci);
		log->since = now;
		log->n_lines = 0;
	}
	if (log->n_lines == MAX_LINES) {
		log->left_out++;
		return;
	}
	log->n_lines++;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (pci->say)
		pci->say(pci->arg, line);
}
