/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_TAP_H
#define LAUNCHER_TAP_H

#include "launcher.h"

/** launcher_make_taps - make netdevs of ports, take their MAC and MTU. Return: 0 or exit code */
int launcher_make_taps(struct launcher *l);

/** launcher_remove_taps - remove those that were made */
void launcher_remove_taps(const struct launcher *l);

#endif
