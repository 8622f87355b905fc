/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_CONFIG_H
#define EMU_PCI_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct emu_pci;

/** pci_config_init - give every register its value after reset */
void pci_config_init(struct emu_pci *pci);
/** pci_config_read - read configuration space; the caller has checked @off and @bytes */
void pci_config_read(struct emu_pci *pci, uint64_t off, void *to, size_t bytes);
/**
 * pci_config_write - write configuration space; the caller has checked @off and @bytes
 *
 * Return: whether the write asks for a function level reset
 */
bool pci_config_write(struct emu_pci *pci, uint64_t off, const void *from, size_t bytes);

struct emu_pci;

#endif
