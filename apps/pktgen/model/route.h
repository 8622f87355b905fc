/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_ROUTE_H
#define PKTGEN_ROUTE_H

#include "packet/stack.h"

/**
 * DOC: Frames behind a router
 *
 * A router replaces both MAC addresses and makes the TTL or hop limit smaller; of IPv4 it adapts
 * the checksum of the header (RFC 1812, section 5.3; RFC 8200). All else stays.
 */

/**
 * struct route - what routers may change in the frames of a flow
 * @ttl: offset of TTL or hop limit; 0: no router is in between
 * @check: offset of the checksum of the IPv4 header; 0: IPv6
 */
struct route {
	uint16_t ttl, check;
};

/** route_make - make the route of frames with this IP header */
struct route route_make(const struct stack_ip *ip);

/**
 * route_adapt - change expected headers as routers did
 * @r: the route
 * @frame: the received frame
 * @headers: headers as they were sent. Receives the MAC addresses of @frame and, if it is smaller,
 *   its TTL; then also the checksum that belongs to this TTL (RFC 1624)
 */
void route_adapt(const struct route *r, const uint8_t *frame, uint8_t *headers);

#endif
