/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include "emu/uverbs/shared.h"

/**
 * DOC: devx-emu, the launcher
 *
 *     options -> private directory: shared file, copy of sysfs -> PROGRAM -> report
 *
 * The launcher emulates nothing itself. It writes a description of the adapter to the shared
 * file. libdevx-emu.so, preloaded in PROGRAM, reads the file and emulates the adapter. When
 * PROGRAM has ended, the launcher prints the protocol mistakes that the shared file counts.
 *
 * The directory has mode 0700. The launcher removes it at its end. It also removes directories
 * that killed launchers left behind.
 */

/** struct launcher - the state of one run of PROGRAM */
struct launcher {
	struct emu_shared *shared; /* mapped from shared_path, once that file exists */
	uint16_t mtu;              /* of --mtu; 0: not given */
	char dir[256];             /* private directory, "" before it exists */
	char shared_path[320];
	int lock_fd;        /* holds the lock on the shared file; or -1 */
	char preload[4096]; /* path of libdevx-emu.so */
	char runtime[256];  /* sanitizer's library, to be preloaded before libdevx-emu.so, or "" */
	char netdev[EMU_IFNAME_BYTES - 1]; /* PREFIX of --netdev, or "" */
	bool made_tap[EMU_MAX_PORTS]; /* the launcher made the TAP of the wire and removes it */
	char **program;               /* argv of PROGRAM, ended by NULL */
	bool quiet, counters;
	long attach; /* process whose devx-emu has the adapter; 0: the launcher describes one */
};

#endif
