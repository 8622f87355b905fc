/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_TAP_H
#define LAUNCHER_TAP_H

#include "launcher.h"

/** emu_tap_make - make the netdevs of ports, take their MAC and MTU. Return: 0 or enum emu_exit */
int emu_tap_make(struct emu_app *app);

/** emu_tap_remove - remove those that were made */
void emu_tap_remove(const struct emu_app *app);

#endif
