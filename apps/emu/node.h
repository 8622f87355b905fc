/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_NODE_H
#define LAUNCHER_NODE_H

#include "launcher.h"

/**
 * launcher_make_nodes - make the device files of all ports, dev/infiniband/uverbsN of the directory
 *
 * A program looks at these files, and never opens one of them (lib/emu/uverbs/preload/path.h).
 *
 * Return: 0 or exit code
 */
int launcher_make_nodes(struct launcher *l);

#endif
