/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_UVERBS_SHARED_H
#define EMU_UVERBS_SHARED_H

#include "emu/emu.h"
#include "emu/mistake.h"

/**
 * DOC: What launcher and preload share
 *
 * devx-emu fills a file in its private directory and names it in the environment. Who is
 * started with that variable maps the file: it says what adapter to play, and there the
 * protocol mistakes are counted, so the counts outlive _exit and kill -9.
 *
 * Launcher and preload are built together; @bytes catches a mix of two builds.
 */

#define EMU_SHARED_ENV "DEVX_EMU"
#define EMU_SHARED_MAGIC 0x64657678u

enum { EMU_SHARED_WIRE_BYTES = 1024, EMU_IFNAME_BYTES = 16 };

/* Major number and first minor of /dev/infiniband/uverbs*, as Linux has them. */
enum { EMU_CDEV_MAJOR = 231, EMU_CDEV_MINOR = 192 };

/** struct emu_shared_port - one port */
struct emu_shared_port {
	char wire[EMU_SHARED_WIRE_BYTES];
	char ifname[EMU_IFNAME_BYTES]; /* the netdev that owns MAC and MTU, or "" */
	uint8_t mac[EMU_MAC_BYTES];
	uint16_t mtu;
};

/** struct emu_shared - the file */
struct emu_shared {
	uint32_t magic, bytes;
	char profile[32];
	char trace[4096]; /* absolute path, or "" */
	uint32_t n_ports;
	struct emu_shared_port port[EMU_MAX_PORTS];

	/* written by the preload */
	char why[512]; /* why there is no adapter, one line, or "" */
	struct emu_mistakes mistakes;
};

#endif
