/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PACKET_CSUM_INSERT_H
#define EMU_PACKET_CSUM_INSERT_H

#include <stdint.h>

struct emu_vxlan;

/**
 * emu_csum_insert - write the IPv4 and L4 checksums that @cs_flags (PRM_ETH_CS_*) requests
 *
 * The inner checksums first, because an outer UDP checksum covers them.
 */
void emu_csum_insert(uint8_t *frame, uint32_t bytes, const struct emu_vxlan *vxlan,
		     uint8_t cs_flags);

#endif
