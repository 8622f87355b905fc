/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_ETHERNET_H
#define PKTGEN_ETHERNET_H

#include "model/addresses.h"

/**
 * DOC: Ethernet of requests and answers
 *
 * A request may carry up to two VLAN tags (802.1Q, 802.1ad). The answer carries the same tags, and
 * has at least the minimum length of Ethernet. Lengths are without FCS.
 */

enum { ETHERNET_MIN_BYTES = 60, ETHERNET_MAX_BYTES = 14 + VLAN_MAX_TAGS * 4 };

/**
 * struct ethernet - the Ethernet header of a received frame
 * @n_bytes: length of @frame
 * @l3: offset of the header after Ethernet header and VLAN tags, at most @n_bytes
 * @type: EtherType of that header
 * @vlan: the VLAN; a tag with ID 0 has only a priority, and does not belong to it
 */
struct ethernet {
	const uint8_t *frame;
	unsigned n_bytes, l3;
	uint16_t type;
	struct vlan vlan;
};

/**
 * ethernet_read - read the Ethernet header and VLAN tags
 *
 * Return: true; or false if the frame is too short, or its source is a group address
 */
bool ethernet_read(struct ethernet *l, const uint8_t *frame, unsigned n_bytes);

bool ethernet_is_to(const struct ethernet *l, const uint8_t *mac);

/** ethernet_is_in - whether a host in the VLAN @v sees the frame; one without VLAN sees all */
bool ethernet_is_in(const struct ethernet *l, const struct vlan *v);

bool ethernet_is_broadcast(const struct ethernet *l);

/**
 * ethernet_write_answer - write Ethernet header and VLAN tags of the answer
 * @l: the request
 * @answer: has room for @l->l3 bytes
 * @to, @from: MAC addresses of the answer
 */
void ethernet_write_answer(const struct ethernet *l, uint8_t *answer, const uint8_t *to,
			   const uint8_t *from);

/**
 * ethernet_write - write an Ethernet header with the tags of a VLAN
 * @frame: has room for ETHERNET_MAX_BYTES
 * @type: EtherType of the header after it
 *
 * Return: length
 */
unsigned ethernet_write(uint8_t *frame, const uint8_t *to, const uint8_t *from,
			const struct vlan *v, uint16_t type);

/**
 * ethernet_pad - pad a frame that is too short for Ethernet with zeros
 * @answer: has room for ETHERNET_MIN_BYTES
 *
 * Return: the length
 */
unsigned ethernet_pad(uint8_t *answer, unsigned n_bytes);

#endif
