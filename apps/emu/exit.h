/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_EXIT_H
#define LAUNCHER_EXIT_H

/** enum emu_exit - exit status of the launcher, unless it is the program's */
enum emu_exit {
	EMU_EXIT_USAGE = 2,
	EMU_EXIT_ENVIRONMENT = 3,
	EMU_EXIT_MISTAKES = 125,
	EMU_EXIT_CANNOT_RUN = 126,
	EMU_EXIT_NOT_FOUND = 127,
};

#endif
