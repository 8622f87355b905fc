/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_WORKDIR_H
#define LAUNCHER_WORKDIR_H

#include "launcher.h"

/** launcher_make_workdir - the directory and the shared file in it. Return: 0 or exit code */
int launcher_make_workdir(struct launcher *l, const struct emu_shared *content);

/** launcher_remove_workdir - remove it with all that is in it; nothing if there is none */
void launcher_remove_workdir(struct launcher *l);

#endif
