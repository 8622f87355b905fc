/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_HANDLE_H
#define EMU_PCI_HANDLE_H

struct emu_pci;
struct vfu_message;

/**
 * pci_handle_message - execute a message; the answer replaces the body of @m
 *
 * Return: 0, or an errno; a line of pci_say() has the reason, except after a failed fstat()
 */
int pci_handle_message(struct emu_pci *pci, struct vfu_message *m);

/** pci_region_... - execute one message; arguments and result as pci_handle_message() */
int pci_region_get_info(struct emu_pci *pci, struct vfu_message *m);
int pci_region_read(struct emu_pci *pci, struct vfu_message *m);
int pci_region_write(struct emu_pci *pci, struct vfu_message *m);

#endif
