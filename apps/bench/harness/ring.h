/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_RING_H
#define BENCH_RING_H

#include "eal/ring_driver.h"
#include "harness/port.h"

enum { BENCH_RING_NUMBER = 1 }; /* number of the frame that a ring contains copies of */

/**
 * struct bench_ring - a generator ring on a port, with copies of the frame of the port
 * @patches: the bytes that each packet of a burst gets in place of its own. They are the same
 *	bytes, so that the frames on the wire stay known
 */
struct bench_ring {
	struct ring_driver driver;
	struct rte_pmd_devx_ring *ring;
	uint8_t *patches;
};

/**
 * bench_ring_open - create a generator ring with the frame of the port, in place of any other
 * @port: an open port that has its frame; net_devx on emu
 * @patch_bytes: bytes at the end of the frame that each send replaces; 0: none
 * @why: receives one clause on failure
 *
 * Return: 0, or -ENOTSUP or another -errno
 */
int bench_ring_open(struct bench_port *port, uint16_t patch_bytes, char *why, size_t why_bytes);

/** bench_ring_close - destroy the ring of the port, if any; the port is started */
void bench_ring_close(struct bench_port *port);

/** bench_ring_send - send @n packets. Return: number of packets that the ring accepted */
static inline uint16_t bench_ring_send(const struct bench_ring *ring, uint16_t n)
{
	return ring->driver.send(ring->ring, ring->patches, n);
}

#endif
