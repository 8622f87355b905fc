/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/packet/csum.h"

enum { CRC32_POLYNOMIAL = 0xedb88320u };

uint32_t emu_crc32(uint32_t crc, const uint8_t *p, size_t bytes)
{
	crc = ~crc;
	while (bytes--) {
		crc ^= *p++;
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (CRC32_POLYNOMIAL & -(crc & 1));
	}
	return ~crc;
}
