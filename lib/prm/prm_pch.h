/* SPDX-License-Identifier: BSD-3-Clause
 *
 * DOC: precompiled headers of lib/devx, lib/emu and their tests (apps/eal/dpdk_pch.h)
 *
 * The layouts are half a megabyte of enumerators, which nearly every file of these targets
 * includes.
 */
#ifndef PRM_PCH_H
#define PRM_PCH_H

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "prm/prm.h"

#endif
