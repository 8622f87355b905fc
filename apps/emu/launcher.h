/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include "emu/uverbs/shared.h"

/**
 * DOC: devx-emu, the launcher
 *
 *     options -> shared file + sysfs picture in a private directory -> PROGRAM -> report
 *
 * The launcher plays nothing itself. It leaves a description of the adapter where the
 * preload in PROGRAM finds it, waits for PROGRAM, and says what the adapter had to complain
 * about. The directory has mode 0700 and goes when the launcher ends; one that a killed
 * launcher left behind goes when the next one starts.
 */

/** struct launcher - a launch */
struct launcher {
	struct emu_shared *shared; /* mapped from shared_path */
	uint16_t mtu;
	char dir[256]; /* private directory, "" before it exists */
	char shared_path[320];
	int lock_fd;        /* holds the directory; -1 */
	char preload[4096]; /* libdevx-emu.so */
	char runtime[256];  /* sanitizer's library, to be preloaded before libdevx-emu.so, or "" */
	char netdev[EMU_IFNAME_BYTES - 1]; /* prefix of names, or "" */
	bool made_tap[EMU_MAX_PORTS];
	char **program; /* argv, ended by NULL */
	bool quiet, counters;
};

#endif
