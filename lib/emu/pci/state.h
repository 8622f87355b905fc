/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_STATE_H
#define EMU_PCI_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/pci/pci.h"
#include "emu/pci/vfu.h"
#include "prm/wqe.h"

/* The PCI function as the guest sees it through QEMU */
enum {
	PCI_VENDOR_MELLANOX = 0x15b3,
	PCI_SUBSYSTEM = 0x0016,
	PCI_CONFIG_BYTES = 4096,
	PCI_BAR_BYTES = 32 << 20,
	PCI_N_VECTORS = 16,
	PCI_FN_MSIX_TABLE = 0x10000, /* in BAR0; QEMU itself emulates the MSI-X table and PBA */
	PCI_FN_MSIX_PBA = 0x11000,
	PCI_FIRST_UAR = 0x100, /* page of BAR0, after the initialization segment and MSI-X */
	PCI_VSC_CAP = 0xc0,
};

/** struct pci_dma - an area of guest memory that the client mapped with DMA_MAP */
struct pci_dma {
	uint64_t addr, bytes; /* DMA address */
	uint8_t *at;          /* the memory in this process; NULL: DMA_MAP had no file */
	bool write;           /* the device may write */
	bool lost;            /* pci_dma_lose() has reported that the client truncated the file */
};
enum { PCI_MAX_DMA = 1024 };

struct pci_vector {
	int fd;       /* eventfd of the client; -1: the client has installed none */
	bool pending; /* raised, but not yet written to an eventfd */
};

/**
 * struct pci_combine - collects the parts of a BlueFlame write
 *
 * A CPU combines a BlueFlame write of a whole WQEBB into one bus write. A vfio-user client sends it
 * in parts of 8 bytes, which are joined here again. If another message arrives before the next
 * part, or none within PART_NS, the first 8 bytes are an ordinary doorbell. After PCI_ALONE
 * doorbells in a row the server no longer waits for a second part.
 */
enum { PCI_ALONE = 8 };
struct pci_combine {
	uint64_t at;    /* offset of the first part in BAR0 */
	size_t bytes;   /* received so far; 0: no write has begun */
	unsigned alone; /* ordinary doorbells since the last BlueFlame write with several parts */
	uint8_t wqe[PRM_WQEBB_BYTES];
};

/** struct pci_log - lines of pci_say() in the current minute */
struct pci_log {
	uint64_t since; /* seconds of CLOCK_MONOTONIC */
	unsigned n_lines, left_out;
};

/** struct emu_pci - the PCI function and its vfio-user server */
struct emu_pci {
	struct emu_adapter *adapter;
	struct emu *emu;
	void (*say)(void *arg, const char *line);
	void *arg;
	struct pci_log log;
	int stop[2]; /* a pipe: emu_pci_stop() writes, the server reads */
	bool stopping;

	uint8_t config[PCI_CONFIG_BYTES];

	/* bar.c, cmdq.c */
	uint64_t cmdq;      /* DMA address of the command queue; 0: the driver has set none */
	uint32_t cmdq_high; /* the high half, which the driver writes first */
	uint32_t health;
	bool no_write_combining; /* each part of a write rings at once; combine stays empty */
	struct pci_combine combine;

	/* the engine reads dma[] and vector[], so they change only under the adapter lock */
	struct pci_dma dma[PCI_MAX_DMA]; /* n_dma areas, sorted by address */
	unsigned n_dma;
	struct pci_vector vector[PCI_N_VECTORS];

	struct vfu_conn conn;
};

/**
 * pci_say - report one line to the user through emu_pci_config.say
 *
 * Only counts the lines after the twentieth in a minute, because a faulty client may cause one with
 * each message. Only the server's thread may call it.
 */
