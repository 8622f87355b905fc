/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_ATTACH_H
#define LAUNCHER_ATTACH_H

#include "launcher.h"

/**
 * launcher_attach - use the adapter of the devx-emu that @l->attach names, in place of a new one
 *
 * The process is that devx-emu, or a program that it runs. Fills @l->dir, @l->shared_path and
 * @l->shared.
 *
 * Return: 0; or LAUNCHER_EXIT_ENVIRONMENT after one line: no such process, no right to look at it,
 * not below a devx-emu, or a devx-emu of another build
 */
int launcher_attach(struct launcher *l);

#endif
