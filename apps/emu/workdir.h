/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_WORKDIR_H
#define LAUNCHER_WORKDIR_H

#include "launcher.h"

/** emu_workdir_make - the directory and the shared file in it. Return: 0 or enum emu_exit */
int emu_workdir_make(struct emu_app *app, const struct emu_shared *content);

/** emu_workdir_remove - remove it with all that is in it; nothing if there is none */
void emu_workdir_remove(struct emu_app *app);

#endif
