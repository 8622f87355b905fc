/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EMU_PACKET_FRAME_H
#define EMU_PACKET_FRAME_H

#include <stdint.h>

enum {
	EMU_MACS_BYTES = 12, /* both addresses, which precede the VLAN tag or the type */
	EMU_TPID_C = 0x8100, /* IEEE 802.1Q: TPID of a customer tag; EMU_TPID_S of a service tag */
	EMU_TPID_S = 0x88a8,
	EMU_ETH_HEADER = 14,
	EMU_ETH_VLAN = 4,
	EMU_ETH_FCS = 4,
	EMU_ETH_MIN = 60, /* shortest frame on a wire, without FCS */
	EMU_FRAME_OVERHEAD =
		EMU_ETH_HEADER + EMU_ETH_VLAN, /* longest frame minus MTU, without FCS */
	EMU_PORT_OVERHEAD =
		EMU_FRAME_OVERHEAD +
		EMU_ETH_FCS, /* difference of PMTU, or the vport's MTU, to the netdev's MTU */
};

/** struct emu_frame - a contiguous frame without FCS; valid only during the call */
struct emu_frame {
	const uint8_t *data;
	uint32_t bytes;
};

struct emu;

/** emu_frame_pad - copy a short frame to emu->gather and pad it to 60 bytes */
void emu_frame_pad(struct emu *emu, struct emu_frame *f);

#endif
