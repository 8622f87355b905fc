/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_PRELOAD_H
#define LAUNCHER_PRELOAD_H

#include "launcher.h"

/** launcher_find_preload - find libdevx-emu.so by the place of devx-emu. Return: 0 or exit code */
int launcher_find_preload(struct launcher *l);

#endif