void pci_say(struct emu_pci *pci, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/**
 * pci_reset - put the function and its configuration space into the state after power on
 * @why: cause, such as "the machine was reset", for the report of objects that the driver left
 */
void pci_reset(struct emu_pci *pci, const char *why);

/** pci_bar_read, pci_bar_write - access BAR0; the caller has checked @off and @bytes */
void pci_bar_read(struct emu_pci *pci, uint64_t off, void *to, size_t bytes);
void pci_bar_write(struct emu_pci *pci, uint64_t off, const void *from, size_t bytes);
/** pci_bar_flush - pass the parts of a BlueFlame write collected so far, if any, to the core */
void pci_bar_flush(struct emu_pci *pci);

/** pci_cmdq_run - execute the command entries whose bits in @entries are set */
void pci_cmdq_run(struct emu_pci *pci, uint32_t entries);

/** pci_config_init - set every register to its value after reset */
void pci_config_init(struct emu_pci *pci);
/** pci_config_read - read configuration space; the caller has checked @off and @bytes */
void pci_config_read(struct emu_pci *pci, uint64_t off, void *to, size_t bytes);
/**
 * pci_config_write - write configuration space; the caller has checked @off and @bytes
 *
 * Return: whether the write asks for a function level reset
 */
bool pci_config_write(struct emu_pci *pci, uint64_t off, const void *from, size_t bytes);

/** pci_dma_map - add an area of guest memory; @fd: its file, or -1. Return: 0 or errno */
int pci_dma_map(struct emu_pci *pci, const struct vfu_dma_map *map, int fd);
/** pci_dma_unmap - unmap one area, or all. Return: 0 or errno */
int pci_dma_unmap(struct emu_pci *pci, const struct vfu_dma_unmap *unmap);
void pci_dma_drop_all(struct emu_pci *pci);
/**
 * pci_dma_translate - emu_host_ops.map
 *
 * The caller holds the adapter lock, or is the server's thread, the only one that changes areas.
 */
void *pci_dma_translate(void *pci, uint64_t addr, size_t bytes, bool write);

/** pci_dma_owns - emu_host_ops.owns */
bool pci_dma_owns(void *pci, const void *at);
/** pci_dma_lose - emu_host_ops.lost: reports a truncated file, once per area */
void pci_dma_lose(void *pci, const void *at);

void pci_irq_init(struct emu_pci *pci);
/** pci_irq_set - execute SET_IRQS; takes over the eventfds that it installs. Return: 0 or errno */
int pci_irq_set(struct emu_pci *pci, const struct vfu_irq_set *set, struct vfu_message *m);
void pci_irq_drop_all(struct emu_pci *pci);
/** pci_irq_raise - emu_host_ops.irq. The caller holds the adapter lock */
void pci_irq_raise(void *pci, uint16_t vector);

/**
 * pci_body_copy - copy the first part of the body of a message
 * @name: name of the message, for the report
 * @to: receives @bytes
 * @more: bytes that must follow in the body
 *
 * Return: false, and a report, if the length of the body is not @bytes + @more
 */
bool pci_body_copy(struct emu_pci *pci, const struct vfu_message *m, const char *name, void *to,
		   size_t bytes, size_t more);
/**
 * pci_body_copy_argsz - copy a body whose first field is argsz, the client's room for the answer
 *
 * Return: false, and a report, if the length is wrong or argsz is smaller than @bytes
 */
bool pci_body_copy_argsz(struct emu_pci *pci, const struct vfu_message *m, const char *name,
			 void *to, size_t bytes);

/**
 * pci_handle_message - execute a message; the answer replaces the body of @m
 *
 * Return: 0, or an errno; pci_say() has reported the reason, except after a failed fstat()
 */
int pci_handle_message(struct emu_pci *pci, struct vfu_message *m);

/** pci_region_... - execute one message; arguments and result as pci_handle_message() */
int pci_region_get_info(struct emu_pci *pci, struct vfu_message *m);
int pci_region_read(struct emu_pci *pci, struct vfu_message *m);
int pci_region_write(struct emu_pci *pci, struct vfu_message *m);

#endif
