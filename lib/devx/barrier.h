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
#define DEVX_BARRIER_TO_DEVICE ""
#define DEVX_BARRIER_FROM_DEVICE ""
#define DEVX_BARRIER_RELEASE ""
#define DEVX_BARRIER_DOORBELL "sfence"
#define DEVX_BARRIER_WC_FLUSH "sfence"
#elif defined(__aarch64__)
#define DEVX_BARRIER_TO_DEVICE "dmb oshst"
#define DEVX_BARRIER_FROM_DEVICE "dmb oshld"
#define DEVX_BARRIER_RELEASE "dmb osh"
#define DEVX_BARRIER_DOORBELL "dsb st"
#define DEVX_BARRIER_WC_FLUSH "dsb st"
#else
#error "no DMA barriers for this architecture: define the five of this file"
#endif

/**
 * devx_to_device_barrier - the device sees stores before it before stores after it
 *
 * Both to memory: WQEs, and the doorbell record that announces them.
 */
static inline void devx_to_device_barrier(void)
{
	__asm__ volatile(DEVX_BARRIER_TO_DEVICE ::: "memory");
}

/**
 * devx_from_device_barrier - loads after it are not made before loads before it
 *
 * The owner bit of a CQE first; then what the device wrote before that bit: the rest of the
 * CQE, and the packet.
 */
static inline void devx_from_device_barrier(void)
{
	__asm__ volatile(DEVX_BARRIER_FROM_DEVICE ::: "memory");
}

/**
 * devx_release_barrier - loads and stores before it are done before stores after it
 *
 * CQEs are read; then the consumer record lets the device overwrite them.
 */
static inline void devx_release_barrier(void)
{
	__asm__ volatile(DEVX_BARRIER_RELEASE ::: "memory");
}

/**
 * devx_doorbell_barrier - the device sees stores to memory before it before a store to a UAR
 * page after it
 *
 * Whatever the memory type of that page.
 */
static inline void devx_doorbell_barrier(void)
{
	__asm__ volatile(DEVX_BARRIER_DOORBELL ::: "memory");
}

/**
 * devx_wc_flush_barrier - stores to a write-combining UAR page before it leave the CPU now
 *
 * And are not merged with stores after it.
 */
static inline void devx_wc_flush_barrier(void)
{
	__asm__ volatile(DEVX_BARRIER_WC_FLUSH ::: "memory");
}

#endif
