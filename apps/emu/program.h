/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_PROGRAM_H
#define LAUNCHER_PROGRAM_H

#include "launcher.h"

/**
 * launcher_run_program - start the program, pass signals on to it, and wait until it ends
 * @wait_status: receives how it ended, as waitpid() gives it
 *
 * Return: 0, or exit code: the program could not be started
 */
int launcher_run_program(struct launcher *l, int *wait_status);

/** launcher_exit_status - exit status that a shell gives to @wait_status: 128 + N for signal N */
int launcher_exit_status(int wait_status);

#endif
