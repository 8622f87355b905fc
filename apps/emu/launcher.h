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
	uint16_t mtu;              /* argument of --mtu; 0: not given */
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

/*
 * The steps of a launch. Those that return int return 0, or an exit code after one line on standard
 * error, unless their comment says otherwise.
 */

/** launcher_parse_options - parse the command line; ends the process on --help and on errors */
void launcher_parse_options(struct launcher *l, int argc, char **argv);

/** launcher_check_capabilities - refuse unknown words in the environment variable DEVX_EMU_CAPS */
int launcher_check_capabilities(void);
/** launcher_check_wires - check the wires before a netdev is made */
int launcher_check_wires(const struct launcher *l);
/** launcher_check_adapter - check that the adapter can be powered on */
int launcher_check_adapter(const struct launcher *l);
/**
 * launcher_check_trace - check that FILE of --trace can be written; make it if it is missing
 * @path: "" or "-" (standard error) needs no file
 */
int launcher_check_trace(const char *path);

/** launcher_make_taps - make the netdevs of ports and match MAC and MTU */
int launcher_make_taps(struct launcher *l);
/** launcher_remove_taps - remove the netdevs that launcher_make_taps() made for TAP wires */
void launcher_remove_taps(const struct launcher *l);

/**
 * launcher_make_workdir - make the private directory, and the shared file in it
 * @content: copied to the file, which launcher.shared then maps
 */
int launcher_make_workdir(struct launcher *l, const struct emu_shared *content);
/** launcher_remove_workdir - remove the private directory and its contents, if it exists */
void launcher_remove_workdir(struct launcher *l);

/** launcher_make_sysfs - make the files of sysfs that describe devices */
int launcher_make_sysfs(const struct launcher *l);
/**
 * launcher_make_nodes - make the device files of all ports, dev/infiniband/uverbsN of the directory
 *
 * A program looks at these files, and never opens one of them (lib/emu/uverbs/preload/path.h).
 */
int launcher_make_nodes(struct launcher *l);

/**
 * launcher_attach - use the adapter of the devx-emu that @l->attach names, in place of a new one
 *
 * The process is that devx-emu, or a program that it runs. Fails if the process does not exist,
 * may not be read, is not below a devx-emu, or if that devx-emu is of another build. Fills @l->dir,
 * @l->shared_path and @l->shared.
 */
int launcher_attach(struct launcher *l);

/**
 * launcher_check_program_file - read the program's ELF file before it runs
 *
 * Warns if the program is statically linked, or if Linux starts it in secure mode: the loader
 * ignores LD_PRELOAD there. If emu was built with AddressSanitizer, or the program needs its
 * runtime, sets l->runtime, so that the runtime is preloaded before libdevx-emu.so. For a script,
 * it checks only the rights of the interpreter. It prints nothing about a file that it cannot read.
 */
void launcher_check_program_file(struct launcher *l);
/**
 * launcher_run_program - start the program, pass signals on to it, and wait until it ends
 * @wait_status: receives how it ended, as waitpid() gives it
 *
 * Return: 0, also if the program failed; an exit code if it could not be started
 */
int launcher_run_program(struct launcher *l, int *wait_status);
/** launcher_exit_status - exit status that a shell gives to @wait_status: 128 + N for signal N */
int launcher_exit_status(int wait_status);

/** launcher_serve_pci - run `devx-emu pci`; argv[0] is "pci". Return: exit status of devx-emu */
int launcher_serve_pci(int argc, char **argv);

#endif
