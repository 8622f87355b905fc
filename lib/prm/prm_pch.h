/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DOC: Precompiled headers of lib/devx, lib/emu and their tests, like apps/eal/dpdk_pch.h
 *
 * Nearly every file of these targets includes the layouts: half a megabyte of enumerators.
 */
#ifndef PRM_PCH_H
#define PRM_PCH_H

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "prm/prm.h"

#endif
