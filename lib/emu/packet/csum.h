/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PACKET_CSUM_H
#define EMU_PACKET_CSUM_H

#include <stddef.h>

#include "emu/packet/parse.h"

/** emu_csum_add - add @bytes from @p, as 16-bit words in memory order, to a running sum */
uint64_t emu_csum_add(uint64_t sum, const uint8_t *p, size_t bytes);
/** emu_csum_fold - fold a running sum to 16 bits; host-endian value of the bytes on the wire */
uint16_t emu_csum_fold(uint64_t sum);
/** emu_csum_pseudo - sum of the pseudo header of an IP packet: the start of an L4 sum */
uint64_t emu_csum_pseudo(const struct emu_frame *f, const struct emu_headers *h);

/**
 * emu_crc32 - CRC-32 of Ethernet's FCS; a sender stores it little-endian
 * @crc: 0, or the result for the bytes before @p
 */
uint32_t emu_crc32(uint32_t crc, const uint8_t *p, size_t bytes);

#endif
