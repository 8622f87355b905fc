/* SPDX-License-Identifier: BSD-3-Clause */
#include "emu/packet/frame.h"

#include <string.h>

#include "emu/base/dev.h"

/*
 * Source: DPDK net_mlx5, MLX5_TXPP_TEST_PKT_SIZE; Linux, mlx5e_sq_xmit_prepare, which counts at
 * least 60 bytes per frame but adds none; the capability pad_tx_eth_packet.
 *
 * PRM-MISSING: the device pads with zeros (neither driver says which bytes it expects).
 */
void emu_frame_pad(struct emu *emu, struct emu_frame *f)
{
	/* memmove: the frame may already be in the buffer, at its start or at offset 4 */
	uint8_t *to = emu->gather;

	memmove(to, f->data, f->bytes);
	memset(to + f->bytes, 0, EMU_ETH_MIN - f->bytes);
	*f = (struct emu_frame){ to, EMU_ETH_MIN };
}
