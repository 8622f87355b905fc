/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_ADAPTER_H
#define LAUNCHER_ADAPTER_H

#include "launcher.h"

/** emu_check - can such an adapter be powered on? Return: 0 or enum emu_exit */
int emu_check(const struct emu_app *app);

#endif
