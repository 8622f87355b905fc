/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PCI_RIG_H
#define PCI_RIG_H

#include <pthread.h>

#include "../core_rig_queue.h"
#include "ct.h"
#include "emu/pci/state.h"

/**
 * DOC: A rig of the PCI front for tests: a function and its vfio-user client
 *
 * The function serves one end of a socket pair on a thread; the test is at the other. Guest
 * memory is a file that both have mapped: DMA address PCI_RIG_MEM_AT, PCI_RIG_MEM_BYTES long.
 */
enum { PCI_RIG_MEM_AT = 0x100000, PCI_RIG_MEM_BYTES = 0x100000, PCI_RIG_LINES = 8192 };

struct pci_rig {
	struct emu_pci *pci;
	struct emu_mistakes mistakes;
	pthread_t server;
	int fd, server_fd; /* fd -1: hung up */
	int mem_fd;
	unsigned fds; /* open files before the rig opened any */
	uint8_t *mem;
	char said[PCI_RIG_LINES]; /* every line; read it when nobody is served any more */
	uint16_t next_id;
	struct vfu_header reply;
	uint8_t body[4200]; /* of the last reply */
};

void pci_rig_open(struct pci_rig *rig);
/** pci_rig_close - with the rig, every file is closed that was opened since pci_rig_open() */
void pci_rig_close(struct pci_rig *rig);

/** pci_rig_connect - the next client; the one before has hung up */
void pci_rig_connect(struct pci_rig *rig);
/** pci_rig_hang_up - and wait until the function has seen it */
void pci_rig_hang_up(struct pci_rig *rig);

/** pci_rig_send - one message with files. Return: false if it could not be sent */
bool pci_rig_send(struct pci_rig *rig, uint16_t command, uint32_t flags, const void *body,
		  size_t bytes, const int *fds, unsigned n_fds);
/**
 * pci_rig_receive - the reply to the last message
 *
 * Return: its error, or -1: the connection ended
 */
int pci_rig_receive(struct pci_rig *rig);
/** pci_rig_ask - both, without flags */
int pci_rig_ask(struct pci_rig *rig, uint16_t command, const void *body, size_t bytes,
		const int *fds, unsigned n_fds);

/** pci_rig_expect_alive - the connection answers as if nothing had been */
void pci_rig_expect_alive(struct pci_rig *rig);
/** pci_rig_expect_said - the client goes; what was said is exactly @line. The next one is served */
void pci_rig_expect_said(struct pci_rig *rig, const char *line);

/** pci_rig_map_memory - hand the guest's memory over */
void pci_rig_map_memory(struct pci_rig *rig);

/**
 * pci_rig_attach_core - let the helpers of @r work on this function, which gets ENABLE_HCA
 *
 * Their memory is the guest's, which the function has mapped at its address in this process.
 */
void pci_rig_attach_core(struct pci_rig *rig, struct core_rig *r);
/** pci_rig_write_uar - a write to the page of @r in BAR0 that is not answered; a WQEBB at most */
void pci_rig_write_uar(struct pci_rig *rig, const struct core_rig *r, uint32_t offset,
		       const void *from, size_t bytes);
/** pci_rig_ring_sq - as core_rig_ring_sq(), by such a write */
void pci_rig_ring_sq(struct pci_rig *rig, const struct core_rig *r, struct core_rig_sq *sq,
		     const void *ctrl);

/** pci_rig_read32, pci_rig_write32 - a big-endian dword of BAR0 */
uint32_t pci_rig_read32(struct pci_rig *rig, uint64_t off);
void pci_rig_write32(struct pci_rig *rig, uint64_t off, uint32_t value);

/** pci_rig_count_fds - open files of this process */
unsigned pci_rig_count_fds(void);

#endif
