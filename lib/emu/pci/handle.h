/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_HANDLE_H
#define EMU_PCI_HANDLE_H

struct emu_pci;
struct vfu_message;

/**
 * pci_handle_message - what a message asks for
 *
 * Return: 0, or errno; says why once, unless it is 0
 */
int pci_handle_message(struct emu_pci *pci, struct vfu_message *m);

#endif
