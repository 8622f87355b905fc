/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RTE_PMD_DEVX_H
#define RTE_PMD_DEVX_H

/**
 * @file
 * Functions of the driver net_devx beyond ethdev: packet memory in a dma-buf, and generator rings.
 *
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * A dma-buf is memory of another driver, such as that of a GPU, given as a file descriptor.
 * The application gives it an address: a range of virtual addresses that no other packet memory
 * has. The range may be the mapping of the dma-buf, or reserved without access rights
 * (mmap() with PROT_NONE) if the CPU cannot access the dma-buf. Mbufs carry this address.
 *
 *     mbuf header, in memory of EAL                  dma-buf
 *     | buf_addr = address + i * element |  ------>  | element i |
 *
 * The driver does not read or write packet bytes in a dma-buf. The application must not ask it, or
 * a function of DPDK, to do so.
 */

#include <stdint.h>

#include <rte_compat.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rte_mempool;

/** The device may write to the dma-buf: needed for receiving. */
#define RTE_PMD_DEVX_DMABUF_WRITE (1u << 0)
/** The device uses its Data Direct function (see mlx5dv_reg_dmabuf_mr(3)). */
#define RTE_PMD_DEVX_DMABUF_DATA_DIRECT (1u << 1)

/** A part of a dma-buf, and the address that mbufs carry for it. */
struct rte_pmd_devx_dmabuf {
	int fd;           /**< The dma-buf; may be closed after the registration. */
	uint32_t access;  /**< RTE_PMD_DEVX_DMABUF_*; 0: the device only reads. */
	uint64_t offset;  /**< Offset of the part in the dma-buf, in bytes. */
	uint64_t length;  /**< Length of the part in bytes, at least 1. */
	uint64_t address; /**< Address of the first byte; equals offset modulo the page size. */
};

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Registers a part of a dma-buf as packet memory of a port.
 *
 * The port may be started or stopped. The registration lasts until
 * rte_pmd_devx_dmabuf_unregister() or until the port is closed, and keeps the memory allocated. A
 * failure is logged in one line. Call it from the control thread of the application.
 *
 * @param port_id
 *   A port of net_devx.
 * @param buf
 *   The part; not used after the call.
 * @return
 *   0 on success, otherwise a negative errno:
 *   - -ENODEV: no such port, or a port of another driver.
 *   - -EINVAL: the descriptor is not a dma-buf, the part does not fit it, offset and address differ
 *     within a page, or access has unknown bits.
 *   - -EBADF: the descriptor is not open.
 *   - -EEXIST: the addresses overlap another dma-buf, mapped memory or, on a started port, other
 *     registered memory. A stopped port does not detect the latter; after its start, these
 *     addresses mean the dma-buf.
 *   - -EOPNOTSUPP: the exporter of the dma-buf, or the kernel, does not support it.
 *   - -ENOTSUP: Data Direct is not available, or the process is a secondary one or a child of
 *     fork.
 *   - -EBUSY: the device of the port is lost, and a recovery is under way.
 *   - -EIO: the device is lost, and its recovery failed.
 *   - -ENOMEM: out of memory.
 *   - Others as the kernel returned them.
 */
__rte_experimental int rte_pmd_devx_dmabuf_register(uint16_t port_id,
						    const struct rte_pmd_devx_dmabuf *buf);

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Ends a registration. The port must be stopped: the device may use the memory of a started one.
 *
 * @param port_id
 *   A port of net_devx.
 * @param address
 *   The address of the registration.
 * @return
 *   0 on success, otherwise a negative errno:
 *   - -ENODEV: no such port, or a port of another driver.
 *   - -ENOENT: no dma-buf is registered at this address.
 *   - -EBUSY: the port is started, or a recovery of its device is under way.
 *   - -EIO: the device is lost, and its recovery failed.
 *   - -ENOTSUP: the process is a secondary one or a child of fork.
 */
__rte_experimental int rte_pmd_devx_dmabuf_unregister(uint16_t port_id, uint64_t address);

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Creates a pool whose mbufs have their buffers in a dma-buf (pinned external buffers).
 * Works before and after the registration; a queue needs the registration when it starts.
 *
 * @param name
 *   Name of the pool.
 * @param n
 *   Number of mbufs.
 * @param cache_size
 *   As for rte_pktmbuf_pool_create().
 * @param data_room_size
 *   Bytes of a buffer, including RTE_PKTMBUF_HEADROOM; rounded up to a cache line.
 * @param socket_id
 *   NUMA node of the mbuf headers, or SOCKET_ID_ANY.
 * @param address
 *   First address of the buffers, as registered.
 * @param length
 *   Bytes for buffers, at least n times the rounded data_room_size.
 * @return
 *   The pool, or NULL with rte_errno: EINVAL if the buffers do not fit, or address is 0; others as
 *   rte_pktmbuf_pool_create_extbuf().
 */
