/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PKTGEN_CAPTURE_H
#define PKTGEN_CAPTURE_H

#include <stddef.h>
#include <stdint.h>

/**
 * DOC: Captures
 *
 * A pcap or pcapng file of Ethernet frames, read whole before anything is sent. A file that
 * cannot be replayed as it is, is refused as a whole: cut off, another link type, packets
 * that are empty, too long, or were not recorded in full.
 *
 * A frame shorter than 60 bytes was recorded where it had not yet got its padding. It gets
 * zeros up to 60 here, as an adapter would give it, so that both ends see the same frame.
 */

enum {
	CAPTURE_MIN_BYTES = 14,   /* an Ethernet header */
	CAPTURE_PAD_BYTES = 60,   /* the shortest frame without FCS; IEEE 802.3 */
	CAPTURE_MAX_BYTES = 9996, /* the longest frame without FCS that devx-pktgen sends */
	CAPTURE_MAX_FRAMES = 1 << 24,
};

/** struct capture_frame - one frame; never shorter than CAPTURE_PAD_BYTES */
struct capture_frame {
	uint8_t *bytes;
	uint32_t n_bytes;
	uint32_t twin; /* the next frame with the same bytes, in a ring; itself if there is none */
	uint32_t conversation; /* it is part of; see conversation.h; 0..n_conversations - 1 */
};

/**
 * struct capture - a file in memory
 * @frames: the frames, in the file's order
 * @n_frames: how many
 * @n_padded: of these, how many were padded
 * @n_twins: of these, how many have the bytes of another one
 * @n_conversations: how many conversations
 * @max_bytes: of the longest
 * @total_bytes: of all
 * @table: frames by hash of their bytes, CAPTURE_NONE: free; a power of 2, open addressing
 */
struct capture {
	struct capture_frame *frames;
	uint32_t n_frames, n_padded, n_twins, n_conversations, max_bytes;
	uint64_t total_bytes;
	uint32_t *table;
	uint32_t table_mask;
};
#define CAPTURE_NONE UINT32_MAX

/**
 * capture_read - read a file
 * @c: set on success, all zero else
 * @path: the file
 * @why: receives one line on failure: what was wrong, what is allowed, what to do
 * @why_bytes: its size
 *
 * Return: 0, or -EINVAL: @why says it
 */
int capture_read(struct capture *c, const char *path, char *why, size_t why_bytes);

/** capture_free - all zero afterwards */
void capture_free(struct capture *c);

/** capture_find - a frame with exactly these bytes (others follow by twin), or CAPTURE_NONE */
uint32_t capture_find(const struct capture *c, const uint8_t *bytes, uint32_t n_bytes);

#endif
