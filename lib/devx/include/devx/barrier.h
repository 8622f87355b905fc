/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DEVX_BARRIER_H
#define DEVX_BARRIER_H

/**
 * DOC: Ordering between this CPU and the device
 *
 * Queues are in ordinary, cacheable memory that the device reads and writes by DMA. UAR
 * pages are mapped non-cached (NC) or write-combining (BlueFlame). Each barrier orders two
 * accesses. x86 orders loads with loads and stores with stores, so there most barriers only
 * keep the compiler from reordering.
 *
 *     post     WQE stores     | devx_to_device_barrier |     record store
 *     ring NC  record store   | devx_nc_doorbell_barrier | UAR store
 *     ring BF  record store   | devx_doorbell_barrier  |     UAR store
 *              UAR store      | devx_wc_flush_barrier  |     next UAR store
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
#define DEVX_BARRIER_NC_DOORBELL ""
#define DEVX_BARRIER_DOORBELL "sfence"
#define DEVX_BARRIER_WC_FLUSH "sfence"
#elif defined(__aarch64__)
#define DEVX_BARRIER_TO_DEVICE "dmb oshst"
#define DEVX_BARRIER_FROM_DEVICE "dmb oshld"
#define DEVX_BARRIER_RELEASE "dmb osh"
#define DEVX_BARRIER_NC_DOORBELL "dmb oshst"
#define DEVX_BARRIER_DOORBELL "dsb st"
#define DEVX_BARRIER_WC_FLUSH "dsb st"
#else
#error "architecture without DMA barriers (valid: x86-64, AArch64); define the six DEVX_BARRIER_*"
#endif

/**
 * devx_to_device_barrier - order stores to memory as the device sees them
 *
 * The device sees every store before the barrier (WQEs) before any store after the barrier (the
 * doorbell record that announces the WQEs).
 */
static inline void devx_to_device_barrier(void)
{
	__asm__ volatile(DEVX_BARRIER_TO_DEVICE ::: "memory");
}

/**
 * devx_from_device_barrier - order loads from memory that the device writes
 *
 * The CPU loads the owner bit of a CQE before the barrier. Only after the barrier does it load what
 * the device wrote before the owner bit: the other fields of the CQE, and the packet.
 */
static inline void devx_from_device_barrier(void)
{
	__asm__ volatile(DEVX_BARRIER_FROM_DEVICE ::: "memory");
}

/**
 * devx_release_barrier - complete earlier loads and stores before later stores
 *
 * The CPU has read the CQEs before it writes the doorbell record that allows the device to
 * overwrite them.
 */
static inline void devx_release_barrier(void)
{
	__asm__ volatile(DEVX_BARRIER_RELEASE ::: "memory");
}

/**
 * devx_doorbell_barrier - order stores to memory before a store to a UAR page
 *
 * The device sees the stores before the barrier (the doorbell record) before the store to the UAR
 * page after the barrier. This holds for non-cached and for write-combining pages: no other barrier
 * keeps stores to write-combining memory behind earlier stores.
 */
static inline void devx_doorbell_barrier(void)
{
	__asm__ volatile(DEVX_BARRIER_DOORBELL ::: "memory");
}

/**
 * devx_nc_doorbell_barrier - devx_doorbell_barrier() before a store to a non-cached page
 *
 * x86 keeps a store to uncacheable memory behind every earlier store to write-back memory. Only the
 * compiler must be kept from reordering (Intel SDM volume 3, "Memory Ordering"; AMD APM volume 2,
 * "Memory Types"). AArch64 needs DMB before a store to Device memory, as Linux does for registers.
 */
static inline void devx_nc_doorbell_barrier(void)
{
	__asm__ volatile(DEVX_BARRIER_NC_DOORBELL ::: "memory");
}

/**
 * devx_wc_flush_barrier - flush stores to a write-combining UAR page
 *
 * The stores before the barrier leave the CPU at once. The CPU does not merge them with later
 * stores to the page.
 */
static inline void devx_wc_flush_barrier(void)
{
	__asm__ volatile(DEVX_BARRIER_WC_FLUSH ::: "memory");
}

#endif
