/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_DMA_H
#define EMU_PCI_DMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct emu_pci;
struct vfu_dma_map;
struct vfu_dma_unmap;

/** pci_dma_map - add an area of guest memory; @fd: its file, or -1: no file. Return: 0 or errno */
int pci_dma_map(struct emu_pci *pci, const struct vfu_dma_map *map, int fd);
/** pci_dma_unmap - unmap one area, or all. Return: 0 or errno */
int pci_dma_unmap(struct emu_pci *pci, const struct vfu_dma_unmap *unmap);
void pci_dma_drop_all(struct emu_pci *pci);
/**
 * pci_dma_translate - the function emu_host_ops.map
 *
 * The caller holds the adapter lock or runs in the server's thread, which alone changes the areas.
 */
void *pci_dma_translate(void *pci, uint64_t addr, size_t bytes, bool write);

/** pci_dma_owns - the function emu_host_ops.owns */
bool pci_dma_owns(void *pci, const void *at);
/** pci_dma_lose - the function emu_host_ops.lost: reports a truncated file, once for each area */
void pci_dma_lose(void *pci, const void *at);

#endif
