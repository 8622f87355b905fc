/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_ARP_H
#define PKTGEN_ARP_H

#include "respond/ethernet.h"

enum { ARP_BYTES = 28, ARP_MAX_BYTES = 64 };

/**
 * arp_make_reply - answer an ARP request for an IPv4 address of the port (RFC 826)
 * @a: addresses of the port
 * @l: the received frame
 * @reply: has room for ARP_MAX_BYTES
 *
 * Also answers the probe of a host that wants to use the address (RFC 5227). A host that announces
 * the address as its own gets no answer.
 *
 * Return: length of the reply; 0 if the frame is not a valid request for the port
 */
unsigned arp_make_reply(const struct addresses *a, const struct ethernet *l, uint8_t *reply);

/**
 * arp_make_request - ask for the MAC address of @target, from an address in its network and VLAN
 * @request: has room for ARP_MAX_BYTES
 *
 * Return: length of the request
 */
unsigned arp_make_request(const struct addresses *a, const struct address *target,
			  uint8_t *request);

/**
 * arp_read_reply - read the MAC address of @target from a reply to the port
 *
 * Return: whether the frame is such a reply
 */
bool arp_read_reply(const struct addresses *a, const struct ethernet *l,
		    const struct address *target, uint8_t mac[MAC_BYTES]);

#endif
