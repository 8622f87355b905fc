/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_PCI_OPTIONS_H
#define LAUNCHER_PCI_OPTIONS_H

#include <stdbool.h>

#include "emu/pci/pci.h"

/** struct launcher_pci_options - the command line of `devx-emu pci` */
struct launcher_pci_options {
	const char *socket, *trace; /* NULL: not given */
	bool quiet, counters;
	struct emu_pci_config function;
};

/** launcher_parse_pci_options - parse the command line; ends the process on --help and on errors */
void launcher_parse_pci_options(struct launcher_pci_options *o, int argc, char **argv);

#endif
