/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_LOG_H
#define EMU_PCI_LOG_H

struct emu_pci;

/**
 * pci_say - report one line to the user through emu_pci_config.say
 *
 * Counts and leaves out the lines after the twentieth in a minute: a bad client may cause one with
 * each message. Only the server's thread may call it.
 */
void pci_say(struct emu_pci *pci, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/** pci_say_rest - report how many lines were left out, if any */
void pci_say_rest(struct emu_pci *pci);

#endif
