/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_EXIT_H
#define LAUNCHER_EXIT_H

/** enum launcher_exit - exit statuses of devx-emu that do not come from the program */
enum launcher_exit {
	LAUNCHER_EXIT_USAGE = 2,       /* an option or DEVX_EMU_CAPS is wrong */
	LAUNCHER_EXIT_ENVIRONMENT = 3, /* a file, a permission or memory is missing */
	LAUNCHER_EXIT_MISTAKES = 125,  /* the program exited with 0 and made protocol mistakes */
	LAUNCHER_EXIT_CANNOT_RUN = 126,
	LAUNCHER_EXIT_NOT_FOUND = 127,
};

#endif
