/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_PCI_H
#define LAUNCHER_PCI_H

/** launcher_serve_pci - run `devx-emu pci`; argv[0] is "pci". Return: exit status of devx-emu */
int launcher_serve_pci(int argc, char **argv);

#endif
