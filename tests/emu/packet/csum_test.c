/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "ct.h"
#include "emu/packet/csum.h"
#include "udp_frame.h"

enum { ROOM = 256 };

TEST(csum, sum_is_right_for_any_length_and_alignment)
{
	uint8_t bytes[ROOM];

	for (unsigned i = 0; i < ROOM; i++)
		bytes[i] = (uint8_t)(i * 37 + 200);
	for (unsigned start = 0; start < 8; start++)
		for (unsigned n = 0; n < 100; n++)
			EXPECT_EQ(udp_frame_sum(bytes + start, n, 0),
				  emu_csum_fold(emu_csum_add(0, bytes + start, n)));
	memset(bytes, 0xff, ROOM);
	EXPECT_EQ(0xffff, emu_csum_fold(emu_csum_add(0, bytes, ROOM)));
}

TEST(csum, sum_of_two_parts_is_the_sum_of_the_whole)
{
	uint8_t bytes[ROOM];

	memset(bytes, 0xff, ROOM);
	for (unsigned i = 0; i < ROOM; i += 3)
		bytes[i] = (uint8_t)i;
	for (unsigned n = 0; n <= ROOM; n += 2)
		EXPECT_EQ(udp_frame_sum(bytes, ROOM, 0),
			  emu_csum_fold(emu_csum_join(emu_csum_add(0, bytes, n),
						      emu_csum_add(0, bytes + n, ROOM - n))));
}
