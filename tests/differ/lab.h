/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DIFFER_LAB_H
#define DIFFER_LAB_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_ethdev.h>

#include "ct.h"
#include "needs_emu.h"

/**
 * DOC: Two drivers side by side
 *
 *     net_mlx5 port 0 ---- pair wire ---- port 1, the peer (net_mlx5 without offloads)
 *     net_devx port 2 ---- pair wire ---- port 3, the peer (net_mlx5 without offloads)
 *
 * All ports are in this process. A peer sends and receives whole frames, each in one large buffer.
 * While frames move, emu's engine is paused and this thread steps it: nothing depends on time.
 */

enum lab_driver { LAB_MLX5, LAB_DEVX, LAB_DRIVERS };
extern const char *const lab_driver_names[LAB_DRIVERS];

enum { LAB_BURST = 64, LAB_PEER_BUFFER = 10240, LAB_MAX_QUEUES = 16 };

/**
 * struct lab_side - a tested port and its peer
 * @emu_port, @emu_peer: emu's numbers
 * @first_mac: address of the port at lab_open(). emu does not learn of a later change: mlx5_core
 *             does not report the address of a PF to the device
 */
struct lab_side {
	enum lab_driver driver;
	uint16_t port, peer;
	unsigned int emu_port, emu_peer;
	struct rte_ether_addr first_mac;
};

/** struct lab - what all tests share; open: the ports were found */
struct lab {
	bool open;
	const struct devx_emu_ctl *emu;
	struct lab_side side[LAB_DRIVERS];
	struct rte_mempool *peer_pool;
	struct rte_ether_addr mac; /* address of both tested ports */
};

/**
 * lab_open - start EAL, open all ports, start the peers; the first call does the work
 *
 * Return: the lab, or NULL after a failure of the test
 */
struct lab *lab_open(void);
/** lab_read_log - get the log of EAL and drivers since the last call; valid until the next call */
const char *lab_read_log(void);
/** lab_step - run both ports of a side until nothing moves; the engine is paused */
void lab_step(const struct lab *lab, const struct lab_side *side);
/** lab_send_frame - let the peer send @bytes to the tested port, without a step */
void lab_send_frame(const struct lab *lab, const struct lab_side *side, const void *data,
		    uint16_t bytes);
/** lab_receive_at_peer - take up to @n frames that the tested port sent. Return: their number */
uint16_t lab_receive_at_peer(const struct lab_side *side, struct rte_mbuf **m, uint16_t n);

#endif