__rte_experimental struct rte_mempool *
rte_pmd_devx_dmabuf_pool_create(const char *name, unsigned int n, unsigned int cache_size,
				uint16_t data_room_size, int socket_id, uint64_t address,
				uint64_t length);

/**
 * A generator ring: a separate send queue that contains copies of one packet. Sending costs no
 * mbuf, and the device reads no packet memory: each send only replaces some bytes of each copy.
 */
struct rte_pmd_devx_ring;

/** Largest number of patches of a packet. */
#define RTE_PMD_DEVX_RING_PATCHES 4

/** Bytes of a packet that each send replaces. */
struct rte_pmd_devx_ring_patch {
	uint16_t offset; /**< The first one, counted from the destination MAC. */
	uint16_t bytes;  /**< Number of bytes; 0: unused. */
};

/** The packets of a generator ring. */
struct rte_pmd_devx_ring_conf {
	const void *frame;    /**< The packet, from the destination MAC, without FCS; copied. */
	uint32_t frame_bytes; /**< Its length, from an Ethernet header to what the MTU allows. */
	uint32_t n_packets;   /**< Minimum number of packets that the ring holds, at least 1. */
	/** Each send replaces these parts: a sequence, an address. Of patches that overlap the
	 * later one wins. Without any, all packets are equal. The driver computes no checksum.
	 */
	struct rte_pmd_devx_ring_patch patch[RTE_PMD_DEVX_RING_PATCHES];
};

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Creates a generator ring on a started port. It works beside the Tx queues of the port, which need
 * not be used. A failure is logged in one line. Call it from the control thread of the application.
 *
 * @param port_id
 *   A started port of net_devx.
 * @param conf
 *   The packets; not used after the call.
 * @param ring
 *   Receives the ring; unchanged on failure.
 * @return
 *   0 on success, otherwise a negative errno:
 *   - -ENODEV: no such port, or a port of another driver.
 *   - -EBUSY: the port is stopped, or a recovery of its device is under way.
 *   - -EINVAL: the length, the bytes to replace, or the number of packets is out of range.
 *   - -EMSGSIZE: the packet does not fit into a WQE (with 60 segments: more than 924 bytes).
 *   - -ENOTSUP: the device has no enhanced multi-packet WQEs, or the process is a secondary one or
 *     a child of fork.
 *   - -ENOMEM: out of memory.
 *   - -EIO: the firmware refused an object, or the device is lost and its recovery failed.
 *   - Others as the kernel returned them.
 */
__rte_experimental int rte_pmd_devx_ring_create(uint16_t port_id,
						const struct rte_pmd_devx_ring_conf *conf,
						struct rte_pmd_devx_ring **ring);

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Sends packets, in order. A full ring accepts fewer than @p n packets, or none: call again. After
 * an error of the device the ring accepts no packets until the driver has restarted it, some
 * milliseconds later. After a stop of the port it never accepts packets again. The statistics of
 * the port count accepted packets, except those lost because of an error.
 *
 * @param ring
 *   The ring. One thread sends at a time; it may send while other threads use the Tx queues.
 * @param patches
 *   For each of the @p n packets the bytes of all its patches, one behind the other. Not used after
 *   the call. NULL if the ring has no patches.
 * @param n
 *   Number of packets. Multiples of the packets per WQE are fastest. Their number is a power of
 *   two: 8 for packets of 60 bytes.
 * @return
 *   Number of accepted packets.
 */
__rte_experimental uint16_t rte_pmd_devx_ring_send(struct rte_pmd_devx_ring *ring,
						   const void *patches, uint16_t n);

/**
 * @warning
 * @b EXPERIMENTAL: this API may change, or be removed, without prior notice.
 *
 * Waits up to 500 ms until the device has sent every packet, then destroys the ring. Call it
 * from the control thread, while no thread sends. A stopped port keeps its rings until then; a
 * port that closes destroys them.
 *
 * @param ring
 *   The ring, or NULL.
 */
__rte_experimental void rte_pmd_devx_ring_destroy(struct rte_pmd_devx_ring *ring);

#ifdef __cplusplus
}
#endif

#endif
