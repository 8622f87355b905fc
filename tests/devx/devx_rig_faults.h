/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_RIG_FAULTS_H
#define DEVX_RIG_FAULTS_H

#include <stdint.h>

/**
 * DOC: Memory that runs out, and a kernel that says no, on demand
 *
 * faults.c stands malloc and its relatives in front of the C library's, so that allocations of
 * libibverbs and libmlx5 can fail too, not only ours. The countdown is the calling thread's
 * own. What runs inside open, close, ioctl, mmap and munmap is the kernel, or emu in its
 * place, and has its own memory: it does not count.
 */

/** faults_alloc - let the @k-th allocation of this thread from now fail (0: the next), once; < 0:
 * none */
void faults_alloc(int64_t k);

/** faults_alloc_pending - how many more must come before it, or -1: none is armed, or it has failed
 */
int64_t faults_alloc_pending(void);

/** faults_ioctl - let every ioctl fail with @err from now on; 0: none */
void faults_ioctl(int err);

/** faults_live - allocations of this thread minus frees by it, since it started */
int64_t faults_live(void);

#endif
