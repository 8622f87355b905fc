/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_EMU_PCI_H
#define APPS_EMU_PCI_H

/** pci_main - `devx-emu pci ...`; argv[0] is "pci". Return: the program's exit status */
int pci_main(int argc, char **argv);

#endif
