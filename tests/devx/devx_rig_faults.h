/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_RIG_FAULTS_H
#define DEVX_RIG_FAULTS_H

#include <stdint.h>

/**
 * DOC: Failing allocations and failing ioctls
 *
 * devx_rig_faults.c interposes malloc and its relatives, so that allocations of libibverbs and
 * libmlx5 can also fail. Each thread has its own countdown. Allocations inside open, close, ioctl,
 * mmap and munmap belong to the kernel, or to emu in its place: they do not count and do not fail.
 */

/**
 * devx_rig_fail_alloc - make one allocation of this thread fail
 * @k: number of allocations before the one that fails; < 0: none fails
 */
void devx_rig_fail_alloc(int64_t k);

/** devx_rig_get_pending_fault - get the allocations left before the failing one; -1: none fails */
int64_t devx_rig_get_pending_fault(void);

/** devx_rig_fail_ioctls - make every ioctl of the process fail with errno @err; 0: none fails */
void devx_rig_fail_ioctls(int err);

/** devx_rig_count_live - count the allocations minus the frees of this thread since its start */
int64_t devx_rig_count_live(void);

#endif
