/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_WORKDIR_H
#define LAUNCHER_WORKDIR_H

#include "launcher.h"

/**
 * launcher_make_workdir - make the private directory, and the shared file in it
 * @content: copied to the file, which launcher.shared then maps
 *
 * Return: 0 or exit code
 */
int launcher_make_workdir(struct launcher *l, const struct emu_shared *content);

/** launcher_remove_workdir - remove the private directory and its contents, if it exists */
void launcher_remove_workdir(struct launcher *l);

#endif
