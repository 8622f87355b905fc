/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_IRQ_H
#define EMU_PCI_IRQ_H

#include <stdint.h>

struct emu_pci;
struct vfu_irq_set;
struct vfu_message;

void pci_irq_init(struct emu_pci *pci);
/** pci_irq_set - execute SET_IRQS; takes the files of @m that it installs. Return: 0 or errno */
int pci_irq_set(struct emu_pci *pci, const struct vfu_irq_set *set, struct vfu_message *m);
void pci_irq_drop_all(struct emu_pci *pci);
/** pci_irq_raise - the function emu_host_ops.irq. The caller holds the adapter lock */
void pci_irq_raise(void *pci, uint16_t vector);

#endif
