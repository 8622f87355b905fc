/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_PRELOAD_H
#define LAUNCHER_PRELOAD_H

#include "launcher.h"

/** emu_find_preload - find libdevx-emu.so: beside us, in the build tree, where it is installed */
int emu_find_preload(struct emu_app *app);

#endif
