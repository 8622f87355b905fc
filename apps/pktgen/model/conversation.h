/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_CONVERSATION_H
#define PKTGEN_CONVERSATION_H

#include <stdint.h>

/**
 * DOC: Conversations
 *
 * A network keeps the order of frames only within a conversation, because it spreads conversations
 * over paths and queues. Frames belong to the same conversation (one direction) if all of these are
 * equal:
 *
 *   MAC addresses, VLAN tags and Ethernet type;
 *   IP addresses and protocol (IPv6: the protocol after the extension headers);
 *   TCP or UDP ports, except in fragments: only the first fragment has ports.
 */

enum {
	CONVERSATION_KEY_BYTES =
		64, /* MACs 12, two tags 8, type 2, IPv6 addresses 32, protocol 1, ports 4 */
};

/** struct conversation_key - identifies a conversation; compare with memcmp() */
struct conversation_key {
	uint8_t bytes[CONVERSATION_KEY_BYTES];
};

/**
 * conversation_make_key - make the key of the conversation that a frame belongs to
 * @frame: a frame of at least 14 bytes; its headers may be damaged or cut off
 * @n_bytes: length of @frame
 */
struct conversation_key conversation_make_key(const uint8_t *frame, uint32_t n_bytes);

#endif
