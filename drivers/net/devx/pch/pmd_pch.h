/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DOC: precompiled headers of net_devx and of the tests that link its objects (apps/eal/dpdk_pch.h)
 */
#ifndef DEVX_PMD_PCH_H
#define DEVX_PMD_PCH_H

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <bus_pci_driver.h>
#include <bus_vdev_driver.h>
#include <ethdev_driver.h>
#include <infiniband/mlx5dv.h>
#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_ip.h>
#include <rte_lcore.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>

#include "prm/prm.h"

#endif
