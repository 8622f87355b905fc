/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEMORY_RIG_H
#define MEMORY_RIG_H

#include "port_rig.h"

/** DOC: Packets in memory that a test gives to DPDK, or does not */

enum { MEMORY_RIG_BYTES = 1 << 18, MEMORY_RIG_FRAME = 200, MEMORY_RIG_ELEMENT = 2304 };

/**
 * struct memory_rig - memory of a test and a port
 * @port: the port, which the test has opened
 * @memory: MEMORY_RIG_BYTES of private memory, between pages without access rights
 * @shared: of all mbufs whose data is there; the test holds one reference
 * @n_mr: registrations of the port at memory_rig_up()
 * @handles: objects of uverbs then
 * @n_dropped: packets dropped so far, because they had no key
 */
struct memory_rig {
	struct port_rig *port;
	char *memory;
	struct rte_mbuf_ext_shared_info shared;
	unsigned int n_mr;
	uint64_t handles;
	uint64_t n_dropped;
};

void memory_rig_up(struct memory_rig *rig, struct port_rig *port);
/** memory_rig_down - free the memory; the port is closed, and no mbuf has data there */
void memory_rig_down(struct memory_rig *rig);
/** memory_rig_make_packet - make packet @seed with its data at @at */
struct rte_mbuf *memory_rig_make_packet(struct memory_rig *rig, char *at, uint32_t seed);
/** memory_rig_expect_sent - send a packet with its data at @at, and receive it unchanged */
void memory_rig_expect_sent(struct memory_rig *rig, char *at);
/** memory_rig_expect_dropped - send a packet with its data at @at, and expect it to be dropped */
void memory_rig_expect_dropped(struct memory_rig *rig, char *at);
/** memory_rig_expect_registrations - expect @more registrations than at memory_rig_up() */
void memory_rig_expect_registrations(const struct memory_rig *rig, unsigned int more);
/** memory_rig_extmem_register - tell EAL about the memory: rte_extmem_register() */
void memory_rig_extmem_register(const struct memory_rig *rig);
void memory_rig_extmem_unregister(const struct memory_rig *rig);
/** memory_rig_map - rte_dev_dma_map() of a part of the memory. Return: 0 or -rte_errno */
int memory_rig_map(const struct memory_rig *rig, size_t offset, size_t bytes);
int memory_rig_unmap(const struct memory_rig *rig, size_t offset, size_t bytes);
/** memory_rig_make_pinned_pool - make a pool of @n mbufs with pinned buffers in the memory */
struct rte_mempool *memory_rig_make_pinned_pool(const struct memory_rig *rig, unsigned int n);
/** memory_rig_expect_pool_moves - send and receive each packet of a pool @laps times */
void memory_rig_expect_pool_moves(const struct memory_rig *rig, struct rte_mempool *pool,
				  unsigned int laps);
/** memory_rig_expect_one_line - expect one line in the log, with @says in it */
void memory_rig_expect_one_line(const char *says);

#endif
