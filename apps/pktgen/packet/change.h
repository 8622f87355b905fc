/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_CHANGE_H
#define PKTGEN_CHANGE_H

#include "packet/stack.h"

/**
 * DOC: Changed frames
 *
 * A device may change the headers of a frame, and add or remove some. These functions compare the
 * frame that was sent with the one that arrived. Both have the same payload.
 */

enum {
	CHANGE_MAX = 32,        /* changes of one frame */
	CHANGE_TEXT_BYTES = 96, /* room for change_format_value() */
};

/** enum change_kind - what differs */
enum change_kind {
	CHANGE_FIELD,   /* a field of a header */
	CHANGE_OPTIONS, /* the options of a header; the values are their lengths in bytes */
	CHANGE_ADDED,   /* a header was added */
	CHANGE_REMOVED, /* a header was removed */
	CHANGE_BYTES,   /* bytes that belong to no known header; the values are their lengths */
	CHANGE_PADDING, /* bytes were added after the payload; the values are their numbers */
};

/**
 * struct change - a difference between a sent frame and the received one
 * @place: which header of its kind in the frame, from outside: 0 for the first. In the received
 *   frame for CHANGE_ADDED, else in the sent one
 * @header: the header; NULL for CHANGE_BYTES and CHANGE_PADDING
 * @field: the field, for CHANGE_FIELD
 */
struct change {
	enum change_kind kind;
	uint8_t place;
	const struct header_kind *header;
	const struct header_field *field;
	pattern_value sent, received;
};

/**
 * struct change_list - all differences of a frame
 * @is_damaged: a checksum of the received frame is wrong, or a header contradicts itself, and the
 *   sent frame was right there
 */
struct change_list {
	unsigned n;
	bool is_damaged;
	struct change list[CHANGE_MAX];
};

/**
 * struct change_frame - a frame to compare
 * @header_bytes: length of its headers: the payload follows them
 * @bytes: length with payload, without padding and FCS
 */
struct change_frame {
	const uint8_t *frame;
	uint32_t header_bytes, bytes;
};

/**
 * change_find - find the differences between a sent and a received frame
 * @padding: bytes that follow the received frame
 *
 * Leaves out what follows from other changes: checksums, if they are right; after a header was
 * added or removed, also lengths and numbers of the next header.
 */
void change_find(struct change_list *c, const struct change_frame *sent,
		 const struct change_frame *received, uint32_t padding);

/**
 * change_find_unlisted - find the differences between a frame and the headers that it should have
 * @listed: the headers, and the fields that have one value: PATTERN_VALUE. Other fields may have
 *   any value; so may options
 *
 * A header is removed that is listed and missing, and added that is not listed. @sent of a change
 * is the listed value. An optional part is missing with the flag that announces it.
 */
void change_find_unlisted(struct change_list *c, const struct stack *listed,
			  const struct change_frame *received);

/** change_is_same - find out whether two changes differ at most in their values */
bool change_is_same(const struct change *a, const struct change *b);

/** change_get_name - get the name of a kind of change for programs, which never changes */
const char *change_get_name(enum change_kind kind);

/** change_format_value - write @sent or @received of a change */
void change_format_value(const struct change *c, pattern_value value, char *text, size_t bytes);

#endif
