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
 * A thread serves the function at one end of a socket pair; the test is the client at the other
 * end. Guest memory is a file of PCI_RIG_MEM_BYTES. pci_rig_map_memory() maps it at DMA address
 * PCI_RIG_MEM_AT.
 */
enum { PCI_RIG_MEM_AT = 0x100000, PCI_RIG_MEM_BYTES = 0x100000, PCI_RIG_LINES = 8192 };

struct pci_rig {
	struct emu_pci *pci;
	struct emu_mistakes mistakes;
	pthread_t server;
	int fd, server_fd; /* fd: the client's end; -1: disconnected */
	int mem_fd;
	unsigned fds; /* open files of the process before the rig opened any */
	uint8_t *mem;
	char said[PCI_RIG_LINES]; /* reported lines; valid after pci_rig_hang_up() */
	uint16_t next_id;
	struct vfu_header reply;
	uint8_t body[4200]; /* body of the last reply */
};

void pci_rig_open(struct pci_rig *rig);
/** pci_rig_close - free the rig, and expect as many open files as before pci_rig_open() */
void pci_rig_close(struct pci_rig *rig);

/** pci_rig_connect - connect the next client; the caller has called pci_rig_hang_up() */
void pci_rig_connect(struct pci_rig *rig);
/** pci_rig_hang_up - disconnect the client, and wait until the server has ended its service */
void pci_rig_hang_up(struct pci_rig *rig);

/** pci_rig_send - send one message with file descriptors. Return: whether it was sent */
bool pci_rig_send(struct pci_rig *rig, uint16_t command, uint32_t flags, const void *body,
		  size_t bytes, const int *fds, unsigned n_fds);
/**
 * pci_rig_receive - receive the reply to the last message into body[]
 *
 * Return: 0; the errno in the reply; -1: the connection ended, or the reply is too long
 */
int pci_rig_receive(struct pci_rig *rig);
/** pci_rig_ask - send a message without flags and receive its reply, as pci_rig_receive() */
int pci_rig_ask(struct pci_rig *rig, uint16_t command, const void *body, size_t bytes,
		const int *fds, unsigned n_fds);

/** pci_rig_expect_alive - expect a correct answer to a valid message */
void pci_rig_expect_alive(struct pci_rig *rig);
/** pci_rig_expect_said - disconnect, expect exactly one line, with @key in it, and reconnect */
void pci_rig_expect_said(struct pci_rig *rig, const char *key);

/** pci_rig_map_memory - map the guest's memory with DMA_MAP */
void pci_rig_map_memory(struct pci_rig *rig);

/**
 * pci_rig_attach_core - map memory, execute ENABLE_HCA, let @r create objects on this function
 *
 * @r allocates from the guest's memory, whose DMA addresses are its addresses in this process.
 */
void pci_rig_attach_core(struct pci_rig *rig, struct core_rig *r);
/** pci_rig_write_uar - write up to a WQEBB to the UAR page of @r, and ask for no answer */
void pci_rig_write_uar(struct pci_rig *rig, const struct core_rig *r, uint32_t offset,
		       const void *from, size_t bytes);
/** pci_rig_ring_sq - ring the SQ as core_rig_ring_sq(), with pci_rig_write_uar() */
void pci_rig_ring_sq(struct pci_rig *rig, const struct core_rig *r, struct core_rig_sq *sq,
		     const void *ctrl);

/** pci_rig_read32, pci_rig_write32 - access a big-endian dword of BAR0 */
uint32_t pci_rig_read32(struct pci_rig *rig, uint64_t off);
void pci_rig_write32(struct pci_rig *rig, uint64_t off, uint32_t value);

#endif
