/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_SYSFS_H
#define LAUNCHER_SYSFS_H

#include "launcher.h"

/** emu_sysfs_make - the picture of the devices. Return: 0 or enum emu_exit */
int emu_sysfs_make(const struct emu_app *app);

#endif
