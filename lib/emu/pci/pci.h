/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_PCI_H
#define EMU_PCI_PCI_H

#include "emu/emu.h"

/**
 * DOC: The adapter as a PCI function, for an unmodified kernel
 *
 *     QEMU, -device vfio-user-pci                    this process
 *     guest kernel: mlx5_core, mlx5_ib
 *        | configuration, BAR0, DMA, MSI-X
 *     vfio-user client  ---- UNIX socket ---->  server.c    one client at a time
 *                                               handle.c    what a message asks for
 *                                                 |     \
 *                                               region.c   \
 *                                               /    \      \
 *                                         config.c   bar.c   dma.c     irq.c
 *                                           vsc.c    cmdq.c  host.map  host.irq
 *                                                      |
 *                                                   lib/emu
 *
 * What a client does wrong is answered with an error and said in one line; what it sends that
 * cannot be framed ends its connection. The server goes on, and takes the next client.
 *
 * Source: vfio-user protocol specification (QEMU docs/interop/vfio-user.rst), linux/vfio.h.
 */
struct emu_pci;

/** struct emu_pci_config - a function on a socket */
struct emu_pci_config {
	const char *profile, *wire; /* as in struct emu_config */
	uint8_t mac[EMU_MAC_BYTES];
	uint16_t mtu;
	struct emu_mistakes *mistakes;              /* outlives the function */
	void (*trace)(void *arg, const char *line); /* one line a command, or NULL */
	void (*say)(void *arg, const char *line);   /* one line that a person should read */
	void *arg;                                  /* of both */
};

/**
 * emu_pci_create - power on
 * @cfg: copied
 * @why: receives one line on failure. @why_bytes: its size
 *
 * Return: the function, or NULL. Its data path runs in emu_pci_serve()
 */
struct emu_pci *emu_pci_create(const struct emu_pci_config *cfg, char *why, size_t why_bytes);

/** emu_pci_destroy - power off */
void emu_pci_destroy(struct emu_pci *pci);

/**
 * emu_pci_listen - make the socket that clients connect to
 * @path: taken over if no one listens there any more
 *
 * Return: the socket, or -1 with one line in @why
 */
int emu_pci_listen(const char *path, char *why, size_t why_bytes);

/**
 * emu_pci_run - serve one client after the other, until emu_pci_stop()
 * @listener: from emu_pci_listen()
 *
 * Return: 0, or -errno when the listening socket failed
 */
int emu_pci_run(struct emu_pci *pci, int listener);

/**
 * emu_pci_serve - serve one client until it goes
 * @client: its socket; closed here
 * @listener: others who knock are told that the place is taken; -1: nobody can
 */
void emu_pci_serve(struct emu_pci *pci, int client, int listener);

/** emu_pci_stop - end emu_pci_run(); may be called by a signal handler or another thread */
void emu_pci_stop(struct emu_pci *pci);

/** emu_pci_list_objects - "UAR 1, EQ 2": what firmware objects there are. Return: how many */
unsigned emu_pci_list_objects(struct emu_pci *pci, char *line, size_t bytes);

#endif
