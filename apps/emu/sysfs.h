/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_SYSFS_H
#define LAUNCHER_SYSFS_H

#include "launcher.h"

/** launcher_make_sysfs - make the files of sysfs that describe devices. Return: 0 or exit code */
int launcher_make_sysfs(const struct launcher *l);

#endif
