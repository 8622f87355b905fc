/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAUNCHER_ADAPTER_H
#define LAUNCHER_ADAPTER_H

#include "launcher.h"

/** launcher_check_wires - check the wires before a netdev is made. Return: 0 or exit code */
int launcher_check_wires(const struct launcher *l);

/** launcher_check_adapter - check that the adapter can be powered on. Return: 0 or exit code */
int launcher_check_adapter(const struct launcher *l);

#endif
