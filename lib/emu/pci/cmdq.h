/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_CMDQ_H
#define EMU_PCI_CMDQ_H

#include <stdint.h>

struct emu_pci;

/** pci_cmdq_run - execute the command entries whose bits in @entries are set */
void pci_cmdq_run(struct emu_pci *pci, uint32_t entries);

#endif
