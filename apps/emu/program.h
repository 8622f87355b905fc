/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_PROGRAM_H
#define LAUNCHER_PROGRAM_H

#include "launcher.h"

/** emu_run - run the program. Return: its exit status, as a shell has it */
int emu_run(struct emu_app *app);

#endif
