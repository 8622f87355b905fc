/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_DMA_H
#define EMU_PCI_DMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct emu_pci;
struct vfu_dma_map;
struct vfu_dma_unmap;

int pci_dma_map(struct emu_pci *pci, const struct vfu_dma_map *map, int fd);
int pci_dma_unmap(struct emu_pci *pci, const struct vfu_dma_unmap *unmap);
void pci_dma_drop_all(struct emu_pci *pci);
/** pci_dma_translate - struct emu_host_ops.map. The adapter's lock is held */
void *pci_dma_translate(void *pci, uint64_t addr, size_t bytes, bool write);

#endif
