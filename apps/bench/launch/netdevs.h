/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_NETDEVS_H
#define BENCH_NETDEVS_H

#include <stddef.h>

#define NETDEVS_PREFIX "bench" /* the names are bench0 and so on */
#define NETDEVS_TUN "/dev/net/tun"

/**
 * netdevs_set_up - set all netdevs bench0, bench1... up, without IPv6, which would send frames
 * @why: receives the reason of a failure, for a message
 *
 * Return: 0 or -errno
 */
int netdevs_set_up(char *why, size_t bytes);

#endif
