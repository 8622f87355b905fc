/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_NAMESPACE_H
#define BENCH_NAMESPACE_H

#include <stddef.h>

/**
 * namespace_make - move this process into a user and a network namespace of its own
 * @why: receives the reason if this user may not make namespaces; "" if it worked
 *
 * The process is root there, and owns the netdevs that it makes. They end with the process.
 *
 * Return: 0; or -errno if the process is in a new namespace that it cannot use, and must end
 */
int namespace_make(char *why, size_t bytes);

#endif
