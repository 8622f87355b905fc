/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz.h"
#include "open_files.h"
#include "pci_rig.h"

/* Returns the next number of an xorshift generator: the same numbers in every run. */
static uint32_t draw_number(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (uint32_t)(*seed >> 16);
}

TEST(fuzz_pci, random_inputs_do_not_crash_or_leak)
{
	enum { ROUNDS = 2000, MAX_BYTES = 4096 };
	const unsigned fds = count_open_files();
	static uint8_t bytes[MAX_BYTES];
	uint64_t seed = 0x6e65742d64657678;

	for (unsigned i = 0; i < ROUNDS; i++) {
		const size_t n = draw_number(&seed) % MAX_BYTES;

		for (size_t k = 0; k < n; k++) {
			const uint32_t v = draw_number(&seed);

			/* most bytes are below 4, because most valid fields are */
			bytes[k] = v & 0x300 ? (uint8_t)v & 3 : (uint8_t)v;
		}
		fuzz_pci(bytes, n, NULL);
	}
	EXPECT_EQ(fds, count_open_files());
}
