/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_VSC_H
#define EMU_PCI_VSC_H

#include <stddef.h>
#include <stdint.h>

struct emu_pci;

/** pci_vsc_... - the vendor-specific capability; called by pci_config_init(), pci_config_write() */
void pci_vsc_init(struct emu_pci *pci);
void pci_vsc_write(struct emu_pci *pci, uint64_t off, const void *from, size_t bytes);

#endif
