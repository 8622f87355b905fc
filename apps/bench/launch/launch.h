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
 * devx-emu is next to the program, in its build tree or on PATH. net_mlx5 needs a netdev for each
 * port. The launch makes them in a new network namespace, which needs no privilege. If this user
 * may not make one, devx-bench runs without netdevs, and each case says what it cannot measure.
 */

/** launch_is_on_emu - tell whether devx-emu runs this process */
bool launch_is_on_emu(void);

/**
 * launch_on_emu - start this program again under devx-emu, with the adapter of @c
 * @argv: the command line of this process
 *
 * Return: only on failure: exit status, after one line on stderr
 */
int launch_on_emu(const struct bench_case *c, char **argv);

/** launch_prepare_netdevs - set up the netdevs of launch_on_emu(). Return: 0 or exit status */
int launch_prepare_netdevs(void);

/** launch_load_driver - load net_devx of a build tree, for --port. EAL finds an installed one */
void launch_load_driver(void);

/** launch_path - get the path of this program; valid until the end of the process */
const char *launch_path(void);

#endif
