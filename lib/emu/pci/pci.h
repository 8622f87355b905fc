/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PCI_PCI_H
#define EMU_PCI_PCI_H

#include "emu/emu.h"

/**
 * DOC: The adapter as a PCI function, for an unmodified kernel
 *
 *     QEMU, -device vfio-user-pci                    this process
 *     guest kernel: mlx5_core, mlx5_ib
 *     vfio-user client  ---- UNIX socket ---->  server.c    one client at a time
 *                                               handle.c    executes a message
 *                                                 |     \
 *                                               region.c   \
 *                                               /    \      \
 *                                         config.c   bar.c   dma.c     irq.c
 *                                                    cmdq.c  host.map  host.irq
 *                                                      |
 *                                                   lib/emu
 *
 * The server answers an invalid message with an errno, and reports the reason to the user in one
 * line. An invalid header ends the connection; the server then accepts the next client.
 *
 * Source: vfio-user protocol specification (QEMU docs/interop/vfio-user.rst), linux/vfio.h.
 */
struct emu_pci;

struct emu_pci_config {
	const char *profile, *wire;  /* as in struct emu_config */
	struct emu_traffic *traffic; /* as in struct emu_port_config */
	uint8_t mac[EMU_MAC_BYTES];
	uint16_t mtu;
	bool no_write_combining;                    /* never join the parts of a BlueFlame write */
	struct emu_mistakes *mistakes;              /* counters; must outlive the function */
	void (*trace)(void *arg, const char *line); /* one line per command, or NULL */
	void (*say)(void *arg, const char *line);   /* one line for the user, or NULL */
	void *arg;                                  /* first argument of trace() and say() */
};

/**
 * emu_pci_create - create an adapter with one PCI function and power it on
 * @cfg: copied
 * @why: receives one line on failure. @why_bytes: size of @why
 *
 * The engine runs only inside emu_pci_serve().
 *
 * Return: the function, or NULL
 */
struct emu_pci *emu_pci_create(const struct emu_pci_config *cfg, char *why, size_t why_bytes);

/** emu_pci_destroy - power the adapter off and free it; @pci may be NULL */
void emu_pci_destroy(struct emu_pci *pci);

/**
 * emu_pci_listen - create the socket to which clients connect
 * @path: path of the socket; a socket file on which no process listens is replaced
 *
 * Only this user and root may connect. Changes the umask meanwhile, so no other thread may create
 * files.
 *
 * Return: the socket, or -1 with one line in @why
 */
int emu_pci_listen(const char *path, char *why, size_t why_bytes);

/**
 * emu_pci_run - serve one client after another, until emu_pci_stop()
 * @listener: from emu_pci_listen()
 *
 * Return: 0, or -errno when the listening socket failed
 */
int emu_pci_run(struct emu_pci *pci, int listener);

/**
 * emu_pci_serve - serve one client until it disconnects, breaks the protocol or never reads, or
 *	until emu_pci_stop()
 * @client: socket of the client; emu_pci_serve() closes it
 * @listener: socket whose other clients are disconnected at once; -1: none
 */
void emu_pci_serve(struct emu_pci *pci, int client, int listener);

/** emu_pci_stop - end emu_pci_run(); may be called by a signal handler or another thread */
void emu_pci_stop(struct emu_pci *pci);

/** emu_pci_list_objects - write existing firmware objects as "UAR 1, EQ 2". Return: their number */
unsigned emu_pci_list_objects(struct emu_pci *pci, char *line, size_t bytes);

#endif
