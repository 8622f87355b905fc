/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_PING_H
#define PKTGEN_PING_H

#include "respond/ethernet.h"

/**
 * ping_make_reply - answer an echo request for an address of the port (RFC 792, RFC 4443)
 * @a: addresses of the port
 * @l: the received frame
 * @reply: room for the reply
 * @room: size of @reply in bytes, at least ETHERNET_MIN_BYTES
 *
 * The reply has the data of the request, but none of its IPv4 options. Requests to multicast and
 * broadcast addresses, and fragments, get no reply.
 *
 * Return: length of the reply; 0 if the frame is not a valid request for the port, or if the reply
 * is longer than @room
 */
unsigned ping_make_reply(const struct addresses *a, const struct ethernet *l, uint8_t *reply,
			 unsigned room);

#endif
