/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_CONFIG_H
#define EMU_PCI_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct emu_pci;

/* @off and @bytes are inside */
void pci_config_init(struct emu_pci *pci);
void pci_config_read(struct emu_pci *pci, uint64_t off, void *to, size_t bytes);
/** pci_config_write - Return: true if the driver asks for a function level reset */
bool pci_config_write(struct emu_pci *pci, uint64_t off, const void *from, size_t bytes);

#endif
