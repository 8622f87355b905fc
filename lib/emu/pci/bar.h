/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_BAR_H
#define EMU_PCI_BAR_H

#include <stddef.h>
#include <stdint.h>

struct emu_pci;

/** pci_bar_read, pci_bar_write - access BAR0; the caller has checked @off and @bytes */
void pci_bar_read(struct emu_pci *pci, uint64_t off, void *to, size_t bytes);
void pci_bar_write(struct emu_pci *pci, uint64_t off, const void *from, size_t bytes);
/** pci_bar_flush - pass the BlueFlame write that was collected so far, if any, to the core */
void pci_bar_flush(struct emu_pci *pci);

#endif
