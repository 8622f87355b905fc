/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_STATE_H
#define EMU_PCI_STATE_H

#include "emu/pci/pci.h"
#include "emu/pci/vfu.h"
#include "prm/wqe.h"

/* What QEMU shows the guest */
enum {
	PCI_VENDOR_MELLANOX = 0x15b3,
	PCI_SUBSYSTEM = 0x0016,
	PCI_CONFIG_BYTES = 4096,
	PCI_BAR_BYTES = 32 << 20,
	PCI_N_VECTORS = 16,
	PCI_FN_MSIX_TABLE = 0x10000, /* in BAR0; QEMU answers for both */
	PCI_FN_MSIX_PBA = 0x11000,
	PCI_FIRST_UAR = 0x100, /* page of BAR0: beyond the segment and MSI-X */
	PCI_VSC_CAP = 0xc0,
};

/** struct pci_dma - guest memory that the client handed over */
struct pci_dma {
	uint64_t addr, bytes;
	uint8_t *at; /* NULL: it came without a file, nothing here can reach it */
	bool write;
};
enum { PCI_MAX_DMA = 1024 };

/** struct pci_vector - an MSI-X vector. @fd: -1 while the client has none installed */
struct pci_vector {
	int fd;
	bool pending; /* raised while there was none */
};

/**
 * struct pci_combine - a doorbell register that is being written, 8 bytes after 8
 *
 * What a CPU combines to one write of a whole WQEBB (BlueFlame), a client sends in pieces.
 * Pieces that follow each other are one write again. Where something else comes first, or for a
 * while nothing, the first is a doorbell. A client that only ever rings is not made to wait.
 */
enum { PCI_ALONE = 8 };
struct pci_combine {
	uint64_t at;    /* in BAR0 */
	size_t bytes;   /* 0: nothing */
	unsigned alone; /* doorbells since a second piece was seen; at PCI_ALONE none is expected */
	uint8_t wqe[PRM_WQEBB_BYTES];
};

/** struct emu_pci - a function on a socket */
struct emu_pci {
	struct emu_adapter *adapter;
	struct emu *emu;
	void (*say)(void *arg, const char *line);
	void *arg;
	int stop[2]; /* a pipe: emu_pci_stop() writes */
	bool stopping;

	uint8_t config[PCI_CONFIG_BYTES];

	/* bar.c, cmdq.c */
	uint64_t cmdq; /* DMA address of the command queue; 0: none */
	uint32_t cmdq_high;
	uint32_t health;
	struct pci_combine combine;

	/* the adapter's lock is held for what follows: the engine reads it */
	struct pci_dma dma[PCI_MAX_DMA]; /* by address, n_dma of them */
	unsigned n_dma;
	struct pci_vector vector[PCI_N_VECTORS];

	struct vfu_conn conn;
};

#endif
