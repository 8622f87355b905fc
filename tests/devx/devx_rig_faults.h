/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_RIG_FAULTS_H
#define DEVX_RIG_FAULTS_H

#include <stdint.h>

/**
 * DOC: Memory that runs out, and a kernel that says no, on demand
 *
 * devx_rig_faults.c stands malloc and its relatives in front of the C library's, so that
 * allocations of libibverbs and libmlx5 can fail too, not only ours. The countdown is the calling
 * thread's own. What runs inside open, close, ioctl, mmap and munmap is the kernel, or emu in its
 * place, and has its own memory: it does not count.
 */

/**
 * devx_rig_fail_alloc - let an allocation of this thread fail, once
 * @k: how many come before it; < 0: none fails
 */
void devx_rig_fail_alloc(int64_t k);

/** devx_rig_get_pending_fault - how many come before it now, or -1: none is armed, or it failed */
int64_t devx_rig_get_pending_fault(void);

/** devx_rig_fail_ioctls - let every ioctl fail with @err from now on; 0: none */
void devx_rig_fail_ioctls(int err);

/** devx_rig_count_live - allocations of this thread minus frees by it, since it started */
int64_t devx_rig_count_live(void);

#endif
