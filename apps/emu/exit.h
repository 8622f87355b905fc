/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_EXIT_H
#define LAUNCHER_EXIT_H

/** enum launcher_exit - exit status of the launcher, unless it is the program's */
enum launcher_exit {
	LAUNCHER_EXIT_USAGE = 2,
	LAUNCHER_EXIT_ENVIRONMENT = 3,
	LAUNCHER_EXIT_MISTAKES = 125,
	LAUNCHER_EXIT_CANNOT_RUN = 126,
	LAUNCHER_EXIT_NOT_FOUND = 127,
};

#endif
