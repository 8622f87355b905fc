/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_FUNCTION_H
#define EMU_PCI_FUNCTION_H

struct emu_pci;

/**
 * pci_reset - the function as after power on, configuration space too
 * @why: "the machine was reset": begins the line that says what the driver had not put away
 */
void pci_reset(struct emu_pci *pci, const char *why);

#endif
