/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_PROGRAM_H
#define LAUNCHER_PROGRAM_H

#include "launcher.h"

/** launcher_run_program - run the program. Return: its exit status, as a shell has it */
int launcher_run_program(struct launcher *l);

#endif
