/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_OPTIONS_H
#define LAUNCHER_OPTIONS_H

#include "launcher.h"

/** launcher_parse_options - parse the command line; ends the process on --help and on errors */
void launcher_parse_options(struct launcher *l, int argc, char **argv);

#endif
