/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_FUNCTION_H
#define EMU_PCI_FUNCTION_H

struct emu_pci;

/**
 * pci_reset - put the function and its configuration space into the state after power on
 * @why: cause of the reset, such as "the machine was reset", for the report of objects that the
 *	driver had not destroyed
 */
void pci_reset(struct emu_pci *pci, const char *why);

#endif
