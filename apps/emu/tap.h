/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_TAP_H
#define LAUNCHER_TAP_H

#include "launcher.h"

/** launcher_make_taps - make the netdevs of ports and match MAC and MTU. Return: 0 or exit code */
int launcher_make_taps(struct launcher *l);

/** launcher_remove_taps - remove the netdevs that launcher_make_taps() made for TAP wires */
void launcher_remove_taps(const struct launcher *l);

#endif
