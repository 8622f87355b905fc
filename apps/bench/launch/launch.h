/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_LAUNCH_H
#define BENCH_LAUNCH_H

#include <stdbool.h>

#include "base/run.h"

/**
 * DOC: devx-bench starts itself under devx-emu
 *
 *     devx-bench CASE -> user and network namespace -> devx-emu -> devx-bench CASE
 *
 * devx-emu is beside the program, in its build tree or on PATH. net_mlx5 needs a netdev for each
 * port. The launch makes them in a network namespace of its own, which needs no privilege. If this
 * user may not make one, devx-bench runs without netdevs, and a case says what it cannot measure.
 */

/** launch_is_on_emu - does devx-emu run this process? */
bool launch_is_on_emu(void);

/**
 * launch_on_emu - start this program again under devx-emu, with the adapter of @c
 * @argv: the command line of this process
 *
 * Return: only if it failed: exit status, after one line on stderr
 */
int launch_on_emu(const struct bench_case *c, char **argv);

/** launch_prepare_netdevs - bring up what launch_on_emu() made. Return: 0 or exit status */
int launch_prepare_netdevs(void);

/** launch_load_driver - load net_devx from a build tree, for --port; elsewhere EAL finds it */
void launch_load_driver(void);

/** launch_path - path of this program; valid until the end of the process */
const char *launch_path(void);

#endif
