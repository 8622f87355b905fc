/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RX_RING_H
#define RX_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "devx_rxq.h"
#include "port_rig.h"

/**
 * DOC: A receive queue whose CQEs the test writes
 *
 * The queue is a copy of queue 0 of a started port, with rings of the test. So the driver chose
 * its function, pool and keys, and the test decides when which CQE arrives. CQE number i has bytes
 * that only i determines. Each burst is compared with them, field by field. Packets go back to the
 * pool with wrong values in every field that a burst has to write.
 *
 * The CQ is RX_RING_CQ_AHEAD CQEs ahead of the RQ, as after a reset of the RQ, so both rings end
 * at another packet.
 */

enum { RX_RING_MAX = 512, RX_RING_GUARD = 64, RX_RING_CQ_AHEAD = 5 };

/**
 * struct rx_ring - the queue
 * @rxq: the copy
 * @burst: receive function of the port
 * @offloads: offloads of the port
 * @ts_offset: offset of the timestamp in an mbuf
 * @n: number of slots of each ring
 * @is_hasty: the device acts at each store to a doorbell record (hasty_device.h)
 * @written: number of the next CQE
 * @taken: number of the first CQE that no burst has taken
 * @cqes, @wqes, @elts, @dbrec: the rings; of @dbrec the CQ has the first two words
 */
struct rx_ring {
	struct devx_eth_rxq rxq;
	uint16_t (*burst)(void *rxq, struct rte_mbuf **pkts, uint16_t n);
	uint64_t offloads;
	bool is_hasty;
	uint32_t n, written, taken;
	prm_be32 dbrec[4];
	struct prm_cqe cqes[RX_RING_MAX + RX_RING_GUARD] __rte_cache_aligned;
	struct prm_data_seg wqes[RX_RING_MAX] __rte_cache_aligned;
	struct rte_mbuf *elts[RX_RING_MAX + RX_RING_GUARD];
};

/** rx_ring_open - copy queue 0 of the started port; all @n slots get buffers. Return: success */
bool rx_ring_open(struct rx_ring *ring, const struct port_rig *rig, uint32_t n);
/** rx_ring_close - free the buffers of the ring */
void rx_ring_close(struct rx_ring *ring);
/** rx_ring_write - write the next @n CQEs */
void rx_ring_write(struct rx_ring *ring, uint32_t n);
/** rx_ring_write_error - write an error CQE as the next one */
void rx_ring_write_error(struct rx_ring *ring, uint8_t syndrome);
/**
 * rx_ring_take - expect a burst of @n to return @want packets with the right fields
 *
 * Frees them, and expects the doorbell records and the addresses of the posted buffers to be right.
 *
 * Return: success; false after a failure of the test.
 */
bool rx_ring_take(struct rx_ring *ring, uint16_t n, uint16_t want);
/**
 * rx_ring_take_around - rx_ring_take() of CQEs among which number @error is an error CQE
 *
 * Its packet is none of the packets of the burst.
 */
bool rx_ring_take_around(struct rx_ring *ring, uint16_t n, uint16_t want, uint32_t error);

#endif
