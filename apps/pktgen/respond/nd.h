/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_ND_H
#define PKTGEN_ND_H

#include "respond/ethernet.h"

enum { ND_MAX_BYTES = 96 };

/**
 * nd_make_advertisement - answer a neighbour solicitation for an IPv6 address of the port
 * @a: addresses of the port
 * @l: the received frame
 * @answer: has room for ND_MAX_BYTES
 *
 * Applies the checks of RFC 4861, section 7.1.1, and follows section 7.2.4. A host that has no
 * address yet asks whether the address is free; the answer to it goes to all nodes.
 *
 * Return: length of the answer; 0 if the frame is not a valid solicitation for the port
 */
unsigned nd_make_advertisement(const struct addresses *a, const struct ethernet *l,
			       uint8_t *answer);

/**
 * nd_make_solicitation - ask for the MAC address of @target (RFC 4861, section 7.2.2)
 * @request: has room for ND_MAX_BYTES
 *
 * Return: length of the request
 */
unsigned nd_make_solicitation(const struct addresses *a, const struct address *target,
			      uint8_t *request);

/**
 * nd_read_advertisement - read the MAC address of @target from an advertisement to the port
 *
 * Applies the checks of RFC 4861, section 7.1.2.
 *
 * Return: whether the frame is such an advertisement
 */
bool nd_read_advertisement(const struct addresses *a, const struct ethernet *l,
			   const struct address *target, uint8_t mac[MAC_BYTES]);

#endif
