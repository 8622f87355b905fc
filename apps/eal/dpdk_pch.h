/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DOC: precompiled headers of programs on DPDK (Meson's c_pch)
 *
 * The compiler spends more time on these headers than on a source file. All of them belong to other
 * projects, so a change to one of our headers recompiles only the files that include it. Sources
 * still include what they use: the build forky has -Db_pch=false.
 */
#ifndef DPDK_PCH_H
#define DPDK_PCH_H

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_ether.h>
#include <rte_lcore.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>

#endif
