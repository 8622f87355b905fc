/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DOC: precompiled headers of programs on DPDK (Meson's c_pch)
 *
 * Reading these takes longer than compiling a file. They are headers of other projects, so that a
 * change of one of ours compiles only the files that include it. A source includes what it uses all
 * the same: the build forky has -Db_pch=false.
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
