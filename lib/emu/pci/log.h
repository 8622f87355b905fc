/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_LOG_H
#define EMU_PCI_LOG_H

struct emu_pci;

/** pci_say - report one line to the user through emu_pci_config.say */
void pci_say(struct emu_pci *pci, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
