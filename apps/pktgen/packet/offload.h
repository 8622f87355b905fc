/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_OFFLOAD_H
#define PKTGEN_OFFLOAD_H

#include "packet/stack.h"

/**
 * DOC: Checksums that a port writes
 *
 * A DPDK port can write the checksums of an IPv4 header, and of UDP or TCP over IPv4 or IPv6. Only
 * Ethernet and up to two VLAN tags may come before IP. In the frame that the port gets, the IPv4
 * header checksum is 0, and the other checksum is the sum of the pseudo header.
 */

/**
 * struct offload - the checksums of a flow that a port writes; all zero: none
 * @port: the offloads that the port needs: RTE_ETH_TX_OFFLOAD_*
 * @mbuf: flags of each mbuf: RTE_MBUF_F_TX_*
 * @l2_bytes, @l3_bytes: length of the Ethernet header with VLAN tags, and of the IP header
 * @has_l4: the port writes the checksum of UDP or TCP, which depends on the payload
 */
struct offload {
	uint64_t port, mbuf;
	uint16_t l2_bytes, l3_bytes;
	bool has_l4;
};

/**
 * offload_find - find the checksums of a stack that a port can write
 * @s: a complete stack (stack_check())
 * @o: receives them; all zero if a port cannot write all automatic checksums of the stack
 *
 * Return: NULL, or the reason why a port cannot write them (reason_format())
 */
const char *offload_find(const struct stack *s, struct offload *o);

#endif
