/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_CONVERSATION_H
#define PKTGEN_CONVERSATION_H

#include <stdint.h>

/**
 * DOC: Conversations
 *
 * Networks keep the order of frames of one conversation, not of all: they spread others over
 * paths and queues. Frames are of one conversation, in one direction, if these are equal:
 *
 *   MACs, VLAN tags and type;
 *   of IP: addresses and protocol (of IPv6: behind the extension headers);
 *   of TCP and UDP: ports, unless it is a fragment, which may not have them.
 */

enum {
	CONVERSATION_KEY_BYTES =
		64, /* MACs 12, two tags 8, type 2, IPv6 addresses 32, protocol 1, ports 4 */
};

/** struct conversation_key - what frames of one conversation share; comparable by memcmp */
struct conversation_key {
	uint8_t bytes[CONVERSATION_KEY_BYTES];
};

/**
 * conversation_make_key - make the key of a frame's conversation
 *
 * Damaged and cut headers give a key as well.
 */
struct conversation_key conversation_make_key(const uint8_t *frame, uint32_t n_bytes);

#endif
