/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_FRAME_H
#define BENCH_FRAME_H

#include <stdbool.h>
#include <stdint.h>

/**
 * DOC: The frames of a benchmark
 *
 *     Ethernet | C-tag, if there is one | IPv4 | UDP | number of the frame, then a pattern
 */

enum { BENCH_MIN_FRAME = 60, BENCH_MAX_FRAME = 1518, BENCH_FRAME_TCI = 100 };

/**
 * struct bench_frame - the frames of one point
 * @bytes: length without a tag and without the frame check sequence; 60 to 1514
 * @tagged: the sender writes a C-tag into the frame
 * @insert_tag: the device inserts the tag into frames that it sends
 * @strip_tag: the device removes the tag from frames that it receives
 * @sums: the device computes the checksums of frames that it sends
 */
struct bench_frame {
	uint16_t bytes;
	bool tagged, insert_tag, strip_tag, sums;
};

/** bench_frame_write_sent - write frame number @number as the sender has it. Return: its bytes */
uint16_t bench_frame_write_sent(const struct bench_frame *frame, uint32_t number, uint8_t *out);

/** bench_frame_write_received - write the frame as the receiver must see it. Return: its bytes */
uint16_t bench_frame_write_received(const struct bench_frame *frame, uint32_t number, uint8_t *out);

#endif
