/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_ROUTE_H
#define PKTGEN_ROUTE_H

#include "packet/stack.h"

/**
 * DOC: Frames behind a router
 *
 * A router replaces both MAC addresses and lowers the TTL or hop limit; for IPv4 it adapts the
 * header checksum (RFC 1812, section 5.3; RFC 8200). It changes nothing else.
 */

/**
 * struct route - what routers may change in the frames of a flow
 * @ttl: offset of TTL or hop limit; 0: there is no router on the way
 * @check: offset of the IPv4 header checksum; 0: the flow is IPv6
 */
struct route {
	uint16_t ttl, check;
};

struct route route_make(const struct stack_ip *ip);

/**
 * route_adapt - change expected headers as routers did
 * @r: the route
 * @frame: the received frame
 * @headers: headers as they were sent. Receives the MAC addresses of @frame. If the TTL of @frame
 *   is lower, also receives this TTL and the checksum for it (RFC 1624)
 */
void route_adapt(const struct route *r, const uint8_t *frame, uint8_t *headers);

#endif
