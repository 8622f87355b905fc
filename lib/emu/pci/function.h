/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_FUNCTION_H
#define EMU_PCI_FUNCTION_H

#include <linux/pci_regs.h>

#include "emu/pci/pci.h"
#include "emu/pci/vfu.h"
#include "prm/prm.h"
#include "prm/seg.h"
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

/** pci_say - one line that a person should read */
void pci_say(struct emu_pci *pci, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** pci_handle - what a message asks for. Return: 0, or errno; says why once, unless it is 0 */
int pci_handle(struct emu_pci *pci, struct vfu_message *m);

/** pci_take - copy the fixed part of a body, behind which are @more bytes; or say what is wrong */
bool pci_take(struct emu_pci *pci, const struct vfu_message *m, const char *name, void *to,
	      size_t bytes, size_t more);
/** pci_take_argsz - the same; the struct begins with the room that the client has for the answer */
bool pci_take_argsz(struct emu_pci *pci, const struct vfu_message *m, const char *name, void *to,
		    size_t bytes);

/**
 * pci_reset - the function as after power on, configuration space too
 * @why: "the machine was reset": begins the line that says what the driver had not put away
 */
void pci_reset(struct emu_pci *pci, const char *why);

/* region.c: messages, as pci_handle() */
int pci_region_info(struct emu_pci *pci, struct vfu_message *m);
int pci_region_read(struct emu_pci *pci, struct vfu_message *m);
int pci_region_write(struct emu_pci *pci, struct vfu_message *m);

/* config.c: @off and @bytes are inside */
void pci_config_init(struct emu_pci *pci);
void pci_config_read(struct emu_pci *pci, uint64_t off, void *to, size_t bytes);
/** pci_config_write - Return: true if the driver asks for a function level reset */
bool pci_config_write(struct emu_pci *pci, uint64_t off, const void *from, size_t bytes);

/* vsc.c: part of configuration space */
void pci_vsc_init(struct emu_pci *pci);
void pci_vsc_write(struct emu_pci *pci, uint64_t off, const void *from, size_t bytes);

/* bar.c: @off and @bytes are inside */
void pci_bar_read(struct emu_pci *pci, uint64_t off, void *to, size_t bytes);
void pci_bar_write(struct emu_pci *pci, uint64_t off, const void *from, size_t bytes);
/** pci_bar_flush - no piece follows: ring what was written so far */
void pci_bar_flush(struct emu_pci *pci);

/* cmdq.c */
void pci_cmdq_run(struct emu_pci *pci, uint32_t entries);

/* dma.c */
int pci_dma_map(struct emu_pci *pci, const struct vfu_dma_map *map, int fd);
int pci_dma_unmap(struct emu_pci *pci, const struct vfu_dma_unmap *unmap);
void pci_dma_drop_all(struct emu_pci *pci);
/** pci_dma_at - struct emu_host_ops.map. The adapter's lock is held */
void *pci_dma_at(void *pci, uint64_t addr, size_t bytes, bool write);

/* irq.c */
void pci_irq_init(struct emu_pci *pci);
int pci_irq_set(struct emu_pci *pci, const struct vfu_irq_set *set, struct vfu_message *m);
void pci_irq_drop_all(struct emu_pci *pci);
/** pci_irq_raise - struct emu_host_ops.irq. The adapter's lock is held */
void pci_irq_raise(void *pci, uint16_t vector);

#endif
