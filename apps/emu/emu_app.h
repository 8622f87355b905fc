/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_APP_H
#define EMU_APP_H

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

enum emu_exit {
	EMU_EXIT_USAGE = 2,
	EMU_EXIT_ENVIRONMENT = 3,
	EMU_EXIT_MISTAKES = 125,
	EMU_EXIT_CANNOT_RUN = 126,
	EMU_EXIT_NOT_FOUND = 127,
};

/** struct emu_app - a launch */
struct emu_app {
	struct emu_shared *shared;   /* mapped from shared_path */
	uint16_t mtu;
	char dir[256];               /* private directory, "" before it exists */
	char shared_path[320];
	int lock_fd;                 /* holds the directory; -1 */
	char preload[4096];          /* libdevx-emu.so */
	char netdev[EMU_IFNAME_BYTES - 1]; /* prefix of names, or "" */
	bool made_tap[EMU_MAX_PORTS];
	char **program;              /* argv, ended by NULL */
};

/** emu_fail - "devx-emu: ..." on standard error. Return: @status */
int emu_fail(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* options.c */
/** emu_options - parse the command line; ends the process on --help and on mistakes */
void emu_options(struct emu_app *app, int argc, char **argv);

/* workdir.c */
/** emu_workdir_make - the directory and the shared file in it. Return: 0 or enum emu_exit */
int emu_workdir_make(struct emu_app *app, const struct emu_shared *content);
/** emu_workdir_remove - remove it with all that is in it; nothing if there is none */
void emu_workdir_remove(struct emu_app *app);

/* sysfs.c */
/** emu_sysfs_make - the picture of the devices. Return: 0 or enum emu_exit */
int emu_sysfs_make(const struct emu_app *app);

/* tap.c */
/** emu_tap_make - make the netdevs of ports, take their MAC and MTU. Return: 0 or enum emu_exit */
int emu_tap_make(struct emu_app *app);
/** emu_tap_remove - remove those that were made */
void emu_tap_remove(const struct emu_app *app);

/* check.c */
/** emu_check - can such an adapter be powered on? Return: 0 or enum emu_exit */
int emu_check(const struct emu_app *app);
/** emu_find_preload - find libdevx-emu.so: beside us, in the build tree, where it is installed */
int emu_find_preload(struct emu_app *app);

/* run.c */
/** emu_run - run the program. Return: its exit status, as a shell has it */
int emu_run(struct emu_app *app);

/* report.c */
/** emu_report - print the protocol mistakes. Return: their number */
uint64_t emu_report(const struct emu_shared *shared);

#endif
