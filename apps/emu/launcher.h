/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include "emu/uverbs/shared.h"

/**
 * DOC: devx-emu, the launcher
 *
 *     options -> private directory: shared file, copy of sysfs -> PROGRAM -> report
 *
 * The launcher itself emulates nothing. It writes a description of the adapter to the shared file.
 * libdevx-emu.so, preloaded into PROGRAM, reads the file and emulates the adapter. After PROGRAM
 * has ended, the launcher prints the protocol mistakes that libdevx-emu.so counted in the file.
 *
 * The directory has mode 0700. The launcher removes it at the end. At the start, it removes the
 * directories that killed launchers left behind.
 */

/** struct launcher - the state of one run of PROGRAM */
struct launcher {
	struct emu_shared *shared; /* mapped from shared_path, once that file exists */
	uint16_t mtu;              /* argument of --mtu; 0: not given */
	char dir[256];             /* private directory, "" before it exists */
	char shared_path[320];
	int lock_fd;        /* holds the lock on the shared file; or -1 */
	char preload[4096]; /* path of libdevx-emu.so */
	char runtime[256];  /* sanitizer's library, to be preloaded before libdevx-emu.so, or "" */
	char netdev[EMU_IFNAME_BYTES - 1]; /* PREFIX of --netdev, or "" */
	bool made_tap[EMU_MAX_PORTS]; /* the launcher created the wire's TAP and will remove it */
	char **program;               /* argv of PROGRAM, ended by NULL */
	bool quiet, counters;
	long attach; /* argument of --attach; 0: not given */
};

/*
 * The steps of a launch. An int is 0, or an exit code after an error line on standard error, unless
 * the comment of the function says otherwise.
 */

/** launcher_parse_options - parse the command line; ends the process on --help and on errors */
void launcher_parse_options(struct launcher *l, int argc, char **argv);

/** launcher_check_capabilities - refuse unknown words in the environment variable DEVX_EMU_CAPS */
int launcher_check_capabilities(void);
/** launcher_check_wires - check the wires; called before launcher_make_taps() */
int launcher_check_wires(const struct launcher *l);
/** launcher_check_adapter - check that the adapter can be powered on */
int launcher_check_adapter(const struct launcher *l);
/**
 * launcher_check_trace - check that FILE of --trace is writable; create it if it does not exist
 * @path: FILE; for "" or "-" (standard error) there is nothing to check
 */
int launcher_check_trace(const char *path);

/** launcher_make_taps - create the netdev of each port, with the MAC and MTU of the port */
int launcher_make_taps(struct launcher *l);
/** launcher_remove_taps - remove the netdevs that launcher_make_taps() created for TAP wires */
void launcher_remove_taps(const struct launcher *l);

/**
 * launcher_make_workdir - create the private directory with the shared file; set launcher.shared
 * @content: initial contents of the shared file
 */
int launcher_make_workdir(struct launcher *l, const struct emu_shared *content);
/** launcher_remove_workdir - remove the private directory and its contents, if it exists */
void launcher_remove_workdir(struct launcher *l);

/** launcher_make_sysfs - create the sysfs files that describe the devices */
int launcher_make_sysfs(const struct launcher *l);
/**
 * launcher_make_nodes - create the device file dev/infiniband/uverbsN of each port
 *
 * Programs stat() these files but never open them (lib/emu/uverbs/preload/path.h).
 */
int launcher_make_nodes(struct launcher *l);

/**
 * launcher_attach - use the adapter of another devx-emu: @l->attach is its pid or its program's
 *
 * Fails if the process does not exist or is of another user, if no devx-emu started it, or if that
 * devx-emu is of another build. Sets @l->dir, @l->shared_path and @l->shared.
 */
int launcher_attach(struct launcher *l);

/**
 * launcher_check_program_file - inspect the program's ELF file before it runs
 *
 * Warns if LD_PRELOAD will have no effect: the program is statically linked, or Linux starts it in
 * secure mode. Sets l->runtime, which is preloaded before libdevx-emu.so, if emu was built with
 * AddressSanitizer or the program needs its runtime. For a script, checks only the interpreter for
 * secure mode. Ignores a file that it cannot read.
 */
void launcher_check_program_file(struct launcher *l);
/**
 * launcher_run_program - start the program, forward signals to it, and wait until it ends
 * @wait_status: receives the status from waitpid()
 *
 * Return: 0 even if the program failed; an exit code if it could not be started
 */
int launcher_run_program(struct launcher *l, int *wait_status);
/** launcher_exit_status - convert to the exit status that a shell reports: 128 + N for signal N */
int launcher_exit_status(int wait_status);

/** launcher_serve_pci - run `devx-emu pci`; argv[0] is "pci". Return: exit status of devx-emu */
int launcher_serve_pci(int argc, char **argv);

#endif
