/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_REGION_H
#define EMU_PCI_REGION_H

struct emu_pci;
struct vfu_message;

/** pci_region_... - execute one message; arguments and result as pci_handle_message() */
int pci_region_get_info(struct emu_pci *pci, struct vfu_message *m);
int pci_region_read(struct emu_pci *pci, struct vfu_message *m);
int pci_region_write(struct emu_pci *pci, struct vfu_message *m);

#endif
