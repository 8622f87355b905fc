/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_OPTIONS_H
#define LAUNCHER_OPTIONS_H

#include "launcher.h"

/** emu_options - parse the command line; ends the process on --help and on mistakes */
void emu_options(struct emu_app *app, int argc, char **argv);

#endif
