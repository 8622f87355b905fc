/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_BARRIER_H
#define DEVX_BARRIER_H

/**
 * DOC: Ordering between this CPU and the device
 *
 * Queues live in ordinary, cacheable memory that the device reads and writes by DMA; UAR
 * pages are mapped non-cached (NC) or write-combining (BlueFlame). Each barrier below is a
 * contract between two accesses. On x86 loads are ordered with loads and stores with
 * stores, so most of them only hold the compiler back.
 *
 *     post     WQE stores     | devx_to_device_barrier |     record store
 *     ring     record store   | devx_doorbell_barrier  |     UAR store
 *     ring BF  UAR store      | devx_wc_flush_barrier  |     next UAR store
 *     poll     load of owner  | devx_from_device_barrier |   loads of the CQE, of the packet
 *     release  loads of CQEs  | devx_release_barrier   |     consumer record store
 *
 * Source: PRM, "Doorbells" and "Completion Queue Entry, ownership"; Arm ARM, DMB and DSB;
 * Intel SDM volume 3, "Memory Ordering". Linux and rdma-core use the same instructions.
 */

#if defined(__x86_64__)
#define devx_to_device_barrier() __asm__ volatile("" ::: "memory")
#define devx_from_device_barrier() __asm__ volatile("" ::: "memory")
#define devx_release_barrier() __asm__ volatile("" ::: "memory")
#define devx_doorbell_barrier() __asm__ volatile("sfence" ::: "memory")
#define devx_wc_flush_barrier() __asm__ volatile("sfence" ::: "memory")
#elif defined(__aarch64__)
#define devx_to_device_barrier() __asm__ volatile("dmb oshst" ::: "memory")
#define devx_from_device_barrier() __asm__ volatile("dmb oshld" ::: "memory")
#define devx_release_barrier() __asm__ volatile("dmb osh" ::: "memory")
#define devx_doorbell_barrier() __asm__ volatile("dsb st" ::: "memory")
#define devx_wc_flush_barrier() __asm__ volatile("dsb st" ::: "memory")
#else
#error "no DMA barriers for this architecture: define the five of this file"
#endif

/**
 * devx_to_device_barrier() - stores to memory before it are seen by the device before stores
 * to memory after it
 *
 * For WQEs and the doorbell record that announces them.
 */
/**
 * devx_from_device_barrier() - loads after it are not made before loads before it
 *
 * For the owner bit of a CQE, and what the device wrote before it: the rest of the CQE and
 * the packet.
 */
/**
 * devx_release_barrier() - loads and stores before it are done before stores after it
 *
 * For CQEs that were read, and the consumer record that lets the device overwrite them.
 */
/**
 * devx_doorbell_barrier() - stores to memory before it are seen by the device before a store
 * to a UAR page after it, whatever that page's memory type
 */
/**
 * devx_wc_flush_barrier() - stores to a write-combining UAR page before it leave the CPU now,
 * and are not merged with stores after it
 */

#endif
