/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_CAPTURE_H
#define PKTGEN_CAPTURE_H

#include <stddef.h>
#include <stdint.h>

#include "model/pcapng.h"
#include "model/rewrite.h"
#include "model/signature.h"

/**
 * DOC: Captures
 *
 * capture_read() reads a whole pcap or pcapng file of Ethernet frames before the run starts. It
 * skips interfaces of other link types, or all but the one that the user names. It refuses a file
 * that ends within a packet, has no Ethernet interface, no packet or too many packets.
 * It also refuses packets that are too short, too long, recorded in part, or more than
 * CAPTURE_MAX_YEARS away from the first one.
 *
 * A frame shorter than 60 bytes was recorded before its sender padded it. capture_read() pads it
 * with zeros, as an adapter does, so that sender and receiver see the same frame.
 */

enum {
	CAPTURE_MIN_BYTES = 14,   /* an Ethernet header */
	CAPTURE_PAD_BYTES = 60,   /* the shortest frame without FCS (IEEE 802.3) */
	CAPTURE_MAX_BYTES = 9996, /* the longest frame without FCS that devx-pktgen sends */
	CAPTURE_MAX_FRAMES = 1 << 24,
	CAPTURE_MAX_YEARS = 100, /* from the first frame; 63 bits of ns hold 292 years */
};

/**
 * struct capture_frame - one frame of a capture
 * @at_ns: time since the first frame; at least that of the frame before
 * @n_bytes: length without FCS, at least CAPTURE_PAD_BYTES
 * @twin: index of the next frame with the same bytes, in a ring; its own index without a twin
 * @conversation: number of its conversation (conversation.h), below n_conversations
 * @previous: index of the frame before it in its conversation, in a ring because captures repeat
 */
struct capture_frame {
	uint8_t *bytes;
	uint64_t at_ns;
	uint32_t n_bytes;
	uint32_t twin;
	uint32_t conversation, previous;
};

/**
 * struct capture_longer - a packet with more bytes in the file than on the wire
 * @number: its number in the file, from 1
 */
struct capture_longer {
	uint64_t number;
	uint32_t n_bytes, n_wire_bytes;
};

/**
 * struct capture - a capture in memory
 * @frames, @n_frames: the frames, in the order of the file
 * @n_padded: number of frames that capture_read() padded
 * @n_rewritten: number of frames with rewritten addresses
 * @n_twins: number of frames with the same bytes as another frame
 * @max_bytes: length of the longest frame
 * @total_bytes: sum of the lengths of all frames
 * @period_ns: length of the capture plus one mean gap; a replay repeats after this time
 * @n_older: number of frames that are older than the one before
 * @n_longer, @longer: number of frames with more bytes in the file than on the wire, and the first
 * @interfaces, @n_interfaces: the interfaces of the file, with their packets
 * @n_signed: number of frames with a signature
 * @runs: bit set of the numbers of all runs that signed a frame
 * @table: index of frames by the hash of their bytes, with open addressing; CAPTURE_NONE: free slot
 * @table_mask: number of slots (a power of 2) minus 1
 */
struct capture {
	struct capture_frame *frames;
	uint32_t n_frames, n_padded, n_rewritten, n_twins, n_conversations, max_bytes;
	uint64_t total_bytes, period_ns;
	uint32_t n_older, n_longer, n_signed;
	struct capture_longer longer;
	struct capture_interface *interfaces;
	unsigned n_interfaces;
	uint64_t runs[(SIGN_MAX_RUN + 1) / 64];
	uint32_t *table;
	uint32_t table_mask;
};
#define CAPTURE_NONE UINT32_MAX

/**
 * capture_read - read a capture file
 * @c: receives the capture; all zero after a failure
 * @path: the file; "-": stdin
 * @interface: number, from 0, or name of an interface of the file; NULL: each Ethernet interface
 * @rewrite: addresses to rewrite, may be empty
 * @why: receives one line after a failure: what was found, what is valid, what to do
 * @why_bytes: size of @why
 *
 * Return: 0, or -EINVAL with a line in @why
 */
int capture_read(struct capture *c, const char *path, const char *interface,
		 const struct rewrite *rewrite, char *why, size_t why_bytes);

/** capture_has_run - check whether @run, at most SIGN_MAX_RUN, signed a frame of the capture */
static inline bool capture_has_run(const struct capture *c, unsigned run)
{
	return c->runs[run / 64] >> run % 64 & 1;
}

/** capture_free - free the frames; @c is all zero afterwards */
void capture_free(struct capture *c);

/** capture_find - find the first frame with exactly these bytes. Return: index, or CAPTURE_NONE */
uint32_t capture_find(const struct capture *c, const uint8_t *bytes, uint32_t n_bytes);

#endif
