/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PACKET_FRAME_H
#define EMU_PACKET_FRAME_H

#include <stdint.h>

enum {
	EMU_MACS_BYTES = 12, /* both addresses, before the VLAN tag or the type */
	EMU_TPID_C = 0x8100, /* IEEE 802.1Q: TPID of a customer tag */
	EMU_TPID_S = 0x88a8, /* ... and of a service tag */
	EMU_ETH_HEADER = 14,
	EMU_ETH_VLAN = 4,
	EMU_ETH_FCS = 4,
	EMU_ETH_MIN = 60, /* shortest frame on a wire, without FCS */
	/* longest frame, without FCS, minus MTU */
	EMU_FRAME_OVERHEAD = EMU_ETH_HEADER + EMU_ETH_VLAN,
	/* MTU in PMTU or the vport context, minus MTU of the netdev */
	EMU_PORT_OVERHEAD = EMU_FRAME_OVERHEAD + EMU_ETH_FCS,
};

/** struct emu_frame - a contiguous frame without FCS; a callee must not keep it */
struct emu_frame {
	const uint8_t *data;
	uint32_t bytes;
};

struct emu;

/** emu_frame_pad - copy a short frame to emu->gather and pad it to 60 bytes */
void emu_frame_pad(struct emu *emu, struct emu_frame *f);

#endif
