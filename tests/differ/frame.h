/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DIFFER_FRAME_H
#define DIFFER_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_ether.h>

/**
 * DOC: Frames from a line of text
 *
 *     ip4+opt udp!sum pay:40 pad:6
 *
 * Each word is a header, from the outside in. The Ethernet header in front needs no word. The maker
 * fills in lengths, the numbers of the next protocols and right checksums. Suffixes of a word
 * change this:
 *
 *     word:N         a number: VLAN tag, port, bytes of payload
 *     word!sum       a wrong checksum
 *     word+option    as listed in frame.c
 *
 * The last four bytes of the source MAC address are the number of the frame, so that a receiver
 * recognises every frame. The same text and number make the same bytes.
 */

enum { FRAME_MAX = 10240, FRAME_MAX_LAYERS = 16 };

/* Headers of a frame. FRAME_ETH is an inner Ethernet header too. */
enum frame_kind {
	FRAME_ETH,
	FRAME_VLAN,
	FRAME_IP4,
	FRAME_IP6,
	FRAME_EXT, /* an extension header of IPv6 */
	FRAME_UDP,
	FRAME_TCP,
	FRAME_L4, /* SCTP, ICMP and others, whose checksums no adapter knows */
	FRAME_TUNNEL,
	FRAME_PAYLOAD,
};

/**
 * struct frame_layer - a header of a frame
 * @off, @bytes: place of the header in the frame
 * @protocol: number of this header in an IP header, or its Ethernet type
 * @bad_sum: the checksum is wrong
 * @no_sum: the checksum field of UDP is 0
 * @fragment: an IP header or fragment header of a fragment
 */
struct frame_layer {
	enum frame_kind kind;
	uint16_t off, bytes, protocol;
	bool bad_sum, no_sum, fragment;
	const char *word;
};

/** struct frame - a frame; @end is the end of the packet, without padding */
struct frame {
	const char *text;
	uint32_t number;
	uint16_t bytes, end;
	bool cut; /* the frame ends inside the packet */
	unsigned int n_layers;
	struct frame_layer layer[FRAME_MAX_LAYERS];
	uint8_t data[FRAME_MAX];
};

/**
 * frame_make - make frame @number from @text; @own is the MAC address of the receiving port
 *
 * @text must outlive @f. Return: false, after a failure of the test, if @text has a mistake
 */
bool frame_make(struct frame *f, const char *text, uint32_t number,
		const struct rte_ether_addr *own);

/** frame_get_number - get the number of a frame from its source MAC address */
uint32_t frame_get_number(const uint8_t *data);

/** frame_find - find the @nth header of @kind from the outside in, 0 is the first, or NULL */
const struct frame_layer *frame_find(const struct frame *f, enum frame_kind kind, unsigned int nth);

/** frame_finish - write right checksums and lengths again, after the data of @f was changed */
void frame_finish(struct frame *f);

#endif
